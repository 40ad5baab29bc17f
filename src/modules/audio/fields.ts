import { ValidationPipe } from '../../core/http/index.js';

const pipe = new ValidationPipe();

/** The text fields of a form as their class. @throws AppError VALIDATION_ERROR naming the field */
export function readFields<T extends object>(fields: Record<string, unknown>, metatype: new () => T): T {
  return pipe.transform(fields, { type: 'body', metatype }) as T;
}
