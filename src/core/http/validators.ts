import { Injectable, type PipeTransform } from '@nestjs/common';
import { ValidateBy, ValidateIf, type ValidationArguments, type ValidationError, type ValidationOptions } from 'class-validator';
import { AppError } from '../errors/index.js';
import { isUuid } from '../ids/index.js';
import { ApiErrors } from './api-errors.decorator.js';
import { checkedFields, validationErrorsOf } from './compiled-checks.js';
import { hasAtMost } from '../text/index.js';

/** Validates a UUID in the path and lower-cases it. @throws AppError INVALID_ID naming the parameter */
@Injectable()
@ApiErrors('INVALID_ID')
export class UuidPipe implements PipeTransform<string, string> {
  transform(value: string, { data }: { data?: string }): string {
    if (isUuid(value)) return value.toLowerCase();
    throw new AppError(
      'INVALID_ID',
      `${data ?? 'The id'} in the path is not a UUID.`,
      'Send 8-4-4-4-12 hexadecimal digits; any UUID version is accepted.',
    );
  }
}

/** The JSON Schema of a check. */
type SchemaPart = Readonly<Record<string, unknown>>;

/** Metadata that `Check` adds to class-validator. */
export interface CheckContext {
  readonly schema: SchemaPart;
}

/**
 * A custom check with its JSON Schema for the OpenAPI document.
 *
 * @param says the message for an invalid value; $property is replaced by the field's name
 */
export function Check(
  name: string,
  schema: SchemaPart,
  validate: (value: unknown, field: ValidationArguments) => boolean,
  says: (field: ValidationArguments) => string,
  options: ValidationOptions = {},
): PropertyDecorator {
  return ValidateBy(
    {
      name,
      validator: {
        validate: (value, field) => validate(value, field!),
        defaultMessage: (field) => `${options.each === true ? 'each value in ' : ''}${says(field!)}`,
      },
    },
    { ...options, context: { schema } satisfies CheckContext },
  );
}

/**
 * The message for one field, starting with its name. Of several failing checks, the uppermost decides: it checks the type, so that a
 * number is not reported as having too many characters.
 *
 * @param path prefix of the field's name
 */
export function validationMessage({ property, constraints }: ValidationError, path = ''): string | undefined {
  return Object.values(constraints ?? {})
    .at(-1)
    ?.replace(property, `${path}${property}`);
}

/** Sets the JSON Schema of a field that is validated elsewhere; checks nothing itself. */
export function ApiSchema(schema: SchemaPart): PropertyDecorator {
  return Check(
    'described',
    schema,
    () => true,
    () => '',
  );
}

/** A UUID of any version as text (contract 0.4). */
export function IsUuidText(options?: ValidationOptions): PropertyDecorator {
  const says = (): string => '$property must be a UUID (8-4-4-4-12 hexadecimal digits)';
  return Check('isUuidText', { type: 'string', format: 'uuid' }, isUuid, says, options);
}

/** Text of at most `max` characters that is not blank. */
export function IsFilledText(max: number, options?: ValidationOptions): PropertyDecorator {
  return Check(
    'isFilledText',
    { type: 'string', minLength: 1, maxLength: max },
    (value) => typeof value === 'string' && value.trim() !== '' && hasAtMost(value, max),
    () => `$property must be text of 1 to ${max} characters that is not only white space`,
    options,
  );
}

/** At most `max` characters. On a field that also checks that it is text. */
export function MaxCharacters(max: number): PropertyDecorator {
  return Check(
    'maxCharacters',
    { maxLength: max },
    (value) => typeof value === 'string' && hasAtMost(value, max),
    () => `$property must have at most ${max} characters`,
  );
}

/** A JSON object (not an array or null) of at most `max` characters of JSON. */
export function IsJsonObject(max = 100_000, options?: ValidationOptions): PropertyDecorator {
  return Check(
    'isJsonObject',
    { type: 'object', additionalProperties: true },
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && hasAtMost(JSON.stringify(value), max),
    () => `$property must be a JSON object of at most ${max} characters`,
    options,
  );
}

/** Skips the other checks when the field is absent. Unlike with `IsOptional`, null is not absent. */
export function IfPresent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** A query parameter with a whole number from 1 to `max`. */
export function IsCount(max: number): PropertyDecorator {
  return Check(
    'isCount',
    { type: 'integer', minimum: 1, maximum: max },
    (value) => typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= max,
    () => `$property must be a whole number from 1 to ${max}`,
  );
}

/** A list of at most `max` objects, each valid for a class. Other fields of the objects are kept. */
export function IsListOf(type: new () => object, max: number): PropertyDecorator {
  return Check(
    'isListOf',
    { maxItems: max },
    (value, field) => errorInList(field.property, value, type, max) === undefined,
    (field) => errorInList(field.property, field.value, type, max) ?? '',
  );
}

/** With the fields that the class checks. An element may have many others, which must cost nothing. */
function instanceOf(type: new () => object, element: object): object {
  const instance = new type() as Record<string, unknown>;
  for (const field of checkedFields(type)) {
    if (Object.hasOwn(element, field)) instance[field] = (element as Record<string, unknown>)[field];
  }
  return instance;
}

function errorInList(name: string, value: unknown, type: new () => object, max: number): string | undefined {
  if (!Array.isArray(value) || value.length > max) return `${name} must be a list of at most ${max} objects`;
  for (const [index, element] of (value as unknown[]).entries()) {
    if (typeof element !== 'object' || element === null || Array.isArray(element)) return `${name}[${index}] must be an object`;
    const [fault] = validationErrorsOf(instanceOf(type, element));
    if (fault) return validationMessage(fault, `${name}[${index}].`) ?? `${name}[${index}].${fault.property} is wrong`;
  }
  return undefined;
}
