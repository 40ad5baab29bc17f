import type { ConfigField, Plugin } from '../../plugin-sdk/index.js';
import type { Manifest } from './plugin-package.js';

type Value = string | number | boolean | null;

/** Variables that no plugin can read, even if it declares them. */
const SERVER_VARIABLES = ['API_KEY', 'ELIZA_SERVER_AUTH_TOKEN', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'DATABASE_URL'];

/** A setting in the package.json of an elizaOS package. */
interface Parameter {
  readonly default?: unknown;
  readonly required: boolean;
  readonly secret: boolean;
}

/** Hides the server's own variables from plugins. */
export function withoutServerVariables(variable: (name: string) => string | undefined): (name: string) => string | undefined {
  return (name) => (SERVER_VARIABLES.includes(name.toUpperCase()) ? undefined : variable(name));
}

/** Reads `agentConfig.pluginParameters` of a package.json; a malformed entry declares only the name. */
export function readParameters({ agentConfig }: Manifest = {}): ReadonlyMap<string, Parameter> {
  const declared = isObject(agentConfig) ? (agentConfig as { pluginParameters?: unknown }).pluginParameters : undefined;
  return new Map(
    Object.entries(isObject(declared) ? declared : {}).map(([name, given]) => {
      const { default: fallback, required, sensitive } = (isObject(given) ? given : {}) as Record<string, unknown>;
      return [name, { default: fallback, required: required === true, secret: sensitive === true }];
    }),
  );
}

/** Values of settings that only the package.json declares: the environment variable, else the default. */
export function parameterValues(
  { config = {} }: Plugin,
  parameters: ReadonlyMap<string, Parameter>,
  variable: (name: string) => string | undefined,
): Map<string, Value> {
  return new Map(
    [...parameters].flatMap(([name, { default: fallback }]) => {
      if (Object.hasOwn(config, name)) return [];
      const value = variable(name) ?? (['string', 'number', 'boolean'].includes(typeof fallback) ? (fallback as Value) : undefined);
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

/**
 * The values of a plugin's declared settings: the environment variable, else the default.
 *
 * @param variable reads an environment variable; called only with declared names
 * @throws Error naming every setting that is missing or has the wrong type
 */
export function pluginConfig({ config = {} }: Plugin, variable: (name: string) => string | undefined): Map<string, Value> {
  const values = new Map<string, Value>();
  const errors: string[] = [];
  for (const [name, declared] of Object.entries(config)) {
    const field: ConfigField = typeof declared === 'object' && declared !== null ? declared : { default: declared ?? null };
    if (SERVER_VARIABLES.includes(name.toUpperCase())) {
      errors.push(`${name} is reserved for the server: use another name`);
      continue;
    }
    const given = variable(name);
    const value = given === undefined ? (field.default ?? null) : typed(given, field.type);
    if (value === undefined) errors.push(`${name} must be a ${field.type}`);
    else if (value === null && field.required === true) errors.push(`${name} must be set`);
    else values.set(name, value);
  }
  if (errors.length > 0) throw new Error(`its configuration is incomplete: ${errors.join('; ')}`);
  return values;
}

/** Names of the settings that a plugin or its package declares as secret. */
export function pluginSecretNames({ config = {} }: Plugin, parameters: ReadonlyMap<string, Parameter>): string[] {
  const own = Object.entries(config).flatMap(([name, declared]) =>
    typeof declared === 'object' && declared?.secret === true ? [name] : [],
  );
  return [...own, ...[...parameters].flatMap(([name, { secret }]) => (secret ? [name] : []))];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function typed(text: string, type: ConfigField['type']): Value | undefined {
  if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text;
}
