import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats, { type FormatsPlugin } from 'ajv-formats';
import { errorMessage } from '../../../core/errors/index.js';
import { isTooDeep } from '../../../core/http/index.js';
import { cutText, hasAtMost } from '../../../core/text/index.js';
import type { Action, ActionParameter } from '../../../plugin-sdk/index.js';
import type { ChatToolCall } from '../../../providers/models/index.js';

const MAX_LENGTH = 100_000;
/** Of a call that the caller runs, whose tools may write whole files. */
export const MAX_CALLER_ARGUMENTS = 1_000_000;
const MAX_FAULTS = 10;
const NO_OBJECT = 'the arguments must be a JSON object';

type Schema = Readonly<Record<string, unknown>>;
type ValidationResult = { readonly value: Readonly<Record<string, unknown>> } | { readonly errors: readonly string[] };

/** Validates the arguments of an action. */
export interface ArgumentsValidator {
  /** JSON Schema for the model. */
  readonly schema: Schema;
  /** Validates without coercion. JSON Schema returns valid arguments unchanged; a library's schema may transform them. */
  readonly validate: (given: Readonly<Record<string, unknown>>) => ValidationResult | Promise<ValidationResult>;
}

/** A model's tool call, as recorded. */
export interface ToolCall extends ChatToolCall {
  /** Why the arguments were discarded. */
  readonly dropped?: string;
}

/** Standard Schema, which zod and other libraries implement (standardschema.dev). */
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
// CommonJS: the types do not show that the function is the export itself.
const withFormats = <T extends Ajv>(ajv: T): T => (addFormats as unknown as FormatsPlugin)(ajv) as T;
const draft7 = withFormats(new Ajv(OPTIONS));
const draft2020 = withFormats(new Ajv2020(OPTIONS));

/** An object without any of these keywords is not a JSON Schema that constrains its properties. */
const OBJECT_KEYWORDS = [
  ...['type', 'properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'required'],
  ...['minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas', 'dependencies', 'enum', 'const'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'if', '$ref', '$dynamicRef', '$recursiveRef'],
];

const known = new WeakMap<object, ArgumentsValidator>();
// Older plugins declare no schema and still read arguments, so any object is accepted.
const UNDECLARED: NonNullable<Action['parameters']> = { type: 'object', properties: {} };

/**
 * Creates the validator for an action's `parameters`: a JSON Schema (draft 2020-12 or 7), a list of parameters, or a schema of a library
 * such as zod.
 *
 * @throws Error whose message completes the sentence "its parameters …"
 */
export function argumentsValidator(parameters: Action['parameters'] = UNDECLARED): ArgumentsValidator {
  const found = known.get(parameters) ?? read(parameters);
  known.set(parameters, found);
  return found;
}

/** Converts a call from the model. Arguments that are too large or too deep are discarded. @param most characters */
export function toToolCall({ id, name, input, extra }: ChatToolCall, most = MAX_LENGTH): ToolCall {
  if (isTooDeep(input)) return { id, name, input: null, dropped: 'are nested too deeply' };
  return hasAtMost(JSON.stringify(input) ?? '', most)
    ? { id, name, input, ...(extra === undefined ? {} : { extra }) }
    : { id, name, input: null, dropped: `have more than ${most} characters` };
}

/** Validates the arguments of a call. The returned value is a copy, so that handlers cannot change the recorded call. */
export async function validateArguments({ input, dropped }: ToolCall, { validate }: ArgumentsValidator): Promise<ValidationResult> {
  if (dropped !== undefined) return { errors: [`the arguments ${dropped}`] };
  if (typeof input === 'string') return { errors: [notJson(input)] };
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { errors: [NO_OBJECT] };
  try {
    return await validate(structuredClone(input) as Record<string, unknown>);
  } catch (error) {
    // The plugin's own schema may throw.
    return { errors: [errorMessage(error)] };
  }
}

function read(parameters: NonNullable<Action['parameters']>): ArgumentsValidator {
  if (Array.isArray(parameters)) return fromJsonSchema(schemaOfList(parameters as readonly ActionParameter[]));
  if ('~standard' in parameters) return fromStandardSchema(parameters as unknown as StandardSchema);
  const schema = parameters as Schema;
  if (Object.keys(schema).length > 0 && !OBJECT_KEYWORDS.some((keyword) => keyword in schema)) {
    throw new Error('are not a JSON Schema of an object: put them under "properties"');
  }
  if ('type' in schema && schema['type'] !== 'object') throw new Error('must be of type object');
  return fromJsonSchema({ type: 'object', ...schema });
}

function fromJsonSchema(schema: Schema): ArgumentsValidator {
  const validate = compiled(schema);
  return {
    schema,
    validate: (value) => (validate(value) ? { value } : { errors: errorsOf(validate.errors ?? []) }),
  };
}

function fromStandardSchema({ '~standard': standard }: StandardSchema): ArgumentsValidator {
  if (!standard.jsonSchema) throw new Error('come from a library without JSON Schema export: use zod 4.2 or newer, or JSON Schema');
  const { $schema: _dialect, ...schema } = standard.jsonSchema.input({ target: 'draft-2020-12' });
  if (schema['type'] !== 'object') throw new Error('must be of type object');
  return {
    schema,
    validate: async (given) => {
      const { value, issues } = await standard.validate(given);
      if (issues) return { errors: limitErrors(issues.map(({ path = [], message }) => error(path.map(keyOf), message))) };
      return typeof value === 'object' && value !== null ? { value: value as Record<string, unknown> } : { errors: [NO_OBJECT] };
    },
  };
}

function keyOf(part: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof part === 'object' ? part.key : part);
}

