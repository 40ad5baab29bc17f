import { isLoopback } from '../../core/config/index.js';
import { engineOf } from '../../core/database/index.js';
import { Findings, type Check, type Finding } from './finding.js';

const STRONG_KEY = 20;
const GUESSABLE =
  /^(.)\1*$|^(password|passwort|secret|changeme|change-me|admin|administrator|parley|letmein|test|dev|key|api-?key|token)[\W\d_]*$/i;

/** Whether a key can be guessed: short, one character repeated, or a usual word. */
function isWeak(key: string): boolean {
  return key.length < STRONG_KEY || new Set(key).size < 8 || GUESSABLE.test(key);
}

const NEW_KEY = 'openssl rand -hex 32';

export const credentials: Check = ({ config }) => {
  const found = new Findings('credentials');
  const { apiKey, host, publicUrl, trustedProxies } = config;
  const isPublic = !isLoopback(host) || (publicUrl !== undefined && !isLoopback(hostOf(publicUrl))) || trustedProxies.length > 0;
  if (apiKey === undefined) {
    const remedy = `Set API_KEY, for example to the output of ${NEW_KEY}.`;
    if (isPublic) found.error('API_KEY is not set, so every caller of the public address is the administrator.', remedy);
    else found.warning('API_KEY is not set, so every program on this machine is the administrator.', remedy);
  } else if (isWeak(apiKey)) {
    const remedy = `Set API_KEY to at least ${STRONG_KEY} random characters, for example the output of ${NEW_KEY}.`;
    if (isPublic) found.error('API_KEY can be guessed.', remedy);
    else found.warning('API_KEY can be guessed.', remedy);
  }
  if (config.userTokenSecret !== undefined && new Set(config.userTokenSecret).size < 8) {
    found.error('USER_TOKEN_SECRET can be guessed, so everyone can sign in as any user.', `Set it to the output of ${NEW_KEY}.`);
  }
  if (config.secretKey !== undefined && new Set(config.secretKey).size < 8) {
    found.error('SECRET_KEY can be guessed.', `Set it to the output of ${NEW_KEY}, and the present key in SECRET_KEY_PREVIOUS.`);
  }
  if (config.rateLimit === 'off') found.warning('Rate limits are off.', 'Set RATE_LIMIT to auto.');
  return found.orOk('API_KEY is set and cannot be guessed.');
};

export const transport: Check = ({ config }) => {
  const found = new Findings('transport');
  const { host, publicUrl, trustedProxies, allowedHosts } = config;
  if (publicUrl === undefined) {
    found.warning(
      'SERVER_URL is not set, so addresses of files name the machine itself.',
      'Set SERVER_URL to the public address, https://…, of the proxy in front that ends TLS.',
    );
    if (!isLoopback(host)) {
      found.error(`The server listens on ${host} without TLS.`, 'Set SERVER_HOST=127.0.0.1, and a proxy with TLS in front.');
    }
  } else if (!publicUrl.startsWith('https://') && !isLoopback(hostOf(publicUrl))) {
    found.error(
      'SERVER_URL is not https, so keys and conversations can be read on the way.',
      'Put a proxy with TLS in front of the server, and set SERVER_URL to its https address.',
    );
  } else if (trustedProxies.length === 0 && publicUrl.startsWith('https://')) {
    found.warning(
      'TRUSTED_PROXIES is not set, so all callers have the address of the proxy and share its rate limits.',
      'Set TRUSTED_PROXIES to the address or network of the proxy, or loopback when it runs on this machine.',
    );
  }
  if (!isLoopback(host) && allowedHosts.length === 0) {
    found.warning(
      `The server listens on ${host} and accepts requests for any host name.`,
      'Set ALLOWED_HOSTS to the names under which it is called.',
    );
  }
  if (config.corsOrigins.includes('*')) {
    found.warning('Pages of every origin may call the API.', 'Set CORS_ORIGIN to the origins of your own pages.');
  }
  return found.orOk(
    publicUrl?.startsWith('https://') === true
      ? 'SERVER_URL is https, with a trusted proxy in front.'
      : `SERVER_URL is ${publicUrl ?? 'not set'}: the server is reached from this machine only.`,
  );
};

export const operation: Check = ({ config }) => {
  const found = new Findings('operation');
  const { logLevel } = config;
  if (logLevel === 'trace' || logLevel === 'debug') {
    found.warning(`LOG_LEVEL is ${logLevel}, which slows the server and fills disks.`, 'Set LOG_LEVEL=info.');
  }
  if (['error', 'fatal', 'silent'].includes(logLevel)) {
    found.warning(`LOG_LEVEL is ${logLevel}, so warnings are lost.`, 'Set LOG_LEVEL=info.');
  }
  if (config.pluginsWatch) found.warning('PLUGINS_WATCH is for development.', 'Unset PLUGINS_WATCH.');
  if (config.runPrompts) {
    found.warning('Each run keeps the prompts that were sent to the model.', 'Unset RUN_PROMPTS unless you need them.');
  }
  if (config.upgradeBackups === 0) {
    found.warning('Upgrades make no copy of the database.', 'Unset UPGRADE_BACKUPS, or make a backup before each upgrade.');
  }
  if (engineOf(config.databaseUrl) === 'postgres' && config.drainMs === 0) {
    found.warning(
      'A server that stops refuses requests before its load balancer knows.',
      'Set DRAIN_MS to 5000 to 15000 when several servers run.',
    );
  }
  for (const { name, suggestion } of config.mistyped) found.warning(`Parley does not read ${name}.`, `Did you mean ${suggestion}?`);
  return found.orOk('Nothing is set that is meant for development.');
};

export const models: Check = ({ config }) => {
  const found = new Findings('models');
  const { modelProvider, setVariables } = config;
  const has = (...names: string[]): boolean => names.some((name) => setVariables.has(name));
  const keys: Record<string, string[]> = { openai: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'], anthropic: ['ANTHROPIC_API_KEY'] };
  const needed = keys[modelProvider] ?? [];
  if (needed.length > 0 && !has(...needed)) {
    found.error(`MODEL_PROVIDER is ${modelProvider}, but ${needed[0]} is not set.`, `Set ${needed.join(' or ')}.`);
  }
  const isOffline =
    modelProvider === 'auto' && !has('OPENAI_API_KEY', 'OPENAI_BASE_URL', 'ANTHROPIC_API_KEY', 'OLLAMA_MODEL', 'OLLAMA_BASE_URL');
  if (isOffline || modelProvider === 'offline') {
    found.warning(
      'No language model is configured, so agents reply from their knowledge only, unless a character has a service of its own.',
      'Set OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY or OLLAMA_MODEL.',
    );
  }
  return found.orOk('A language model is configured.');
};

/** The faults of a configuration that cannot be loaded. */
export function configurationErrors(details: string): Finding[] {
  const found = new Findings('configuration');
  for (const fault of details.split('; ')) {
    found.error(`${fault}.`, `Correct ${fault.split(' ')[0] ?? 'it'}; docs/reference/config.md describes it.`);
  }
  return found.list;
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}
