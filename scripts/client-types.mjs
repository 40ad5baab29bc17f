// Generates the wire types of parley-client from the OpenAPI document: operations in client/src/wire.ts, events in client/src/wire-events.ts.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const DOCUMENT = new URL('../docs/reference/openapi.json', import.meta.url);
const TARGET = new URL('../client/src/', import.meta.url);

// Paths of older clients for operations that have a newer one.
const ALIASES = [
  /^\/api\/memory\/\{agentId\}\/(rooms|memories)/,
  /^\/api\/messaging\/(action|group-channels)$/,
  /^\/api\/media\/(channels|\{agentId\})/,
  /^\/api\/audio\/\{agentId\}\/(speech|process-audio)$/,
  /^\/api\/system\/environment\//,
  /\/details$/,
];
// Protocols that have clients of their own.
const PROTOCOLS = /^\/v1\//;
const MADE_BY = '// Made by npm run docs from docs/reference/openapi.json.';
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** The text of each generated file, by name; deterministic. */
export async function clientTypes() {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  return { 'wire.ts': operationTypes(document), 'wire-events.ts': eventTypes(document) };
}

function operationTypes(document) {
  const operations = Object.entries(document.paths)
    .flatMap(([path, methods]) => METHODS.filter((method) => method in methods).map((method) => [method, path, methods[method]]))
    .filter(([, path, operation]) => operation.deprecated !== true && !PROTOCOLS.test(path) && !ALIASES.some((alias) => alias.test(path)));
  const used = new Set(Object.values(document['x-events']).map(({ schema }) => nameOf(schema)));
  const texts = operations.map(([method, path, operation]) => operationText(method, path, operation, used));
  const schemas = schemaTexts(document.components.schemas, used);
  return [
    MADE_BY,
    '',
    '/** The operations of the server by method and path. `data` is what the envelope of an answer holds. */',
    `export interface Operations {\n${texts.join('\n')}\n}`,
    '',
    ...schemas,
    '',
  ].join('\n');
}

/** The type of each event, and tables to recognise and read them. */
function eventTypes(document) {
  const events = Object.entries(document['x-events']);
  const views = [...new Set(events.map(([, { schema }]) => nameOf(schema)))].sort();
  const types = events.map(([type, { description, schema }]) => `${comment(description, '  ')}\n  '${type}': ${nameOf(schema)};`);
  const kinds = views.map((view) => {
    const fields = Object.entries(fieldKinds({ $ref: `#/components/schemas/${view}` }, document.components.schemas));
    return `  ${view}: { ${fields.map(([field, kind]) => `${key(field)}: '${kind}'`).join(', ')} },`;
  });
  const rows = events.map(
    ([type, { sockets, schema }]) => `  '${type}': { view: '${nameOf(schema)}', socket: ${sockets[0] ? `'${sockets[0]}'` : 'undefined'} },`,
  );
  return [
    MADE_BY,
    `import type { ${views.join(', ')} } from './wire.js';`,
    '',
    '/** The fields of each type of event. */',
    `export interface EventViews {\n${types.join('\n')}\n}`,
    '',
    '/** What each field holds: a kind of value, `=` and the one value that it has, or `any`; with `?` it may be absent. */',
    `export const VIEWS = {\n${kinds.join('\n')}\n} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;`,
    '',
    '/** Each type of event with its fields and the name of the first socket.io event that carries it. */',
    'export const EVENTS: Readonly<',
    '  Record<keyof EventViews, { readonly view: keyof typeof VIEWS; readonly socket: string | undefined }>',
    `> = {\n${rows.join('\n')}\n};`,
    '',
  ].join('\n');
}

/** The kind of value of each field of a schema. */
function fieldKinds(schema, schemas) {
  if (schema.$ref) return fieldKinds(schemas[nameOf(schema)], schemas);
  const inherited = (schema.allOf ?? []).map((part) => fieldKinds(part, schemas));
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : '?';
    return [name, `${kindOf(field)}${optional}`];
  });
  return Object.assign({}, ...inherited, Object.fromEntries(own));
}

function kindOf({ type, enum: values, const: only }) {
  const value = values?.length === 1 ? values[0] : only;
  if (value !== undefined) return `=${value}`;
  return ['string', 'number', 'boolean'].includes(type) ? type : 'any';
}