/** A list names every argument, so others are rejected. */
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
  // With `$async`, validation would return a promise.
  const { $schema: dialect, $async: _async, ...rest } = schema;
  const old = typeof dialect === 'string' && /draft-0[67]/.test(dialect);
  try {
    return compile(old ? draft7 : draft2020, rest);
  } catch (error) {
    try {
      // Many schemas do not name their draft.
      if (dialect === undefined) return compile(draft7, rest);
    } catch {
      // Report the error of the newer draft.
    }
    throw new Error(`are not a valid JSON Schema: ${(error as Error).message}`, { cause: error });
  }
}

function compile(ajv: Ajv, schema: object): ValidateFunction {
  try {
    return ajv.compile(schema);
  } finally {
    // Ajv would cache the schemas of every plugin that was ever loaded.
    ajv.removeSchema(schema);
  }
}

function errorsOf(errors: readonly ErrorObject[]): string[] {
  return limitErrors(
    errors.map(({ instancePath, keyword, params, message = 'is not valid' }) => {
      const path = instancePath.split('/').slice(1).map(unescaped);
      const of = params as Record<string, unknown>;
      switch (keyword) {
        case 'required':
          return error([...path, String(of['missingProperty'])], 'is missing');
        case 'additionalProperties':
        case 'unevaluatedProperties':
          return error([...path, String(of['additionalProperty'] ?? of['unevaluatedProperty'])], 'is not an argument of this action');
        case 'enum':
          return error(path, `must be one of ${JSON.stringify(of['allowedValues']).slice(1, -1)}`);
        case 'const':
          return error(path, `must be ${JSON.stringify(of['allowedValue'])}`);
        default:
          return error(path, message);
      }
    }),
  );
}

function error(path: readonly string[], what: string): string {
  return `${path.length === 0 ? 'the arguments' : cutText(path.join('.'), 200)}: ${what}`;
}

function limitErrors(errors: readonly string[]): string[] {
  const different = [...new Set(errors)];
  const more = different.length - MAX_FAULTS;
  return more > 0 ? [...different.slice(0, MAX_FAULTS), `${more} more`] : different;
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

function notJson(text: string): string {
  try {
    JSON.parse(text);
    return 'the arguments must be a JSON object, not text';
  } catch (error) {
    return `the arguments are not valid JSON (${cutText((error as Error).message, 200)})`;
  }
}
