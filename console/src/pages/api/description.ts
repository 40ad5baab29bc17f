// The server's description of itself (OpenAPI 3.1), in the parts that the page shows.
import { parley } from '../../api.js';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface ResponseOf {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface OperationFields {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly tags: readonly [string];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, ResponseOf>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationFields>>>>;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ResponseOf>>;
  };
}

export interface Operation extends OperationFields {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  /** Scope that a credential needs; undefined where none is needed. */
  readonly scope: string | undefined;
}

export interface Description {
  readonly groups: readonly { readonly name: string; readonly about: string; readonly operations: readonly Operation[] }[];
  readonly components: Document['components'];
}

/** @throws ParleyError */
export async function loadDescription(signal: AbortSignal): Promise<Description> {
  const response = await parley.http.request({ method: 'GET', path: '/api/openapi.json', signal });
  const { paths, tags, components } = (await response.json()) as Document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, fields]): Operation => {
      const open = fields.security.length === 0 || fields.security.some((way) => Object.keys(way).length === 0);
      return { ...fields, path, method: method.toUpperCase(), scope: open ? undefined : Object.values(fields.security[0] ?? {})[0]?.[0] };
    }),
  );
  const groups = tags.map(({ name, description = '' }) => ({
    name,
    about: description,
    operations: operations.filter((operation) => operation.tags[0] === name),
  }));
  const used = groups.filter((group) => group.operations.length > 0);
  return { groups: used.sort((a, b) => a.name.localeCompare(b.name)), components };
}

const NAME = /[^/]+$/;

/** A schema with what it refers to, and with all parts that it must fulfil in one. */
export function resolved(schema: Schema, { schemas }: Description['components']): Schema {
  const { $ref, allOf = [], ...rest } = schema;
  const parts = [...($ref === undefined ? [] : [schemas[NAME.exec($ref)?.[0] ?? ''] ?? {}]), ...allOf];
  if (parts.length === 0) return schema;
  const all = [...parts.map((part) => resolved(part, { schemas, responses: {} })), rest];
  const properties = Object.assign({}, ...all.map((part) => part.properties)) as Schema['properties'];
  const required = [...new Set(all.flatMap((part) => part.required ?? []))];
  return { ...(Object.assign({}, ...all) as Schema), ...(Object.keys(properties ?? {}).length > 0 && { properties, required }) };
}

export function responseOf(response: ResponseOf, { responses }: Description['components']): ResponseOf {
  return response.$ref === undefined ? response : (responses[NAME.exec(response.$ref)?.[0] ?? ''] ?? {});
}

/** What a schema accepts, in short: `string (uuid)`, `list of integer`, `A | B`. */
export function typeText(schema: Schema, components: Description['components']): string {
  const whole = resolved(schema, components);
  const { type, format, items, anyOf, oneOf, enum: values } = whole;
  if (whole.const !== undefined) return JSON.stringify(whole.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map((choice) => typeText(choice, components)))].join(' | ');
  const names = type === undefined ? (whole.properties ? ['object'] : ['any']) : [type].flat();
  const text = names.map((name) => (name === 'array' && items ? `${typeText(items, components)}[]` : name)).join(' | ');
  return format === undefined ? text : `${text} (${format})`;
}

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern', 'default'] as const;

/** The limits of a schema, by their names in JSON Schema. */
export function limitsText(schema: Schema): string {
  return LIMITS.filter((name) => schema[name] !== undefined)
    .map((name) => `${name} ${String(schema[name])}`)
    .join(' · ');
}

/** The schemas with properties inside a schema: itself, of its items, or of its choices. */
export function objectsIn(schema: Schema, components: Description['components']): readonly Schema[] {
  const whole = resolved(schema, components);
  if (whole.properties) return [whole];
  const inner = [...(whole.items ? [whole.items] : []), ...(whole.anyOf ?? []), ...(whole.oneOf ?? [])];
  return inner.flatMap((one) => objectsIn(one, components));
}

/** Examples of a body: with the fields that it needs, and with all. They are the same text where all or none are needed. */
export function bodyExamples({ schema = {}, example }: Content, components: Description['components']): { needed: string; all: string } {
  const text = (value: unknown): string => JSON.stringify(value ?? {}, null, 2);
  const { required = [] } = resolved(schema, components);
  if (required.length === 0 || typeof example !== 'object' || example === null) return { needed: text(example), all: text(example) };
  return { needed: text(Object.fromEntries(Object.entries(example).filter(([name]) => required.includes(name)))), all: text(example) };
}
