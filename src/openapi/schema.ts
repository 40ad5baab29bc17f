/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  example?: unknown;
  examples?: unknown[];
  default?: unknown;
  minimum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  description?: string;
  [word: string]: unknown;
}

type Schemas = Readonly<Record<string, Schema>>;

const BY_FORMAT: Record<string, unknown> = {
  uuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  'date-time': '2026-01-31T12:00:00.000Z',
  uri: 'https://example.org/picture.png',
  binary: '(bytes)',
};
// Examples by field name, more expressive than "text" and 0. The first match counts.
const BY_NAME: readonly (readonly [name: RegExp, type: string, example: unknown])[] = [
  [/^(id|.*Id|.*_id)$/, 'string', BY_FORMAT['uuid']],
  [/^(.*At|timestamp)$/, 'string', BY_FORMAT['date-time']],
  [/^(.*At|.*_at|time|timestamp)$/, 'number', 1_769_860_800_000],
  [/^(name|.*Name)$/, 'string', 'Ada'],
  [/^(content|text|message|prompt)$/, 'string', 'Which tea is green?'],
  [/^(url|path)$/, 'string', '/media/uploads/agents/3f2504e0-4f89-41d3-9a0c-0305e82c3301/1769860800000.png'],
];
const MAX_DEPTH = 6;

/** An example for a schema: one of its own examples, or else a simple value. */
export function exampleOf(schema: Schema, schemas: Schemas, depth = 0, name = ''): unknown {
  const { $ref } = schema;
  if ($ref !== undefined) return depth > MAX_DEPTH ? undefined : exampleOf(schemas[$ref.split('/').at(-1)!] ?? {}, schemas, depth + 1);
  const given = schema.examples?.[0] ?? schema.example ?? schema.const ?? schema.enum?.[0] ?? schema.default;
  if (given !== undefined) return given;
  const named =
    schema.format === undefined ? BY_NAME.find(([pattern, type]) => [schema.type].flat().includes(type) && pattern.test(name)) : undefined;
  if (named) return named[2];
  if (schema.maxItems === 0) return [];
  const either = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (either) return exampleOf(either, schemas, depth);
  if (schema.allOf) {
    const parts = schema.allOf.map((part) => exampleOf(part, schemas, depth));
    return parts.length === 1 ? parts[0] : Object.assign({}, ...parts, objectOf(schema, schemas, depth));
  }
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return objectOf(schema, schemas, depth);
    case 'array': {
      const item = exampleOf(schema.items ?? {}, schemas, depth);
      return item === undefined ? [] : [item];
    }
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? 'text';
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return {};
  }
}

function objectOf(schema: Schema, schemas: Schemas, depth: number): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, exampleOf(part, schemas, depth, name)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}