function operationText(method, path, operation, used) {
  const parameters = (place) => (operation.parameters ?? []).filter((parameter) => parameter.in === place);
  const content = operation.requestBody?.content ?? {};
  const bodies = [
    ...(content['application/json'] ? [typeOf(content['application/json'].schema, used)] : []),
    ...(content['multipart/form-data'] ? ['FormData'] : []),
  ];
  const optional = operation.requestBody && operation.requestBody.required !== true;
  const body = bodies.length === 0 ? 'undefined' : [...bodies, ...(optional ? ['undefined'] : [])].join(' | ');
  return [
    comment(operation.summary, '  '),
    `  '${method.toUpperCase()} ${path}': {`,
    `    path: ${fields(parameters('path'), used)};`,
    `    query: ${fields(parameters('query'), used)};`,
    `    body: ${body};`,
    `    data: ${dataOf(operation, used)};`,
    '  };',
  ].join('\n');
}

/** Parameters of path or query; in a query, numbers stand for their text. */
function fields(parameters, used) {
  if (parameters.length === 0) return 'undefined';
  const texts = parameters.map(({ name, in: place, required, schema, description }) => {
    const about = description ? `/** ${oneLine(description)} */ ` : '';
    const type = typeOf(schema ?? {}, used);
    const written = place === 'query' && type === 'string' ? 'string | number' : type;
    return `${about}${key(name)}${required ? '' : '?'}: ${written}${required ? '' : ' | undefined'}`;
  });
  return `{ ${texts.join('; ')} }`;
}

function dataOf({ responses }, used) {
  const kinds = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content)
    // Streams and files have methods of their own.
    .filter((content) => content === undefined || 'application/json' in content);
  const types = kinds.map((content) => (content === undefined ? 'undefined' : typeOf(payload(content['application/json'].schema), used)));
  return [...new Set(types)].join(' | ') || 'undefined';
}

/** What stands under `data`, or the whole answer of operations that answer without an envelope. */
function payload(schema) {
  for (const part of [schema, ...(schema.allOf ?? [])]) {
    if (part.properties?.data) return part.properties.data;
  }
  return schema;
}

function schemaTexts(schemas, used) {
  const texts = new Map();
  for (let before = -1; before !== texts.size;) {
    before = texts.size;
    for (const name of [...used]) {
      if (texts.has(name)) continue;
      const schema = schemas[name];
      const type = typeOf(schema, used);
      const isObject = schema.type === 'object' && type.startsWith('{');
      texts.set(
        name,
        `${comment(schema.description, '')}\nexport ${isObject ? `interface ${name} ${type}` : `type ${name} = ${type};`}`.trim(),
      );
    }
  }
  return [...texts.keys()].sort().map((name) => `${texts.get(name)}\n`);
}

function typeOf(schema, used) {
  if (schema.$ref) {
    used.add(nameOf(schema));
    return nameOf(schema);
  }
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (choice) return [...new Set(choice.map((part) => typeOf(part, used)))].join(' | ');
  }
  if (schema.allOf) return schema.allOf.map((part) => typeOf(part, used)).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, used)).join(' | ');
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `readonly (${typeOf(schema.items ?? {}, used)})[]`;
    case 'object':
      return objectType(schema, used);
    default:
      return schema.properties ? objectType(schema, used) : 'unknown';
  }
}

function nameOf({ $ref }) {
  return $ref.split('/').at(-1);
}

function objectType({ properties = {}, required = [], additionalProperties }, used) {
  const texts = Object.entries(properties).map(([name, schema]) => {
    const about = schema.description ? `${comment(schema.description, '  ')}\n` : '';
    return `${about}  ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema, used)};`;
  });
  if (additionalProperties && texts.length === 0) {
    return `{ [key: string]: ${additionalProperties === true ? 'unknown' : typeOf(additionalProperties, used)} }`;
  }
  return texts.length === 0 ? '{ [key: string]: unknown }' : `{\n${texts.join('\n')}\n}`;
}

function comment(text, indent) {
  const line = text ? oneLine(text) : '';
  return line === '' ? '' : `${indent}/** ${line} */`;
}

function oneLine(text) {
  return text
    .replace(/@format [\w-]+/g, '')
    .replaceAll('*/', '* /')
    .replace(/\s+/g, ' ')
    .trim();
}

function key(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [name, text] of Object.entries(await clientTypes())) await writeFile(new URL(name, TARGET), text);
}
