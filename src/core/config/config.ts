import { AppError } from '../errors/index.js';
import { findMistyped, type Mistyped } from './mistyped.js';
import {
  address,
  choice,
  database,
  hosts,
  integer,
  natsServers,
  networks,
  origins,
  path,
  secret,
  text,
  type Setting,
  type Settings,
  type SettingValues,
} from './settings.js';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** The settings of core. A module declares its own and names them in its descriptor. */
const CORE_SETTINGS = {
  host: text('SERVER_HOST', '127.0.0.1', { about: 'Address to listen on. Addresses beyond loopback require an API_KEY.' }),
  port: integer(
    'SERVER_PORT',
    3000,
    { min: 0, max: 65535 },
    { alias: 'PORT', about: 'Port to listen on; 0 selects a free port. Falls back to PORT.' },
  ),
  publicUrl: address('SERVER_URL', undefined, {
    about: 'Public address of this server.',
    shownDefault: 'http://SERVER_HOST:SERVER_PORT',
  }),
  dataDir: path('DATA_DIR', './data', { about: 'Folder of the SQLite file, uploads, keys and backups.' }),
  databaseUrl: database('DATABASE_URL', 'parley.sqlite', {
    about: 'Database: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
  }),
  databasePoolSize: integer(
    'DATABASE_POOL_SIZE',
    10,
    { min: 2, max: 200 },
    { about: 'Connections to PostgreSQL. SQLite always has one writer and one reader.' },
  ),
  eventsUrl: natsServers('EVENTS_URL', {
    about:
      'NATS server over which servers that share a PostgreSQL database tell each other of new events, or several of one cluster, comma-separated: nats://HOST:PORT or tls://HOST:PORT, with USER:PASSWORD@ or TOKEN@ before the host where needed. Unset: notifications of PostgreSQL.',
  }),
  upgradeBackups: integer(
    'UPGRADE_BACKUPS',
    3,
    { min: 0, max: 1000 },
    { about: 'Number of database copies from before schema changes to keep; 0 disables these copies.' },
  ),
  upgradeRollbackMinutes: integer(
    'UPGRADE_ROLLBACK_MINUTES',
    10,
    { min: 0, max: 43_200 },
    {
      about:
        'On PostgreSQL, how long the previous version can still be started after its last server has stopped, minutes. Then the upgrade is completed.',
    },
  ),
  envFile: path('ENV_FILE', './.env', {
    about: 'File of environment variables that is read at start. Variables that are already set take precedence.',
  }),
  apiKey: secret('API_KEY', {
    alias: 'ELIZA_SERVER_AUTH_TOKEN',
    about: 'Administrator key that callers send as X-API-KEY or Authorization: Bearer. Falls back to ELIZA_SERVER_AUTH_TOKEN.',
  }),
  corsOrigins: origins('CORS_ORIGIN', { about: 'Origins from which browsers may call the API, comma-separated; * allows all.' }),
  allowedHosts: hosts('ALLOWED_HOSTS', {
    about:
      'Host names that the server accepts in addition to localhost and the host of SERVER_URL, comma-separated. Unset: no others on loopback, all others elsewhere.',
  }),
  trustedProxies: networks('TRUSTED_PROXIES', {
    about: 'Proxies whose X-Forwarded-For header is trusted: addresses, networks or loopback, comma-separated.',
  }),
  apiDialect: choice('API_DIALECT', 'spec', ['spec', 'eliza'], {
    about: 'Response format where the specification and the official client differ. The header X-API-Dialect overrides it per request.',
  }),
  bodyLimitBytes: integer(
    'BODY_LIMIT_BYTES',
    2 * 1024 * 1024,
    { min: 1024, max: 1024 * 1024 * 1024 },
    { about: 'Maximum size of a JSON body, bytes.' },
  ),
  bodyBufferBytes: integer(
    'BODY_BUFFER_BYTES',
    128 * 1024 * 1024,
    { min: 1024 * 1024, max: 64 * 1024 * 1024 * 1024 },
    { about: 'Maximum memory for all request bodies that are received or in use, bytes; others get 503.' },
  ),
  bodyBufferBytesPerAddress: integer(
    'BODY_BUFFER_BYTES_PER_ADDRESS',
    64 * 1024 * 1024,
    { min: 1024 * 1024, max: 64 * 1024 * 1024 * 1024 },
    { about: 'Maximum memory for the request bodies of one address, bytes; others get 429. At least the size of the largest recording.' },
  ),
  bodyTimeoutMs: integer(
    'BODY_TIMEOUT_MS',
    30_000,
    { min: 100, max: 3_600_000 },
    { about: 'Time limit for receiving a request body, and again for each MiB of a larger one, ms; later ones get 408.' },
  ),
  responseBufferBytes: integer(
    'RESPONSE_BUFFER_BYTES',
    256 * 1024 * 1024,
    { min: 1024 * 1024, max: 64 * 1024 * 1024 * 1024 },
    {
      about:
        'Maximum unread data of all responses, and of all sockets, bytes; beyond it long responses get 503 and slow sockets are closed.',
    },
  ),
  responseBufferBytesPerAddress: integer(
    'RESPONSE_BUFFER_BYTES_PER_ADDRESS',
    64 * 1024 * 1024,
    { min: 1024 * 1024, max: 64 * 1024 * 1024 * 1024 },
    { about: 'The same for one client address. Behind a proxy, set TRUSTED_PROXIES, otherwise all clients have the address of the proxy.' },
  ),
  headersTimeoutMs: integer(
    'HEADERS_TIMEOUT_MS',
    60_000,
    { min: 100, max: 3_600_000 },
    { about: 'Time limit for receiving the headers of a request, ms; later requests get 408.' },
  ),
  requestTimeoutMs: integer(
    'REQUEST_TIMEOUT_MS',
    300_000,
    { min: 100, max: 86_400_000 },
    { about: 'Time limit for receiving a whole request, uploads included, ms; later requests get 408.' },
  ),
  keepAliveTimeoutMs: integer(
    'KEEP_ALIVE_TIMEOUT_MS',
    65_000,
    { min: 100, max: 3_600_000 },
    { about: 'Idle time between requests after which a connection is closed, ms. Set it higher than the idle timeout of your proxy.' },
  ),
  sendTimeoutMs: integer(
    'SEND_TIMEOUT_MS',
    30_000,
    { min: 100, max: 3_600_000 },
    { about: 'Time after which a connection is closed when its client reads nothing of a pending response, ms.' },
  ),
  logLevel: choice('LOG_LEVEL', 'info', LEVELS, { editable: true, about: 'Minimum log level.' }),
  logFormat: choice('LOG_FORMAT', 'auto', ['auto', 'json', 'pretty'], {
    about: 'Format of the log on standard output: JSON lines, or lines for people. auto: pretty in a terminal, json elsewhere.',
  }),
  noColor: text('NO_COLOR', undefined, { about: 'Any value turns off the colours of the log in a terminal.' }),
  shutdownGraceMs: integer(
    'SHUTDOWN_GRACE_MS',
    10_000,
    { min: 0, max: 600_000 },
    { about: 'Time that running turns, and turns of other processes that clients wait for, have to finish at shutdown, ms.' },
  ),
  drainMs: integer(
    'DRAIN_MS',
    0,
    { min: 0, max: 600_000 },
    {
      about:
        'Time before shutdown during which /readyz fails and everything is still served, so that load balancers send requests elsewhere, ms. Behind a load balancer: 5000 to 15000.',
    },
  ),
} as const satisfies Settings;

