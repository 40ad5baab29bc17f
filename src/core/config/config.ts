import { resolve } from 'node:path';
import { AppError } from '../errors/index.js';
import { mistypedOf, type Mistyped } from './mistyped.js';
import { MODEL_SETTINGS } from './model-settings.js';
import { RATE_LIMIT_SETTINGS } from './rate-limit-settings.js';
import { address, choice, flag, hosts, integer, list, networks, origins, secret, secretList, text, type Setting } from './settings.js';
import { SPEECH_SETTINGS } from './speech-settings.js';

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
  publicUrl: address('SERVER_URL', undefined, {
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
  upgradeBackups: integer(
    'UPGRADE_BACKUPS',
    3,
    { min: 0, max: 1000 },
    { about: 'How many of the copies that are made before the schema is changed are kept; 0 makes none.' },
  ),
  envFile: text('ENV_FILE', './.env', { about: 'File of environment variables that is read at start; what is set already wins.' }),
  envEditable: list('ENV_EDITABLE', {
    about:
      'Further variables of that file that an administrator may change with POST /api/system/env/local, comma-separated; none that loads code or says where data goes or who may call.',
  }),
  charactersDir: text('CHARACTERS_DIR', './characters', { about: 'Folder of character files; each becomes an agent at start.' }),
  pluginsDir: text('PLUGINS_DIR', './plugins', { about: 'Folder whose files and folders are loaded as plugins.' }),
  plugins: list('PLUGINS', { about: 'Further plugins, comma-separated: paths, or names of installed packages.' }),
  pluginEnv: list('PLUGIN_ENV', {
    about: 'Environment variables that every plugin may read as settings, comma-separated, besides those that it declares itself.',
  }),
  pluginsWatch: flag('PLUGINS_WATCH', false, { about: 'Loads a plugin of PLUGINS_DIR anew when its files change; for development.' }),
  apiKey: secret('API_KEY', {
    about: 'Key that callers send as X-API-KEY or Authorization: Bearer. ELIZA_SERVER_AUTH_TOKEN is read when this is unset.',
  }),
  secretKey: secret('SECRET_KEY', {
    about: 'Seals secrets in the database and signs session tokens: 32 random bytes as text. Made at the first start when it is unset.',
    shown: 'DATA_DIR/secret.key',
    shortest: 32,
  }),
  secretKeyPrevious: secretList('SECRET_KEY_PREVIOUS', {
    about: 'Keys that were SECRET_KEY before, comma-separated: what they sealed is read and sealed anew at start.',
  }),
  userTokenSecret: secret('USER_TOKEN_SECRET', {
    about: "Secret with which an app's backend signs tokens for its users (JWT, HS256): at least 32 characters. Unset: no such tokens.",
    shortest: 32,
  }),
  userTokenSecretPrevious: secretList('USER_TOKEN_SECRET_PREVIOUS', {
    about: 'Secrets that were USER_TOKEN_SECRET before, comma-separated: tokens that they signed are accepted until they expire.',
    shortest: 32,
  }),
  sessionsRequireAuth: flag('SESSIONS_REQUIRE_AUTH', false, {
    about: 'Whether creating a session needs the API key too; the specification leaves it open.',
  }),
  pluginRoutesRequireAuth: flag('PLUGIN_ROUTES_REQUIRE_AUTH', false, {
    about: 'Whether plugin routes need a credential under their own path too, unless they are public or verify a webhook themselves.',
  }),
  queryTokens: flag('QUERY_TOKENS', false, {
    about:
      'Whether a session token is also read from the query parameter access_token of a GET, for EventSource; addresses end up in logs.',
  }),
  corsOrigins: origins('CORS_ORIGIN', { about: 'Origins that browsers may call from, comma-separated; * allows all.' }),
  allowedHosts: hosts('ALLOWED_HOSTS', {
    about:
      'Host names that the server answers to, comma-separated, besides that of SERVER_URL and localhost. Unset: on loopback no others, elsewhere all.',
  }),
  trustedProxies: networks('TRUSTED_PROXIES', {
    about: 'Proxies whose X-Forwarded-For names the caller: addresses, networks, or loopback; comma-separated.',
  }),
  outboundAllowedNetworks: networks('OUTBOUND_ALLOWED_NETWORKS', {
    about:
      'Networks beyond the internet whose services an address may name that an agent or a request gives: addresses, networks, or loopback; comma-separated. Addresses in this configuration may be anywhere.',
  }),
  ...RATE_LIMIT_SETTINGS,
  apiDialect: choice('API_DIALECT', 'spec', ['spec', 'eliza'], {
    about: 'Shape of the few answers on which specification and official client differ; X-API-Dialect chooses per request.',
  }),
  teeRoot: text('TEE_ROOT', '/', { about: 'Folder below which /dev and /sys of the machine are; for trusted hardware.' }),
  bodyLimitBytes: integer(
    'BODY_LIMIT_BYTES',
    2 * 1024 * 1024,
    { min: 1024, max: 1024 * 1024 * 1024 },
    { about: 'Largest JSON body, bytes.' },
  ),
  uploadLimitBytes: integer(
    'UPLOAD_LIMIT_BYTES',
    50 * 1024 * 1024,
    { min: 1024, max: 10 * 1024 * 1024 * 1024 },
    { about: 'Largest file that is uploaded to an agent or a channel, bytes.' },
  ),
  headersTimeoutMs: integer(
    'HEADERS_TIMEOUT_MS',
    60_000,
    { min: 100, max: 3_600_000 },
    { about: 'Time in which the head of a request has to arrive, ms; then it is answered with 408.' },
  ),
  requestTimeoutMs: integer(
    'REQUEST_TIMEOUT_MS',
    300_000,
    { min: 100, max: 86_400_000 },
    { about: 'Time in which a whole request has to arrive, uploads too, ms; then it is answered with 408.' },
  ),
  keepAliveTimeoutMs: integer(
    'KEEP_ALIVE_TIMEOUT_MS',
    65_000,
    { min: 100, max: 3_600_000 },
    { about: 'Time that a connection may be idle between requests, ms; longer than a proxy in front of the server keeps it.' },
  ),
  sendTimeoutMs: integer(
    'SEND_TIMEOUT_MS',
    30_000,
    { min: 100, max: 3_600_000 },
    { about: 'Time in which a client has to take something of an answer that waits for it, ms; then its connection is cut.' },
  ),
  mediaDir: text('MEDIA_DIR', undefined, {
    about: 'Folder of uploaded files. Processes that share a database share it too.',
    shown: 'DATA_DIR/media',
  }),
  mediaUnusedHours: integer(
    'MEDIA_UNUSED_HOURS',
    168,
    { min: 1, max: 87_600 },
    { about: 'How long a file is kept that was uploaded to a channel, or made by an agent, and never sent in a message, hours.' },
  ),
  socketBacklogBytes: integer(
    'SOCKET_BACKLOG_BYTES',
    16 * 1024 * 1024,
    { min: 65_536, max: 1024 * 1024 * 1024 },
    { about: 'What may wait for one socket to be read before it is cut with code 4008, bytes.' },
  ),
  idempotencyHours: integer(
    'IDEMPOTENCY_HOURS',
    48,
    { min: 24, max: 8760 },
    { about: 'How long the answer to a request with an Idempotency-Key is kept for who sends it again, hours.' },
  ),
  logLevel: choice('LOG_LEVEL', 'info', LEVELS, { editable: true, about: 'Least level that is logged.' }),
  agentLogRetentionHours: integer(
    'AGENT_LOG_RETENTION_HOURS',
    168,
    { min: 1, max: 87_600 },
    { about: 'How long the log of an agent is kept, hours.' },
  ),
  agentLogLimit: integer(
    'AGENT_LOG_LIMIT',
    100_000,
    { min: 100, max: 10_000_000 },
    { about: 'Most entries that the log of an agent keeps.' },
  ),
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
    { editable: true, about: 'Inactivity timeout of a session that names none, minutes.' },
  ),
  sessionMaxDurationMinutes: integer(
    'SESSION_MAX_DURATION_MINUTES',
    720,
    { min: 5, max: 20_160 },
    { editable: true, about: 'Longest life of a session that names none, minutes.' },
  ),
  sessionWarningMinutes: integer(
    'SESSION_WARNING_THRESHOLD_MINUTES',
    5,
    { min: 1, max: 1440 },
    { editable: true, about: 'Minutes before expiry at which the warning is given.' },
  ),
  sessionAutoRenew: flag('SESSION_AUTO_RENEW', true, { editable: true, about: 'Whether activity renews a session that does not say.' }),
  sessionTombstoneHours: integer(
    'SESSION_TOMBSTONE_HOURS',
    24,
    { min: 1, max: 8760 },
    { about: 'How long an expired or ended session is answered with 410 before it is forgotten, hours.' },
  ),

  jobRetentionHours: integer(
    'JOB_RETENTION_HOURS',
    24,
    { min: 1, max: 8760 },
    { about: 'How long a one-off question is kept after its time has run out, hours; at most 10,000 are.' },
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
    { editable: true, about: 'Newest messages of a conversation that the model sees.' },
  ),

  ...MODEL_SETTINGS,
  ...SPEECH_SETTINGS,
} as const satisfies Record<string, Setting<unknown>>;

