import { ValidationPipe } from '../../core/http/index.js';

const pipe = new ValidationPipe();

/** Validates the text fields of a form against their class. @throws AppError VALIDATION_ERROR naming the field */
export function validateFields<T extends object>(fields: Record<string, unknown>, metatype: new () => T): T {
  return pipe.transform(fields, { type: 'body', metatype }) as T;
}