type CoreConfig = SettingValues<typeof CORE_SETTINGS>;

const settings = new Map<string, Setting<unknown>>(Object.entries(CORE_SETTINGS));

/** Adds the settings of a module. @throws Error when another module already defines one of them */
export function registerSettings(added: Settings): void {
  for (const [key, setting] of Object.entries(added)) {
    const same = [...settings].find(([other, { name }]) => other === key || name === setting.name)?.[1] ?? setting;
    if (same !== setting) throw new Error(`setting ${key} (${setting.name}) is defined twice`);
    settings.set(key, setting);
  }
}

/** The settings of core, for the reference. */
export function coreSettings(): Settings {
  return CORE_SETTINGS;
}

/** Every registered setting: those of core first, then module by module. */
export function registeredSettings(): Setting<unknown>[] {
  return [...settings.values()];
}

/** The values of the variables that are set, by name; `[hidden]` in place of secrets. Other values may contain a credential: redact them. */
export function publicSettings(config: Config): Record<string, unknown> {
  const values = config as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    [...settings]
      .filter(([, { name }]) => config.setVariables.has(name))
      .map(([key, { name, secret: isSecret }]) => [
        name,
        isSecret ? '[hidden]' : values[key] instanceof Map ? Object.fromEntries(values[key]) : values[key],
      ]),
  );
}

