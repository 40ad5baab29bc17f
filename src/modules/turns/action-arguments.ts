import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats, { type FormatsPlugin } from 'ajv-formats';
import { isTooDeep } from '../../core/http/index.js';
import type { Action, ActionParameter } from '../../plugin-sdk/index.js';
import type { ChatToolCall } from '../../providers/models/index.js';
import { reasonOf } from './reason-of.js';

/** Characters of JSON. */
const LARGEST = 100_000;
const MOST_FAULTS = 10;
const NO_OBJECT = 'the arguments must be a JSON object';

type Schema = Readonly<Record<string, unknown>>;
type Checked = { readonly value: Readonly<Record<string, unknown>> } | { readonly faults: readonly string[] };

/** What an action says of its arguments. */
export interface ActionArguments {
  /** As the model is told. */
  readonly schema: Schema;
  /** Never coerces. What JSON Schema allows comes back as it was given; a schema of a library may make something else of it. */
  readonly check: (given: Readonly<Record<string, unknown>>) => Checked | Promise<Checked>;
}

/** A model's call as it is recorded. */
export interface ToolCall extends ChatToolCall {
  /** Why its arguments were not kept. */
  readonly dropped?: string;
}

/** The interface of zod and other libraries (standardschema.dev). */
interface StandardSchema {
  readonly '~standard': {
    validate(value: unknown): StandardResult | Promise<StandardResult>;
    readonly jsonSchema?: { input(options: { target: string }): Schema };
  };
}
type StandardResult = { readonly value?: unknown; readonly issues?: readonly StandardIssue[] };
interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
}

const OPTIONS: Options = { strict: false, allErrors: true, unicodeRegExp: false, logger: false, addUsedSchema: false };
// A module of CommonJS, whose types do not say that its function is the export itself.
const withFormats = <T extends Ajv>(ajv: T): T => (addFormats as unknown as FormatsPlugin)(ajv) as T;
const draft7 = withFormats(new Ajv(OPTIONS));
const draft2020 = withFormats(new Ajv2020(OPTIONS));

/** Without one of these an object is no JSON Schema that says anything of its properties. */
const SAYS_SOMETHING = [
  ...['type', 'properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'required'],
  ...['minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas', 'dependencies', 'enum', 'const'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', '$dynamicRef', '$recursiveRef'],
];

const known = new WeakMap<object, ActionArguments>();
// Plugins of before wrote no schema and read the arguments all the same: only that they are an object is known.
const UNDECLARED: NonNullable<Action['parameters']> = { type: 'object', properties: {} };

/**
 * What an action's `parameters` say: a JSON Schema (draft 2020-12 or 7), a list of parameters, or a schema of a library such as zod.
 *
 * @throws Error that completes the sentence "its parameters …"
 */
export function argumentsOf(parameters: Action['parameters'] = UNDECLARED): ActionArguments {
  const found = known.get(parameters) ?? read(parameters);
  known.set(parameters, found);
  return found;
}

/** A call as it came from the model. Arguments that are too large or too deep are neither kept nor sent back. */
export function received({ id, name, input }: ChatToolCall): ToolCall {
  if (isTooDeep(input)) return { id, name, input: null, dropped: 'are nested too deeply' };
  const { length } = JSON.stringify(input) ?? '';
  return length > LARGEST ? { id, name, input: null, dropped: `have more than ${LARGEST} characters` } : { id, name, input };
}

/** Checks a call against what its action says. The handler may change the value; the recorded call stays as it is. */
export async function checked({ input, dropped }: ToolCall, { check }: ActionArguments): Promise<Checked> {
  if (dropped !== undefined) return { faults: [`the arguments ${dropped}`] };
  if (typeof input === 'string') return { faults: [notJson(input)] };
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { faults: [NO_OBJECT] };
  try {
    return await check(structuredClone(input) as Record<string, unknown>);
  } catch (error) {
    // A check of the plugin's own may throw.
    return { faults: [reasonOf(error)] };
  }
}

function read(parameters: NonNullable<Action['parameters']>): ActionArguments {
  if (Array.isArray(parameters)) return bySchema(schemaOfList(parameters as readonly ActionParameter[]));
  if ('~standard' in parameters) return byLibrary(parameters as unknown as StandardSchema);
  const schema = parameters as Schema;
  if (Object.keys(schema).length > 0 && !SAYS_SOMETHING.some((keyword) => keyword in schema)) {
    throw new Error('are no JSON Schema of an object: put them below "properties"');
  }
  if ('type' in schema && schema['type'] !== 'object') throw new Error('must be of type object');
  return bySchema({ type: 'object', ...schema });
}

function bySchema(schema: Schema): ActionArguments {
  const validate = compiled(schema);
  return {
    schema,
    check: (value) => (validate(value) ? { value } : { faults: faultsOf(validate.errors ?? []) }),
  };
}

function byLibrary({ '~standard': standard }: StandardSchema): ActionArguments {
  if (!standard.jsonSchema) throw new Error('are of a library that cannot tell them as JSON Schema: use zod 4.2 or newer, or JSON Schema');
  const { $schema: _dialect, ...schema } = standard.jsonSchema.input({ target: 'draft-2020-12' });
  if (schema['type'] !== 'object') throw new Error('must be of type object');
  return {
    schema,
    check: async (given) => {
      const { value, issues } = await standard.validate(given);
      if (issues) return { faults: several(issues.map(({ path = [], message }) => fault(path.map(keyOf), message))) };
      return typeof value === 'object' && value !== null ? { value: value as Record<string, unknown> } : { faults: [NO_OBJECT] };
    },
  };
}

function keyOf(part: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof part === 'object' ? part.key : part);
}

/** The author named each argument, so there are no others. */
function schemaOfList(parameters: readonly ActionParameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema = {} }) => {
        const isTyped = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', '$ref'].some((keyword) => keyword in schema);
        return [name, { ...(isTyped ? {} : { type: 'string' }), ...schema, ...(description === undefined ? {} : { description }) }];
      }),
    ),
    required: parameters.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}

