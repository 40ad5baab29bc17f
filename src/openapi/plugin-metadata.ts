import type { Type } from '@nestjs/common';
import { checksOf } from './checks.js';
import type { Schema } from './schema.js';

type Property = Schema & { type?: (() => unknown) | string };
type ByClass<T> = Record<string, Record<string, T>>;

/** What the compiler plugin of @nestjs/swagger read from the sources: classes, their properties and the controllers' methods. */
export interface PluginMetadata {
  '@nestjs/swagger': {
    models: [Promise<Record<string, Type>>, ByClass<Property>][];
    controllers: [Promise<Record<string, Type>>, ByClass<Record<string, unknown>>][];
  };
}

/** What the plugin passes over of a property: the TSDoc tag `@format`, and the type as it is written. */
interface PropertyNote {
  readonly format?: string;
  readonly schema?: Schema;
}

/** What the sources say about the API. */
export interface Sources {
  readonly metadata: PluginMetadata;
  /** By class. `open`: it has other fields too. */
  readonly notes: Record<string, { readonly open: boolean; readonly properties: Record<string, PropertyNote> }>;
  /** By controller and method, where that returns one of several things. */
  readonly returns: ByClass<Schema>;
}

// Where a schema waits that @nestjs/swagger would not take: it knows no property without a type.
const WRITTEN = 'x-written';

/** Puts the schemas of types as they are written in their place. */
export function settleWritten(schemas: Record<string, Schema>, { notes }: Sources): void {
  for (const [className, schema] of Object.entries(schemas)) {
    const { properties = {} } = schema;
    if (notes[className]?.open) schema.additionalProperties = true;
    for (const [name, { [WRITTEN]: written, type: _, ...property }] of Object.entries(properties)) {
      if (written !== undefined) properties[name] = { ...property, ...(written as Schema) };
    }
  }
}

/** Every class that the plugin read, by its name. */
export async function classesOf({ metadata }: Sources): Promise<Map<string, Type>> {
  const classes = new Map<string, Type>();
  for (const [file, named] of metadata['@nestjs/swagger'].models) {
    const exported = await file;
    for (const name of Object.keys(named)) classes.set(name, exported[name]!);
  }
  return classes;
}

/** Adds to what the plugin read the checks that stand on the properties, and the notes. @throws Error naming the properties that cannot be described */
export async function completed({ metadata, notes }: Sources): Promise<PluginMetadata> {
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

/** @returns false when nothing tells what the property is */
function complete(property: Property, note: PropertyNote, checks: { value: Schema; items: Schema } | undefined): boolean {
  const lazy = typeof property.type === 'function' ? property.type() : undefined;
  if (Array.isArray(lazy) && isPlain(lazy[0])) {
    const items = { type: (lazy[0] as { name: string }).name.toLowerCase(), ...(note.format ? { format: note.format } : {}) };
    Object.assign(property, { type: 'array', items: { ...items, ...checks?.items } });
  } else if (property.enum === undefined && typeof property.type !== 'string' && isUnclear(lazy)) {
    if (note.schema) {
      Object.assign(property, { type: 'object', [WRITTEN]: { ...note.schema, ...checks?.value } });
      return true;
    }
    if (Object.keys(checks?.value ?? {}).length === 0) return false;
  }
  if (note.format && !Array.isArray(lazy)) property.format = note.format;
  Object.assign(property, checks?.value);
  return true;
}

/** Whether the plugin could not tell, or told a list within a list, what @nestjs/swagger makes no schema of. */
function isUnclear(type: unknown): boolean {
  return Array.isArray(type) ? type[0] === Object || Array.isArray(type[0]) : type === Object || type === undefined;
}

function isPlain(type: unknown): boolean {
  return type === String || type === Number || type === Boolean;
}