/**
 * The effective configuration, read once at start. Paths are absolute. A module adds the values of its settings by declaration
 * merging: `interface Config extends SettingValues<typeof X_SETTINGS>`.
 */
export interface Config extends CoreConfig {
  /** Names of the settings that are set, for providers that are chosen by "the first that is configured". */
  readonly setVariables: ReadonlySet<string>;
  /** Variables that are set, that Parley does not read, and whose names resemble settings. */
  readonly mistyped: readonly Mistyped[];
  /** Reads any other environment variable; for variables that a plugin declares in its configuration. */
  readonly variable: (name: string) => string | undefined;
  /** Version of the program, from package.json. */
  readonly version: string;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** Whether a listening address accepts connections from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host);
}

/**
 * Reads the environment into one typed object.
 *
 * @throws AppError CONFIG_INVALID naming every invalid variable
 */
export function loadConfig(env: Record<string, string | undefined>, version: string): Config {
  const faults: string[] = [];
  const given = new Set<string>();
  const values: Record<string, unknown> = {};
  const dataDir = CORE_SETTINGS.dataDir.read(rawValue(env, 'DATA_DIR'), '');
  for (const [key, setting] of settings) {
    const raw = rawValue(env, setting.name, setting.alias);
    if (raw !== undefined) given.add(setting.name);
    try {
      values[key] = setting.read(raw, dataDir);
    } catch (error) {
      faults.push(`${setting.name} ${(error as Error).message}`);
    }
  }
  const set = Object.keys(env).filter((name) => env[name] !== undefined);
  const read = new Set(registeredSettings().flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias])));
  const mistyped = findMistyped(set, read, given);
  const { host, apiKey } = values as unknown as CoreConfig;
  if (faults.length === 0 && !isLoopback(host) && apiKey === undefined) {
    const similar = mistyped.find(({ suggestion }) => suggestion === 'API_KEY')?.name;
    const hint = similar === undefined ? '' : ` (${similar} is set; did you mean API_KEY?)`;
    faults.push(`API_KEY must be set to listen on ${host}: without a key only loopback addresses are allowed${hint}`);
  }
  if (faults.length > 0) {
    throw new AppError(
      'CONFIG_INVALID',
      `The configuration has ${faults.length === 1 ? 'an error' : `${faults.length} errors`}.`,
      faults.join('; '),
    );
  }
  return { ...(values as unknown as Config), setVariables: given, mistyped, version, variable: (name) => rawValue(env, name) };
}

/** The values of all settings that are secret. */
export function secretsOf(config: Config): string[] {
  const secrets = [...settings].flatMap(([key, { secret: hidden }]) => (hidden ? textsOf(config[key as keyof Config]) : []));
  return secrets.filter((value) => typeof value === 'string');
}

/** A secret is one text, a list, or the values of pairs. */
function textsOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [value];
}

function rawValue(env: Record<string, string | undefined>, ...names: (string | undefined)[]): string | undefined {
  for (const name of names) {
    const raw = name === undefined ? undefined : env[name]?.trim();
    if (raw !== undefined && raw !== '') return raw;
  }
  return undefined;
}
