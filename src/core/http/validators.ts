import { Injectable, type PipeTransform } from '@nestjs/common';
import {
  ValidateBy,
  ValidateIf,
  validateSync,
  type ValidationArguments,
  type ValidationError,
  type ValidationOptions,
} from 'class-validator';
import { AppError } from '../errors/index.js';
import { isUuid } from '../ids/index.js';
import { Refuses } from './refuses.decorator.js';

/** Reads an id from the path. @throws AppError INVALID_ID naming the parameter */
@Injectable()
@Refuses('INVALID_ID')
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

/** What a check asks of a value, as JSON Schema says it. */
type SchemaPart = Readonly<Record<string, unknown>>;

/** What `Checked` leaves in the metadata of class-validator. */
export interface CheckContext {
  readonly schema: SchemaPart;
}

/**
 * A check of our own, with what it asks as JSON Schema for the OpenAPI document.
 *
 * @param says the sentence for a value that is refused; $property stands for its name
 */
export function Checked(
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
 * What is wrong with one field, in a sentence that begins with its name: of the checks that fail the uppermost, which asks for
 * the type. Nobody is told that a number has too many characters.
 *
 * @param path what stands before the name of the field
 */
export function complaintOf({ property, constraints }: ValidationError, path = ''): string | undefined {
  return Object.values(constraints ?? {})
    .at(-1)
    ?.replace(property, `${path}${property}`);
}

/** Says what a field is whose checks are functions, for the OpenAPI document; checks nothing itself. */
export function Described(schema: SchemaPart): PropertyDecorator {
  return Checked(
    'described',
    schema,
    () => true,
    () => '',
  );
}

/** A UUID of any version as text (contract 0.4). */
export function IsUuidText(options?: ValidationOptions): PropertyDecorator {
  const says = (): string => '$property must be a UUID (8-4-4-4-12 hexadecimal digits)';
  return Checked('isUuidText', { type: 'string', format: 'uuid' }, isUuid, says, options);
}

/** Text with at least one character that is not white space, at most `max` characters. */
export function IsFilledText(max: number, options?: ValidationOptions): PropertyDecorator {
  return Checked(
    'isFilledText',
    { type: 'string', minLength: 1, maxLength: max },
    (value) => typeof value === 'string' && value.trim() !== '' && value.length <= max,
    () => `$property must be text of 1 to ${max} characters that is not only white space`,
    options,
  );
}

/** A JSON object (no array, no null) whose JSON text has at most `max` characters. */
export function IsJsonObject(max = 100_000, options?: ValidationOptions): PropertyDecorator {
  return Checked(
    'isJsonObject',
    { type: 'object', additionalProperties: true },
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && JSON.stringify(value).length <= max,
    () => `$property must be a JSON object of at most ${max} characters`,
    options,
  );
}

/** Leaves the other checks out when the field is absent; unlike `IsOptional`, null is not absence. */
export function IfPresent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

/** A query parameter that is a whole number of 1 to `max`. */
export function IsCount(max: number): PropertyDecorator {
  return Checked(
    'isCount',
    { type: 'integer', minimum: 1, maximum: max },
    (value) => typeof value === 'string' && /^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= max,
    () => `$property must be a whole number from 1 to ${max}`,
  );
}

/** A list of at most `max` objects that are each valid for a class. What such an object has beside its class's fields stays in it. */
export function IsListOf(type: new () => object, max: number): PropertyDecorator {
  return Checked(
    'isListOf',
    { maxItems: max },
    (value, field) => faultInList(field.property, value, type, max) === undefined,
    (field) => faultInList(field.property, field.value, type, max) ?? '',
  );
}

function faultInList(name: string, value: unknown, type: new () => object, max: number): string | undefined {
  if (!Array.isArray(value) || value.length > max) return `${name} must be a list of at most ${max} objects`;
  for (const [index, element] of (value as unknown[]).entries()) {
    if (typeof element !== 'object' || element === null || Array.isArray(element)) return `${name}[${index}] must be an object`;
    // As in the pipe: no object means to replace what every object has.
    const fields = Object.entries(element).filter(([field]) => !(field in Object.prototype));
    const [fault] = validateSync(Object.assign(new type(), Object.fromEntries(fields)), { forbidUnknownValues: false });
    if (fault) return complaintOf(fault, `${name}[${index}].`) ?? `${name}[${index}].${fault.property} is wrong`;
  }
  return undefined;
}
