import { resolve } from 'node:path';
import { AppError } from '../errors/index.js';
import { choice, flag, integer, list, secret, text, type Setting } from './settings.js';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every variable Parley reads, in the order of `docs/reference/config.md` (which a test holds to this table). */
export const SETTINGS = {
  host: text('SERVER_HOST', '127.0.0.1', { about: 'Address to listen on. Beyond loopback an API_KEY is required.' }),
  port: integer(
    'SERVER_PORT',
    3000,
    { min: 0, max: 65535 },
    { about: 'Port to listen on; 0 takes a free one. PORT is read when this is unset.' },
  ),
  publicUrl: text('SERVER_URL', undefined, {
    about: 'Address under which others reach this server.',
    shown: 'http://SERVER_HOST:SERVER_PORT',
  }),
  dataDir: text('DATA_DIR', './data', { about: 'Folder of the SQLite file and everything else that is kept.' }),
  databaseUrl: text('DATABASE_URL', undefined, {
    about: 'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
    shown: 'sqlite:DATA_DIR/parley.sqlite',
  }),
  databasePoolSize: integer(
    'DATABASE_POOL_SIZE',
    10,
    { min: 2, max: 200 },
    { about: 'Connections to PostgreSQL; SQLite has one writer and one reader.' },
  ),
  charactersDir: text('CHARACTERS_DIR', './characters', { about: 'Folder of character files; each becomes an agent at start.' }),
  pluginsDir: text('PLUGINS_DIR', './plugins', { about: 'Folder whose files and folders are loaded as plugins.' }),
  plugins: list('PLUGINS', { about: 'Further plugins, comma-separated: paths, or names of installed packages.' }),
  pluginsWatch: flag('PLUGINS_WATCH', false, { about: 'Loads a plugin of PLUGINS_DIR anew when its files change; for development.' }),
  apiKey: secret('API_KEY', {
    about: 'Key that callers send as X-API-KEY or Authorization: Bearer. ELIZA_SERVER_AUTH_TOKEN is read when this is unset.',
  }),
  sessionsRequireAuth: flag('SESSIONS_REQUIRE_AUTH', false, {
    about: 'Whether creating a session needs the API key too; the specification leaves it open.',
  }),
  corsOrigins: list('CORS_ORIGIN', { about: 'Origins that browsers may call from, comma-separated; * allows all.' }),
  apiDialect: choice('API_DIALECT', 'spec', ['spec', 'eliza'], {
    about: 'Shape of the few answers on which specification and official client differ; X-API-Dialect chooses per request.',
  }),
  bodyLimitBytes: integer(
    'BODY_LIMIT_BYTES',
    2 * 1024 * 1024,
    { min: 1024, max: 1024 * 1024 * 1024 },
    { about: 'Largest JSON body, bytes.' },
  ),
  logLevel: choice('LOG_LEVEL', 'info', LEVELS, { about: 'Least level that is logged.' }),
  shutdownGraceMs: integer(
    'SHUTDOWN_GRACE_MS',
    10_000,
    { min: 0, max: 600_000 },
    { about: 'Time that running turns get to finish when the server stops, ms.' },
  ),
  journalRetentionHours: integer(
    'JOURNAL_RETENTION_HOURS',
    168,
    { min: 1, max: 87_600 },
    { about: 'How long journal entries are kept for readers that were away, hours.' },
  ),

  sessionTimeoutMinutes: integer(
    'SESSION_DEFAULT_TIMEOUT_MINUTES',
    30,
    { min: 5, max: 1440 },
    { about: 'Inactivity timeout of a session that names none, minutes.' },
  ),
  sessionMaxDurationMinutes: integer(
    'SESSION_MAX_DURATION_MINUTES',
    720,
    { min: 5, max: 20_160 },
    { about: 'Longest life of a session that names none, minutes.' },
  ),
  sessionWarningMinutes: integer(
    'SESSION_WARNING_THRESHOLD_MINUTES',
    5,
    { min: 1, max: 1440 },
    { about: 'Minutes before expiry at which the warning is given.' },
  ),
  sessionAutoRenew: flag('SESSION_AUTO_RENEW', true, { about: 'Whether activity renews a session that does not say.' }),
  sessionTombstoneHours: integer(
    'SESSION_TOMBSTONE_HOURS',
    24,
    { min: 1, max: 8760 },
    { about: 'How long an expired or ended session is answered with 410 before it is forgotten, hours.' },
  ),

  turnConcurrency: integer(
    'TURN_CONCURRENCY',
    32,
    { min: 1, max: 1000 },
    { about: 'Turns that one process runs at the same time (turns of one channel never overlap).' },
  ),
  turnTimeoutMs: integer(
    'TURN_TIMEOUT_MS',
    120_000,
    { min: 1000, max: 3_600_000 },
    { about: 'Time that one attempt at a turn may take, ms.' },
  ),
  turnMaxAttempts: integer(
    'TURN_MAX_ATTEMPTS',
    5,
    { min: 1, max: 100 },
    { about: 'How often a turn is taken up after its process died before it is recorded as failed.' },
  ),
  conversationLength: integer(
    'CONVERSATION_LENGTH',
    32,
    { min: 2, max: 500 },
    { about: 'Newest messages of a conversation that the model sees.' },
  ),

  modelProvider: choice('MODEL_PROVIDER', 'auto', ['auto', 'openai', 'anthropic', 'ollama', 'offline'], {
    about: 'Who writes the replies; auto takes the first that is configured, else the offline responder.',
  }),
  modelRetries: integer(
    'MODEL_RETRIES',
    3,
    { min: 0, max: 10 },
    { about: 'Further tries when a model answers 429 or 5xx or cannot be reached.' },
  ),
  modelTimeoutMs: integer(
    'MODEL_TIMEOUT_MS',
    60_000,
    { min: 1000, max: 3_600_000 },
    { about: 'Time that one call of a model may take, ms.' },
  ),
  openaiKey: secret('OPENAI_API_KEY', { about: 'Key for OpenAI or any compatible service.' }),
  openaiBaseUrl: text('OPENAI_BASE_URL', 'https://api.openai.com/v1', {
    about: 'Base address of an OpenAI-compatible service; setting it is enough to choose it, with or without a key.',
  }),
  openaiModel: text('OPENAI_MODEL', 'gpt-4o-mini', { about: 'Chat model of that service.' }),
  anthropicKey: secret('ANTHROPIC_API_KEY', { about: 'Key for Anthropic.' }),
  anthropicBaseUrl: text('ANTHROPIC_BASE_URL', 'https://api.anthropic.com/v1', { about: 'Base address of Anthropic.' }),
  anthropicModel: text('ANTHROPIC_MODEL', 'claude-sonnet-4-5', { about: 'Chat model of Anthropic.' }),
  ollamaBaseUrl: text('OLLAMA_BASE_URL', 'http://127.0.0.1:11434/v1', {
    about: 'OpenAI-compatible address of Ollama; setting it, or OLLAMA_MODEL, chooses Ollama.',
  }),
  ollamaModel: text('OLLAMA_MODEL', 'llama3.2', { about: 'Chat model of Ollama.' }),
  embeddingProvider: choice('EMBEDDING_PROVIDER', 'embedded', ['embedded', 'openai', 'none'], {
    about: 'Who turns texts into vectors for recall: the built-in English sentence encoder, OPENAI_BASE_URL, or nobody.',
  }),
  embeddingModel: text('OPENAI_EMBEDDING_MODEL', 'text-embedding-3-small', { about: 'Embedding model when EMBEDDING_PROVIDER is openai.' }),
} as const satisfies Record<string, Setting<unknown>>;

