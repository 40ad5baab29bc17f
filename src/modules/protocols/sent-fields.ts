import { AppError } from '../../core/errors/index.js';

// Bodies of protocols contain unions that classes cannot describe. These functions read them, and name the field in the error.

/** @throws AppError VALIDATION_ERROR: `path what` */
export function refuseField(path: string, what: string, remedy?: string): never {
  throw new AppError('VALIDATION_ERROR', `${path} ${what}`, remedy);
}

/** @throws AppError VALIDATION_ERROR */
export function objectAt(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuseField(path, 'must be an object');
  return value as Record<string, unknown>;
}

/** @throws AppError VALIDATION_ERROR */
export function listAt(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) refuseField(path, 'must be a list');
  return value as unknown[];
}

/** @throws AppError VALIDATION_ERROR */
export function textAt(value: unknown, path: string): string {
  if (typeof value !== 'string') refuseField(path, 'must be a text');
  if (value.includes('\0')) refuseField(path, 'must not contain the character NUL');
  return value;
}

/** @throws AppError VALIDATION_ERROR */
export function filledTextAt(value: unknown, path: string): string {
  const text = textAt(value, path);
  if (text === '') refuseField(path, 'must not be empty');
  return text;
}

/** Refuses fields that are neither known nor null. @throws AppError VALIDATION_ERROR */
export function onlyFields(value: Record<string, unknown>, path: string, known: readonly string[]): void {
  const other = Object.keys(value).find((name) => !known.includes(name) && value[name] !== null && value[name] !== undefined);
  if (other !== undefined) refuseField(`${path}.${other}`, 'is not supported', `Leave it out. The fields are ${known.join(', ')}.`);
}

const TOOL_NAME = /^[\w-]{1,64}$/;

/** The name of a tool, which models can call. @throws AppError VALIDATION_ERROR */
export function toolNameAt(value: unknown, path: string): string {
  const name = textAt(value, path);
  if (!TOOL_NAME.test(name)) refuseField(path, 'must be 1 to 64 letters, digits, _ and -');
  return name;
}

/** The JSON Schema of a tool's input. @throws AppError VALIDATION_ERROR */
export function schemaAt(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return { type: 'object', properties: {} };
  const schema = objectAt(value, path);
  if (schema['type'] !== undefined && schema['type'] !== 'object') refuseField(`${path}.type`, 'must be object');
  return { type: 'object', ...schema };
}

/** Refuses names that occur twice. @throws AppError VALIDATION_ERROR */
export function distinctTools<T extends { readonly name: string }>(tools: readonly T[], path: string): readonly T[] {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) refuseField(path, `must not have two tools of the name ${twice}`);
  return tools;
}

/** A file in a `data:` URL. @throws AppError VALIDATION_ERROR for other addresses: the server does not load what a caller names */
export function dataUrlAt(value: unknown, path: string): string {
  const url = textAt(value, path);
  if (!/^data:[^,]*;base64,/i.test(url)) {
    refuseField(
      path,
      'must be a data: URL in base64',
      'This server does not load files from addresses that a caller names. Send the content itself.',
    );
  }
  return url;
}

/** The arguments of a call: the parsed JSON, or the text when it is none. */
export function inputOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
