import type { Type } from '@nestjs/common';
import { checksOf } from './checks.js';
import type { Schema } from './schema.js';

type Property = Schema & { type?: (() => unknown) | string };
type ByClass<T> = Record<string, Record<string, T>>;

/** Output of the compiler plugin of @nestjs/swagger: classes with their properties, and methods of controllers. */
export interface PluginMetadata {
  '@nestjs/swagger': {
    models: [Promise<Record<string, Type>>, ByClass<Property>][];
    controllers: [Promise<Record<string, Type>>, ByClass<Record<string, unknown>>][];
  };
}

/** Information on a property that the plugin ignores: the TSDoc tag `@format`, and the declared type. */
interface PropertyNote {
  readonly format?: string;
  readonly schema?: Schema;
}

/** Information on the API that is read from the sources. */
export interface Sources {
  readonly metadata: PluginMetadata;
  /** By class. `open`: additional fields are allowed. */
  readonly notes: Record<string, { readonly open: boolean; readonly properties: Record<string, PropertyNote> }>;
  /** Return types by controller and method, for methods that return a union, an array or a record. */
  readonly returns: ByClass<Schema>;
}

// Temporary key for schemas that @nestjs/swagger does not accept, because it requires a type for each property.
const WRITTEN_TYPE = 'x-written';

/** Moves the schemas of declared types from the temporary key to the properties. */
export function applyWrittenTypes(schemas: Record<string, Schema>, { notes }: Sources): void {
  for (const [className, schema] of Object.entries(schemas)) {
    const { properties = {} } = schema;
    if (notes[className]?.open) schema.additionalProperties = true;
    for (const [name, { [WRITTEN_TYPE]: written, type: _, ...property }] of Object.entries(properties)) {
      if (written !== undefined) properties[name] = { ...property, ...(written as Schema) };
    }
  }
}

/** All classes that the plugin has read, by name. */
export async function classesOf({ metadata }: Sources): Promise<Map<string, Type>> {
  const classes = new Map<string, Type>();
  for (const [file, named] of metadata['@nestjs/swagger'].models) {
    const exported = await file;
    for (const name of Object.keys(named)) classes.set(name, exported[name]!);
  }
  return classes;
}

/** Adds the checks of the properties and the notes to the plugin's metadata. @throws Error naming properties that cannot be described */
export async function completeMetadata({ metadata, notes }: Sources): Promise<PluginMetadata> {
  const faults: string[] = [];
  for (const [file, classes] of metadata['@nestjs/swagger'].models) {
    const exported = await file;
    for (const [name, properties] of Object.entries(classes)) {
      const checks = checksOf(exported[name]!);
      for (const [key, property] of Object.entries(properties)) {
        if (!complete(property, { ...notes[name]?.properties[key] }, checks.get(key))) faults.push(`${name}.${key}`);
      }
    }
  }
  if (faults.length > 0) {
    throw new Error(
      `The document cannot show the type of ${faults.join(', ')}. ` +
        'Use a class of a *.dto.ts, a plain type, literal texts, Record<string, unknown> or unknown (CONTRIBUTING.md).',
    );
  }
  return metadata;
}

/** @returns false when the type of the property is unknown */
function complete(property: Property, note: PropertyNote, checks: { value: Schema; items: Schema } | undefined): boolean {
  const lazy = typeof property.type === 'function' ? property.type() : undefined;
  if (Array.isArray(lazy) && isPlain(lazy[0])) {
    const items = { type: (lazy[0] as { name: string }).name.toLowerCase(), ...(note.format ? { format: note.format } : {}) };
    Object.assign(property, { type: 'array', items: { ...items, ...checks?.items } });
  } else if (property.enum === undefined && typeof property.type !== 'string' && isUnclear(lazy)) {
    if (note.schema) {
      Object.assign(property, { type: 'object', [WRITTEN_TYPE]: { ...note.schema, ...checks?.value } });
      return true;
    }
    if (Object.keys(checks?.value ?? {}).length === 0) return false;
  }
  if (note.format && !Array.isArray(lazy)) property.format = note.format;
  Object.assign(property, checks?.value);
  return true;
}

/** Whether the plugin could not determine the type, or found nested lists, which @nestjs/swagger does not support. */
function isUnclear(type: unknown): boolean {
  return Array.isArray(type) ? type[0] === Object || Array.isArray(type[0]) : type === Object || type === undefined;
}

function isPlain(type: unknown): boolean {
  return type === String || type === Number || type === Boolean;
}