type Values = { [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> };

/** The effective configuration, read once at start. Paths are absolute. */
export interface Config extends Values {
  readonly databaseUrl: string;
  readonly mediaDir: string;
  /** Names of the variables that were set, for "the first that is configured" decisions. */
  readonly given: ReadonlySet<string>;
  /** Variables that are set and that Parley does not read, with names like those of settings. */
  readonly mistyped: readonly Mistyped[];
  /** Reads any other environment variable; for what a plugin declares in its configuration. */
  readonly variable: (name: string) => string | undefined;
  /** Version of the program, from package.json. */
  readonly version: string;
}

/** Names from elsewhere that are read when ours is unset. */
export const ALIASES: Readonly<Record<string, string>> = { SERVER_PORT: 'PORT', API_KEY: 'ELIZA_SERVER_AUTH_TOKEN' };
const READ: ReadonlySet<string> = new Set([...Object.values(SETTINGS).map(({ name }) => name), ...Object.values(ALIASES)]);
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Whether an address to listen on is reached from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

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
  const set = Object.keys(env).filter((name) => env[name] !== undefined);
  const mistyped = mistypedOf(set, READ, given);
  const config = { ...(values as Values), given, mistyped, version, variable: (name: string) => rawValue(env, name) };
  const dataDir = resolve(config.dataDir ?? '.');
  const databaseUrl = config.databaseUrl ?? `sqlite:${resolve(dataDir, 'parley.sqlite')}`;
  if (!/^(sqlite:.|postgres(ql)?:\/\/)/.test(databaseUrl)) {
    faults.push('DATABASE_URL must begin with sqlite: or postgres://');
  }
  if (faults.length === 0 && !isLoopback(config.host) && config.apiKey === undefined) {
    const similar = mistyped.find(({ meant }) => meant === 'API_KEY')?.name;
    const hint = similar === undefined ? '' : ` (${similar} is set: is API_KEY meant?)`;
    faults.push(`API_KEY must be set to listen on ${config.host}: without one only loopback addresses are allowed${hint}`);
  }
  if (faults.length > 0) {
    throw new AppError(
      'CONFIG_INVALID',
      `The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}.`,
      faults.join('; '),
    );
  }
  const mediaDir = resolve(config.mediaDir ?? resolve(dataDir, 'media'));
  return {
    ...config,
    dataDir,
    databaseUrl,
    mediaDir,
    envFile: resolve(config.envFile),
    charactersDir: resolve(config.charactersDir),
    pluginsDir: resolve(config.pluginsDir),
  };
}

/** The values that nobody but this process may see. */
export function secretsOf(config: Config): string[] {
  const secrets = Object.entries<Setting<unknown>>(SETTINGS).flatMap(([key, { secret: hidden }]) =>
    hidden ? [config[key as keyof Values]].flat() : [],
  );
  return secrets.filter((value) => typeof value === 'string');
}

function rawValue(env: Record<string, string | undefined>, name: string): string | undefined {
  for (const candidate of [name, ALIASES[name]]) {
    const raw = candidate === undefined ? undefined : env[candidate]?.trim();
    if (raw !== undefined && raw !== '') return raw;
  }
  return undefined;
}
