import type { ConfigField, Plugin } from '../../plugin-sdk/index.js';

type Value = string | number | boolean | null;

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
    const given = variable(name);
    const value = given === undefined ? (field.default ?? null) : typed(given, field.type);
    if (value === undefined) faults.push(`${name} must be a ${field.type}`);
    else if (value === null && field.required === true) faults.push(`${name} must be set`);
    else values.set(name, value);
  }
  if (faults.length > 0) throw new Error(`its configuration is incomplete: ${faults.join('; ')}`);
  return values;
}

/** The values of the fields that the plugin declares to be secret. */
export function secretValues({ config = {} }: Plugin, values: ReadonlyMap<string, Value>): Value[] {
  return Object.entries(config).flatMap(([name, declared]) =>
    typeof declared === 'object' && declared?.secret === true ? [values.get(name) ?? null] : [],
  );
}

function typed(text: string, type: ConfigField['type']): Value | undefined {
  if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text;
}
