import { Injectable, type PipeTransform } from '@nestjs/common';
import { ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';
import { AppError } from '../errors/index.js';
import { isUuid } from '../ids/index.js';

/** Reads an id from the path. @throws AppError INVALID_ID naming the parameter */
@Injectable()
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

/** A UUID of any version as text (contract 0.4). */
export function IsUuidText(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isUuidText',
      validator: { validate: isUuid, defaultMessage: () => '$property must be a UUID (8-4-4-4-12 hexadecimal digits)' },
    },
    options,
  );
}

/** Text with at least one character that is not white space, at most `max` characters. */
export function IsFilledText(max: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isFilledText',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= max,
        defaultMessage: () => `$property must be text of 1 to ${max} characters that is not only white space`,
      },
    },
    options,
  );
}

/** A JSON object (no array, no null) whose JSON text has at most `max` characters. */
export function IsJsonObject(max = 100_000, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isJsonObject',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'object' && value !== null && !Array.isArray(value) && JSON.stringify(value).length <= max,
        defaultMessage: () => `$property must be a JSON object of at most ${max} characters`,
      },
    },
    options,
  );
}

/** Leaves the other checks out when the field is absent; unlike `IsOptional`, null is not absence. */
export function IfPresent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