function compiled(schema: Schema): ValidateFunction {
  // `$async` would make it answer with a promise.
  const { $schema: dialect, $async: _async, ...rest } = schema;
  const old = typeof dialect === 'string' && /draft-0[67]/.test(dialect);
  try {
    return compile(old ? draft7 : draft2020, rest);
  } catch (error) {
    try {
      // Many schemas do not say what they are written in.
      if (dialect === undefined) return compile(draft7, rest);
    } catch {
      // The reason that counts is that of the newer draft.
    }
    throw new Error(`are no JSON Schema: ${(error as Error).message}`, { cause: error });
  }
}

function compile(ajv: Ajv, schema: object): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    // It would keep every schema of every plugin that was ever loaded.
    ajv.removeSchema(schema);
  }
}

function faultsOf(errors: readonly ErrorObject[]): string[] {
  return several(
    errors.map(({ instancePath, keyword, params, message = 'is not valid' }) => {
      const path = instancePath.split('/').slice(1).map(unescaped);
      const of = params as Record<string, unknown>;
      switch (keyword) {
        case 'required':
          return fault([...path, String(of['missingProperty'])], 'is missing');
        case 'additionalProperties':
        case 'unevaluatedProperties':
          return fault([...path, String(of['additionalProperty'] ?? of['unevaluatedProperty'])], 'is not an argument of this action');
        case 'enum':
          return fault(path, `must be one of ${JSON.stringify(of['allowedValues']).slice(1, -1)}`);
        case 'const':
          return fault(path, `must be ${JSON.stringify(of['allowedValue'])}`);
        default:
          return fault(path, message);
      }
    }),
  );
}

function fault(path: readonly string[], what: string): string {
  return `${path.length === 0 ? 'the arguments' : path.join('.').slice(0, 200)}: ${what}`;
}

function several(faults: readonly string[]): string[] {
  const different = [...new Set(faults)];
  const more = different.length - MOST_FAULTS;
  return more > 0 ? [...different.slice(0, MOST_FAULTS), `${more} more`] : different;
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function notJson(text: string): string {
  try {
    JSON.parse(text);
    return 'the arguments must be a JSON object, not a text';
  } catch (error) {
    return `the arguments are not valid JSON (${(error as Error).message.slice(0, 200)})`;
  }
}
