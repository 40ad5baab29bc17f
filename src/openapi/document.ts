import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, getSchemaPath, SwaggerModule } from '@nestjs/swagger';
import { AppError, errorDefinition, type ErrorCode } from '../core/errors/index.js';
import { envelopeOf, errorEnvelope, errorFormatOf, type ConsumedBody, type Access, type DeclaredFormat } from '../core/http/index.js';
import { registeredEvents } from '../core/journal/index.js';
import {
  consumedBodies,
  accessOf,
  hasHttpCode,
  isDeprecatedPath,
  isUuidParameter,
  operationIdOf,
  additionalResponses,
  errorsOf,
  type Handler,
} from './operations.js';
import { classesOf, completeMetadata, applyWrittenTypes, type Sources } from './plugin-metadata.js';
import { exampleOf, type Schema } from './schema.js';
import { TAGS, tagOf } from './tags.js';

const JSON_TYPE = 'application/json';

interface Content {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, Content>;
}

interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  deprecated?: boolean;
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema; description?: string }[];
  requestBody?: { required?: boolean; content: Record<string, Content> };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
}

/** The OpenAPI 3.1 document. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  /** Path patterns of plugin routes. `GET /api/plugins` lists the routes. */
  'x-plugin-routes'?: readonly string[];
  /** What clients may rely on of the events of a channel, by type. */
  'x-events'?: Readonly<Record<string, EventDescription>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response>; [part: string]: unknown };
}

interface EventDescription {
  description: string;
  /** Names of the socket.io events; the schema describes the first. */
  sockets: string[];
  schema: Schema;
}

/**
 * Describes every operation of an application, from the types that the compiler plugin of @nestjs/swagger has read and the decorators of
 * core/http.
 *
 * @throws Error naming code that cannot be described
 */
export async function describeApi(app: INestApplication, sources: Sources): Promise<ApiDocument> {
  await SwaggerModule.loadPluginMetadata(() => completeMetadata(sources));
  const handlers = handlersOf(app);
  const classes = await classesOf(sources);
  const referred = [...JSON.stringify([sources.returns, sources.notes]).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    ([, name]) => name!,
  );
  const byId = new Map<string, Handler>();
  const created = SwaggerModule.createDocument(app, base(), {
    extraModels: [
      ...new Set([
        ...handlers.flatMap(bodyClasses),
        ...referred.flatMap((name) => classes.get(name) ?? []),
        ...registeredEvents().flatMap(([, { view }]) => view ?? []),
      ]),
    ],
    operationIdFactory: (controllerName, methodKey) => {
      const [, method, index] = /^(\w+)(?:\[(\d+)\])?$/.exec(methodKey)!;
      const handler = handlers.find((one) => one.controller.name === controllerName && one.method === method)!;
      const subject = controllerName.replace(/Controller$/, '');
      const alias = index !== undefined && index !== '0';
      const own =
        operationIdOf(handler) ?? `${subject[0]!.toLowerCase()}${subject.slice(1)}${method![0]!.toUpperCase()}${method!.slice(1)}`;
      const id = `${own}${alias ? `Alias${index}` : ''}`;
      byId.set(id, handler);
      return id;
    },
  });
  const document = created as unknown as ApiDocument;
  applyWrittenTypes(document.components.schemas, sources);
  document['x-plugin-routes'] = PLUGIN_ROUTES;
  document['x-events'] = eventDescriptions();
  document.components.responses = {};
  document.components.schemas['Error'] = ERROR_SCHEMA;
  for (const [path, verbs] of Object.entries(document.paths)) {
    for (const [verb, operation] of Object.entries(verbs)) {
      const handler = byId.get(operation.operationId)!;
      const either = sources.returns[handler.controller.name]?.[handler.method];
      completeOperation(operation, handler, { path, verb, either }, document);
    }
  }
  return document;
}

const base = (): ReturnType<DocumentBuilder['build']> => {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Parley')
    .setDescription(
      'A self-hosted runtime for AI agents. Events of streams and sockets are documented in docs/reference/events.md. Plugins define their own routes, at the paths in `x-plugin-routes`.',
    )
    .setVersion('1.2.0')
    .addServer('/')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-KEY' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer' }, 'bearer');
  for (const { name, about } of TAGS) builder.addTag(name, about);
  return builder.build();
};

// A plugin chooses its path; the last two patterns are unique to the plugin. `agentId` in the query selects the agent.
const PLUGIN_ROUTES = ['/{path}', '/{plugin}/{path}', '/api/agents/{agentId}/plugins/{plugin}/{path}'];

const ERROR_SCHEMA: Schema = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'details'],
      properties: {
        code: { type: 'string', description: 'An entry of docs/reference/errors.md.' },
        message: { type: 'string', description: 'The cause, with the name of the field if there is one.' },
        details: { type: 'string', description: 'A remedy or more information.' },
      },
    },
    requestId: { type: 'string', description: 'Also in the header X-Request-Id and in the log.' },
  },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Identifies the request for retries: requests with the same key are executed once and get the same response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function handlersOf(app: INestApplication): Handler[] {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return controllers.flatMap(({ metatype }) => {
    const controller = metatype as Type;
    return Object.getOwnPropertyNames(controller.prototype).map((method) => ({ controller, method }));
  });
}

function eventDescriptions(): Record<string, EventDescription> {
  return Object.fromEntries(
    registeredEvents().flatMap(([type, { about, sockets = {}, view }]) =>
      view ? [[type, { description: about, sockets: Object.keys(sockets), schema: { $ref: getSchemaPath(view) } }]] : [],
    ),
  );
}

function bodyClasses(handler: Handler): Type[] {
  const { view } = errorFormatOf(handler.controller) ?? {};
  const declared = [...consumedBodies(handler), ...additionalResponses(handler)].flatMap(({ body }) => body ?? []);
  return view ? [...declared, view] : declared;
}

