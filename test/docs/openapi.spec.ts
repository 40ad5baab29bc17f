import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Schema } from '../../src/openapi/schema.js';
import { apiDocument } from '../support/api-document.js';

const root = join(import.meta.dirname, '../..');
const LIMIT_MS = 180_000;

it(
  'docs/reference/openapi.json matches the code (npm run docs)',
  async () => {
    const written = readFile(join(root, 'docs/reference/openapi.json'), 'utf8');
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/openapi.mjs', '--print'], {
      cwd: root,
      maxBuffer: 2 ** 26,
      timeout: LIMIT_MS,
    });
    expect(JSON.parse(await written)).toEqual(JSON.parse(stdout));
  },
  LIMIT_MS,
);

interface Described {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: unknown;
  readonly responses: Record<
    string,
    { $ref?: string; content?: Record<string, { schema?: object; example?: unknown; examples?: object }> }
  >;
}

// Protocols of others have versions of their own.
const PROTOCOLS = /^\/v1\//;

it('has the version of the interface, and none in a path [service.version]', () => {
  const { info, paths } = apiDocument().document;
  expect(info.version).toBe('1.2.0');
  expect(Object.keys(paths).filter((path) => /\/v\d/.test(path) && !PROTOCOLS.test(path))).toEqual([]);
});

it('every operation has a summary, its permissions, its responses, and an example of each', () => {
  const { paths, components, tags } = apiDocument().document;
  const domains = tags.map(({ name }) => name);
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]): [string, Described] => [`${verb} ${path}`, operation]),
  );
  const faults = operations.flatMap(([name, { operationId, summary, tags: own = [], security, responses }]) => {
    const answers = Object.entries(responses).flatMap(([status, { $ref, content }]) =>
      Object.entries(($ref ? components.responses[$ref.split('/').at(-1)!]!.content : content) ?? {}).map(([type, described]) => ({
        status,
        type,
        ...(described as { schema?: object; example?: unknown; examples?: object }),
      })),
    );
    // The document itself is described by OpenAPI, and not once more here.
    const json = answers.filter(({ type }) => type === 'application/json' && path(name) !== '/api/openapi.json');
    const vague = json.filter(({ schema }) => /^\{"type":"object"\}$|"data":\{"type":"object"\}/.test(JSON.stringify(schema)));
    return [
      ...(operationId && summary && security ? [] : [`${name}: no operationId, summary or security`]),
      ...(own.length === 1 && domains.includes(own[0]!) ? [] : [`${name}: its domain`]),
      ...(Object.keys(responses).some((status) => status < '400') && Object.keys(responses).some((status) => status >= '400')
        ? []
        : [`${name}: a success and an error`]),
      ...vague.map(({ status }) => `${name}: what ${status} answers`),
      ...json
        .filter(({ example, examples }) => example === undefined && examples === undefined)
        .map(({ status }) => `${name}: an example of ${status}`),
    ];
  });
  expect(faults).toEqual([]);
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

const path = (name: string): string => name.split(' ')[1]!;

it('every parameter and every request field has a description of its values', () => {
  const { paths, components } = apiDocument().document;
  const asked = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, { parameters = [], requestBody }]): [string, Schema][] => [
      ...parameters.map(({ name, schema = {} }): [string, Schema] => [`${verb} ${path} ?${name}`, schema]),
      ...Object.values(requestBody?.content ?? {}).map(({ schema = {} }): [string, Schema] => [`${verb} ${path}`, schema]),
    ]),
  );
  const untyped = asked.flatMap(([name, schema]) => untypedIn(schema, components.schemas, name));
  expect([...new Set(untyped)]).toEqual([]);
});

it('every example matches its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const { document } = apiDocument();
  ajv.addSchema({ $id: 'api', components: document.components, paths: document.paths });
  const whole = (schema: Schema): object => JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/')) as object;
  const faults = Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).flatMap(([verb, { requestBody, responses }]) =>
      [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.entries((part?.content ?? {}) as Record<string, { schema?: Schema; example?: unknown }>)
          .filter(([, { schema, example }]) => schema && example !== undefined && !ajv.validate(whole(schema), example))
          .map(([type]) => `${verb} ${path} ${type}: ${ajv.errorsText()}`),
      ),
    ),
  );
  expect(faults).toEqual([]);
});

/** Fields that may be anything although nothing says so. An open object, whose fields are the caller's, is something. */
function untypedIn(schema: Schema, schemas: Record<string, Schema>, at: string, depth = 0): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!;
    return depth > 8 ? [] : untypedIn(schemas[name]!, schemas, name, depth + 1);
  }
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  const said = schema.type !== undefined || schema.enum !== undefined || schema.const !== undefined || parts.length > 0;
  return [
    ...(said ? [] : [at]),
    ...parts.flatMap((part) => untypedIn(part, schemas, at, depth + 1)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => untypedIn(part, schemas, `${at}.${name}`, depth + 1)),
  ];
}

it('repeatable query parameters are lists, also for POST operations', () => {
  const parameters = (path: string, verb: string): unknown[] => apiDocument().document.paths[path]![verb]!.parameters as unknown[];
  expect(parameters('/api/agents/{agentId}/logs', 'get')).toContainEqual(
    expect.objectContaining({ name: 'excludeTypes', schema: expect.objectContaining({ type: 'array' }) }),
  );
  for (const name of ['limit', 'before', 'after']) {
    expect(parameters('/api/messaging/channels/{channelId}/generate-title', 'post')).toContainEqual(
      expect.objectContaining({ name, in: 'query' }),
    );
  }
});