type Values = { [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> };

/** The effective configuration, read once at start. Paths are absolute. */
export interface Config extends Values {
  readonly databaseUrl: string;
  /** Names of the variables that were set, for "the first that is configured" decisions. */
  readonly given: ReadonlySet<string>;
  /** Reads any other environment variable; for what a plugin declares in its configuration. */
  readonly variable: (name: string) => string | undefined;
  /** Version of the program, from package.json. */
  readonly version: string;
}

const ALIASES: Record<string, string> = { SERVER_PORT: 'PORT', API_KEY: 'ELIZA_SERVER_AUTH_TOKEN' };
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * Reads the environment into one typed object.
 *
 * @throws AppError CONFIG_INVALID naming every variable at fault, not only the first
 */
export function loadConfig(env: Record<string, string | undefined>, version: string): Config {
  const faults: string[] = [];
  const given = new Set<string>();
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const raw = rawValue(env, setting.name);
    if (raw !== undefined) given.add(setting.name);
    try {
      values[key] = setting.read(raw);
    } catch (error) {
      faults.push(`${setting.name} ${(error as Error).message}`);
    }
  }
  const config = { ...(values as Values), given, version, variable: (name: string) => rawValue(env, name) };
  const dataDir = resolve(config.dataDir ?? '.');
  const databaseUrl = config.databaseUrl ?? `sqlite:${resolve(dataDir, 'parley.sqlite')}`;
  if (!/^(sqlite:.|postgres(ql)?:\/\/)/.test(databaseUrl)) {
    faults.push('DATABASE_URL must begin with sqlite: or postgres://');
  }
  if (faults.length === 0 && !LOOPBACK.has(config.host) && config.apiKey === undefined) {
    faults.push(`API_KEY must be set to listen on ${config.host}: without one only loopback addresses are allowed`);
  }
  if (faults.length > 0) {
    throw new AppError(
      'CONFIG_INVALID',
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}.`,
      faults.join('; '),
    );
  }
  return { ...config, dataDir, databaseUrl, charactersDir: resolve(config.charactersDir), pluginsDir: resolve(config.pluginsDir) };
}

function rawValue(env: Record<string, string | undefined>, name: string): string | undefined {
  for (const candidate of [name, ALIASES[name]]) {
    const raw = candidate === undefined ? undefined : env[candidate]?.trim();
    if (raw !== undefined && raw !== '') return raw;
  }
  return undefined;
}
