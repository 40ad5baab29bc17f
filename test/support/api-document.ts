import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../../src/openapi/schema.js';

interface Answered {
  readonly content?: Record<string, { schema?: Schema }>;
  readonly $ref?: string;
}

interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: Answered;
  readonly responses: Record<string, Answered>;
}

interface Document {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, Schema>; responses: Record<string, Answered> };
}

const FILE = join(import.meta.dirname, '../../docs/reference/openapi.json');
// What a plugin answers is the plugin's.
const OF_PLUGINS = /^\/api\/agents\/[^/]+\/plugins\//;

/** docs/reference/openapi.json, to hold answers against. */
class ApiDocument {
  readonly document = JSON.parse(readFileSync(FILE, 'utf8')) as Document;
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  private readonly templates: { pattern: RegExp; path: string; fixed: number }[];
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor() {
    addFormats.default(this.ajv);
    this.ajv.addSchema({ $id: 'api', components: this.document.components, paths: this.document.paths });
    this.templates = Object.keys(this.document.paths).map((path) => ({
      path,
      pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}/?$`, 'i'),
      fixed: path.split('/').filter((part) => !part.startsWith('{')).length,
    }));
  }

  /** Every operation, as METHOD path. */
  get operations(): string[] {
    return Object.entries(this.document.paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
  }

  /** Whether a parameter in the path of `METHOD path` is a UUID. */
  isUuid(operation: string, name: string): boolean {
    return (
      this.operation(operation).parameters?.find((parameter) => parameter.in === 'path' && parameter.name === name)?.schema?.format ===
      'uuid'
    );
  }

  isDeprecated(operation: string): boolean {
    return this.operation(operation).deprecated ?? false;
  }

  /** What `METHOD path` reads, by media type. */
  requestContent(operation: string): Answered['content'] {
    return this.operation(operation).requestBody?.content;
  }

  /** A schema without the reference that it may be. */
  resolved(schema: Schema): Schema {
    return schema.$ref === undefined ? schema : this.document.components.schemas[schema.$ref.split('/').at(-1)!]!;
  }

  private operation(name: string): Operation {
    const [method = '', path = ''] = name.split(' ');
    const found = this.document.paths[path]?.[method.toLowerCase()];
    if (!found) throw new Error(`${name} is not in the document`);
    return found;
  }

  /** The error of a response; undefined when it matches the document, or when the document does not have the path. */
  fault(method: string, url: string, answer: { status: number; type: string; body: unknown }): string | undefined {
    const path = url.split('?')[0]!;
    const template = this.templateOf(path, method);
    if (template === undefined) {
      const refused = answer.status === 404 && isRefusal(answer.body, 'NOT_FOUND');
      return refused || OF_PLUGINS.test(path) || !this.isOurs(path) ? undefined : `${method} ${path} is not in the document`;
    }
    const operation = this.document.paths[template]![method.toLowerCase()]!;
    const described = operation.responses[String(answer.status)];
    if (described === undefined) {
      return `${operation.operationId} does not list the status ${answer.status}: ${JSON.stringify(answer.body)}`;
    }
    const { content } = described.$ref === undefined ? described : this.document.components.responses[described.$ref.split('/').at(-1)!]!;
    if (content === undefined) return answer.body === '' ? undefined : `${operation.operationId} ${answer.status} has a body`;
    const type = answer.type.split(';')[0]!;
    const kind = Object.keys(content).find(
      (listed) => listed === '*/*' || listed === type || (listed.endsWith('/*') && type.startsWith(listed.slice(0, -1))),
    );
    if (kind === undefined) {
      return `${operation.operationId} ${answer.status} has the type ${type}, not ${Object.keys(content).join(' or ')}`;
    }
    if (kind !== 'application/json') return undefined;
    const where = described.$ref?.slice(1) ?? `/paths/${escaped(template)}/${method.toLowerCase()}/responses/${answer.status}`;
    const validate = this.validator(`api#${where}/content/application~1json/schema`);
    const complaint = validate(answer.body) ? undefined : this.ajv.errorsText(validate.errors, { dataVar: 'answer' });
    const unknown = complaint === undefined ? this.undeclared(content[kind]!.schema!, answer.body) : [];
    if (complaint === undefined && unknown.length === 0) return undefined;
    const what = complaint ?? `fields that are not in the document: ${unknown.join(', ')}`;
    return `${operation.operationId} ${answer.status}: ${what}\n${JSON.stringify(answer.body).slice(0, 1500)}`;
  }

  /** The errors of a value against a schema; undefined when it is valid. */
  schemaFault(name: string, value: unknown): string | undefined {
    const validate = this.validator(`api#/components/schemas/${name}`);
    return validate(value) ? undefined : this.ajv.errorsText(validate.errors, { dataVar: name });
  }

  /** Whether a path lies below one of ours; a plugin's routes may lie anywhere else below /api. */
  private isOurs(path: string): boolean {
    const [, api, domain] = path.split('/');
    return api === 'api' && Object.keys(this.document.paths).some((known) => known.startsWith(`/api/${domain}`));
  }

  private templateOf(path: string, method: string): string | undefined {
    const fitting = this.templates.filter(
      ({ path: template, pattern }) => pattern.test(path) && this.document.paths[template]![method.toLowerCase()],
    );
    return fitting.sort((one, other) => other.fixed - one.fixed)[0]?.path;
  }

  private validator(ref: string): ValidateFunction {
    const known = this.compiled.get(ref) ?? this.ajv.compile({ $ref: ref });
    this.compiled.set(ref, known);
    return known;
  }

  /** Paths of fields that no schema declares. An open description (additionalProperties) takes them all. */
  private undeclared(schema: Schema, value: unknown, at = ''): string[] {
    const parts = this.parts(schema, value);
    if (Array.isArray(value)) {
      const items = parts.flatMap<Schema>((part) => part.items ?? []);
      return items.length === 0 ? [] : value.flatMap((one, index) => this.undeclared({ allOf: items }, one, `${at}[${index}]`));
    }
    if (typeof value !== 'object' || value === null || parts.some(isOpen)) return [];
    return Object.entries(value).flatMap(([name, field]) => {
      const declared = parts.flatMap<Schema>(({ properties }) => properties?.[name] ?? []);
      return declared.length === 0 ? [`${at}.${name}`] : this.undeclared({ allOf: declared }, field, `${at}.${name}`);
    });
  }

  /** A schema as the single ones that hold for a value together. */
  private parts(schema: Schema, value: unknown): Schema[] {
    const { $ref, allOf = [], oneOf = [], anyOf = [], ...rest } = schema;
    const referred = $ref === undefined ? [] : [this.document.components.schemas[$ref.split('/').at(-1)!]!];
    const chosen = [oneOf, anyOf].flatMap((choice) => choice.filter((one) => this.fits(one, value)));
    const combined = [...referred, ...allOf, ...chosen].flatMap((part) => this.parts(part, value));
    return combined.length > 0 && rest.properties === undefined ? combined : [rest, ...combined];
  }

  private fits(schema: Schema, value: unknown): boolean {
    const key = JSON.stringify(schema);
    const validate = this.compiled.get(key) ?? this.ajv.compile({ allOf: [absolute(schema)] });
    this.compiled.set(key, validate);
    return validate(value);
  }
}

const isRefusal = (body: unknown, code: string): boolean => (body as { error?: { code?: string } } | undefined)?.error?.code === code;
const escaped = (path: string): string => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
const absolute = (schema: Schema): object => JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/')) as object;

function isOpen({ type, additionalProperties, properties, ...rest }: Schema): boolean {
  if (additionalProperties !== undefined && additionalProperties !== false) return true;
  if (type === 'object' && properties === undefined) return true;
  // `{}`: any JSON value.
  return type === undefined && properties === undefined && Object.keys(rest).every((word) => word === 'description');
}

let shared: ApiDocument | undefined;

/** docs/reference/openapi.json, read once. */
export function apiDocument(): ApiDocument {
  return (shared ??= new ApiDocument());
}

/** An answer that is not what docs/reference/openapi.json says. */
export class UndocumentedResponse extends Error {}

/** @throws UndocumentedResponse when an answer is not what docs/reference/openapi.json says */
export function expectDocumented(method: string, url: string, answer: { status: number; type: string; body: unknown }): void {
  const fault = apiDocument().fault(method, url, answer);
  if (fault !== undefined) throw new UndocumentedResponse(`${fault}\nIs docs/reference/openapi.json up to date (npm run docs)?`);
}
