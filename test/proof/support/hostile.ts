import fc from 'fast-check';

const deep = (depth: number): unknown => {
  let value: unknown = 'end';
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Values that break what is written for the usual ones. */
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  9_999_999_999_999_999,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '\u202e\u200b\ufeff',
  '👩‍👩‍👧‍👦'.repeat(200),
  'x'.repeat(100_000),
  '__proto__',
  'constructor',
  "'; DROP TABLE messages; --",
  '" OR 1=1 --',
  '%00',
  '../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data',
  '$' + '{jndi:ldap://x}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  'a'.repeat(50) + '!',
  '00000000-0000-0000-0000-000000000000',
  'NaN',
  [],
  {},
  [null],
  [[]],
  deep(500),
  Array.from({ length: 10_000 }, (_, index) => index),
  { __proto__: null, constructor: { prototype: { polluted: true } } },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { toString: 1, valueOf: 1, length: -1, then: 'x' },
];

/** Bodies that are no JSON values of their own: sent as they stand. */
export const HOSTILE_BODIES: readonly string[] = [
  '{',
  '[',
  '"',
  'nul',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true}}',
  '['.repeat(20_000) + ']'.repeat(20_000),
  '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000),
  `{"content":"${'\\u0000'.repeat(100)}"}`,
  '{"content":"\\ud800"}',
  '1e99999',
  `[${'0,'.repeat(200_000)}0]`,
  '\ufeff{}',
  '{}{}',
  '{"content":1e400}',
];

/** Path segments. */
export const HOSTILE_SEGMENTS: readonly string[] = [
  '%00',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '..%5c..%5cetc',
  '%ff%fe',
  '%',
  '%zz',
  "'",
  '%27%20OR%201%3D1',
  'all',
  'worlds',
  'health',
  '00000000-0000-0000-0000-000000000000',
  '123e4567-e89b-12d3-a456-42661417400',
  'x'.repeat(2000),
  '%F0%9F%92%A9',
  'constructor',
  '__proto__',
];

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Values that a schema asks for, each with a chance of a hostile one in its place. */
export function valuesOf(schema: Schema, resolve: (ref: string) => Schema, ids: readonly string[], depth = 0): fc.Arbitrary<unknown> {
  const usual = (): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined) return valuesOf(resolve(schema.$ref), resolve, ids, depth);
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, resolve, ids, depth)));
    const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
    if (type === 'object' || schema.properties) {
      const properties = Object.entries(schema.properties ?? {});
      if (depth > 4 || properties.length === 0) {
        return fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
      }
      const record = Object.fromEntries(properties.map(([name, property]) => [name, valuesOf(property, resolve, ids, depth + 1)]));
      return fc.record(record, { requiredKeys: [] });
    }
    if (type === 'array') {
      return fc.array(schema.items ? valuesOf(schema.items, resolve, ids, depth + 1) : fc.jsonValue(), { maxLength: 4 });
    }
    if (type === 'integer' || type === 'number') {
      return fc.oneof(fc.integer({ min: Math.ceil(schema.minimum ?? -5), max: Math.floor(schema.maximum ?? 10_000) }), fc.double());
    }
    if (type === 'boolean') return fc.boolean();
    if (schema.format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
    return fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 50 }), fc.constantFrom(...ids));
  };
  return fc.oneof({ weight: 9, arbitrary: usual() }, { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_VALUES) });
}