function completeOperation(
  operation: Operation,
  handler: Handler,
  { path, verb, either }: { path: string; verb: string; either: Schema | undefined },
  { components }: ApiDocument,
): void {
  operation.tags = [tagOf(path)];
  if (isDeprecatedPath(handler, path)) operation.deprecated = true;
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in === 'path' && isUuidParameter(handler, parameter.name)) parameter.schema = { type: 'string', format: 'uuid' };
    // Nest never requires a header or a single query parameter; operations check these themselves.
    if (parameter.in === 'header' || (parameter.in === 'query' && 'required' in parameter && parameter.schema === undefined)) {
      parameter.required = false;
    }
    parameter.schema ??= { type: 'string' };
  }
  if (verb === 'post') operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
  describeBody(operation, consumedBodies(handler), components.schemas);
  describeSuccess(operation, handler, either, components.schemas);
  for (const [status, codes] of errorsOf(handler, verb)) {
    const refused = errorResponse(codes, components.responses, errorFormatOf(handler.controller));
    const own = operation.responses[status]?.content?.[JSON_TYPE]?.schema;
    // A status may have two formats: /health also responds 503 in its own format.
    if (own) operation.responses[status]!.content![JSON_TYPE]!.schema = { anyOf: [own, { $ref: '#/components/schemas/Error' }] };
    else operation.responses[String(status)] = { $ref: `#/components/responses/${refused}` };
  }
  operation.security = securityOf(accessOf(handler, verb));
}

/** The credentials and scopes that an operation requires. A server without an API key requires none. */
function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'public') return [];
  if (access === 'session-start') return [{}, { apiKey: ['write'] }, { bearer: ['write'] }];
  return [{ apiKey: [access] }, { bearer: [access] }];
}

function describeBody(operation: Operation, accepted: ConsumedBody[], schemas: Record<string, Schema>): void {
  const content = { ...operation.requestBody?.content };
  for (const { mediaType, body } of accepted) {
    content[mediaType] = { schema: body ? { $ref: getSchemaPath(body) } : { type: 'string', format: 'binary' } };
  }
  if (Object.keys(content).length === 0) return;
  if (content[JSON_TYPE]?.schema) content[JSON_TYPE].example = exampleOf(content[JSON_TYPE].schema, schemas);
  operation.requestBody = { ...operation.requestBody, content };
}

/** Describes the success responses, in the envelope of the operation. */
function describeSuccess(operation: Operation, handler: Handler, either: Schema | undefined, schemas: Record<string, Schema>): void {
  const returned = operation.responses;
  operation.responses = {};
  const describe = (status: string, content: Record<string, Content>, about: string): void => {
    const before = operation.responses[status];
    operation.responses[status] = {
      description: [before?.description, about].filter(Boolean).join(' Or: '),
      ...(Object.keys(content).length > 0 ? { content: { ...before?.content, ...content } } : {}),
    };
  };
  const inEnvelope = (payload: Schema): Record<string, Content> => {
    const schema = envelopeSchema(payload, envelopeOf(prototypeMethod(handler), handler.controller));
    return { [JSON_TYPE]: { schema, example: exampleOf(schema, schemas) } };
  };
  const others = additionalResponses(handler);
  for (const [status, { content, description }] of Object.entries(returned)) {
    const payload = either ?? content?.[JSON_TYPE]?.schema;
    // A method that returns nothing writes the response that its decorator declares, or has a status without a body.
    if (payload === undefined && others.length > 0 && !hasHttpCode(handler)) continue;
    describe(
      status,
      payload && status !== '204' ? inEnvelope(payload) : {},
      description || (payload && status !== '204' ? 'Done.' : 'Done; there is no body.'),
    );
  }
  for (const { status, about, mediaType, body, example } of others) {
    const ref = body && { $ref: getSchemaPath(body) };
    const written = { schema: ref ?? rawSchema(mediaType ?? ''), ...(example === undefined ? {} : { example }) };
    describe(String(status), mediaType ? { [mediaType]: written } : ref ? inEnvelope(ref) : {}, about);
  }
}

/** Schema of a body that an operation writes itself. */
function rawSchema(mediaType: string): Schema {
  if (mediaType === JSON_TYPE) return { type: 'object' };
  if (mediaType === 'text/event-stream') return { type: 'object', additionalProperties: true };
  return mediaType.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

function prototypeMethod({ controller, method }: Handler): object {
  return (controller.prototype as Record<string, object>)[method]!;
}

function envelopeSchema(payload: Schema, shape: ReturnType<typeof envelopeOf>): Schema {
  if (shape === 'bare') return payload;
  const envelope: Schema = { type: 'object', required: ['success', 'data'], properties: { success: { const: true }, data: payload } };
  return shape === 'hybrid' ? { allOf: [payload, envelope] } : envelope;
}

/** Adds the response component for these error codes, with an example of each. @returns its name */
function errorResponse(codes: ErrorCode[], responses: Record<string, Response>, format: DeclaredFormat | undefined): string {
  const { toBody = errorEnvelope, view } = format ?? {};
  const name = [...(view ? [view.name] : []), ...codes].join('.');
  const schema: Schema = view
    ? { $ref: getSchemaPath(view) }
    : { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { error: { properties: { code: { enum: codes } } } } }] };
  responses[name] ??= {
    description: codes.map((code) => `${code}: ${errorDefinition(code).meaning}`).join(' '),
    content: {
      [JSON_TYPE]: {
        schema,
        examples: Object.fromEntries(
          codes.map((code) => [code, { value: toBody(new AppError(code, errorDefinition(code).meaning), undefined) }]),
        ),
      },
    },
  };
  return name;
}
