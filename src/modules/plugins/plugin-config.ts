import type { ConfigField, Plugin } from '../../plugin-sdk/index.js';
import type { Manifest } from './plugin-package.js';

type Value = string | number | boolean | null;

/** What no plugin gets, whatever it declares. */
const OWN = ['API_KEY', 'ELIZA_SERVER_AUTH_TOKEN', 'SECRET_KEY', 'SECRET_KEY_PREVIOUS', 'DATABASE_URL'];

/** A setting that a package of elizaOS declares in its package.json. */
interface Parameter {
  readonly default?: unknown;
  readonly required: boolean;
  readonly secret: boolean;
}

/** Reads an environment variable for a plugin. */
export function forPlugins(variable: (name: string) => string | undefined): (name: string) => string | undefined {
  return (name) => (OWN.includes(name.toUpperCase()) ? undefined : variable(name));
}

/** What `agentConfig.pluginParameters` of a package.json declares; a malformed entry declares the name alone. */
export function parametersOf({ agentConfig }: Manifest = {}): ReadonlyMap<string, Parameter> {
  const declared = isObject(agentConfig) ? (agentConfig as { pluginParameters?: unknown }).pluginParameters : undefined;
  return new Map(
    Object.entries(isObject(declared) ? declared : {}).map(([name, given]) => {
      const { default: fallback, required, sensitive } = (isObject(given) ? given : {}) as Record<string, unknown>;
      return [name, { default: fallback, required: required === true, secret: sensitive === true }];
    }),
  );
}

/** The settings of a package that its plugin object does not declare itself: the environment's value, else the default. */
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
 * A plugin's configuration: for each name that it declares the environment's value, else its default.
 *
 * @param variable reads an environment variable; only declared names are asked for
 * @throws Error naming every field that is missing or has the wrong type
 */
export function pluginConfig({ config = {} }: Plugin, variable: (name: string) => string | undefined): Map<string, Value> {
  const values = new Map<string, Value>();
  const faults: string[] = [];
  for (const [name, declared] of Object.entries(config)) {
    const field: ConfigField = typeof declared === 'object' && declared !== null ? declared : { default: declared ?? null };
    if (OWN.includes(name.toUpperCase())) {
      faults.push(`${name} belongs to the server and is given to no plugin: take another name`);
      continue;
    }
    const given = variable(name);
    const value = given === undefined ? (field.default ?? null) : typed(given, field.type);
    if (value === undefined) faults.push(`${name} must be a ${field.type}`);
    else if (value === null && field.required === true) faults.push(`${name} must be set`);
    else values.set(name, value);
  }
  if (faults.length > 0) throw new Error(`its configuration is incomplete: ${faults.join('; ')}`);
  return values;
}

/** Names of the settings that a plugin declares to be secret, in its object or in its package. */
export function secretNames({ config = {} }: Plugin, parameters: ReadonlyMap<string, Parameter>): string[] {
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
