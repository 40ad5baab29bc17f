import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { AppError } from '../errors/index.js';

/** Stands for a request body that was sent in a media type which nothing on the way could read. */
export const UNREAD_BODY = Symbol('unread body');

// What walks through a body recurses; this is far from where that fails, and farther from what anybody means.
const DEEPEST = 200;

const PLAIN = new Set<unknown>([String, Boolean, Number, Array, Object, undefined]);

/**
 * Checks request bodies and queries against their classes. Unknown keys are dropped and nothing is converted:
 * `"30"` is no integer and `"false"` is no boolean.
 *
 * @throws AppError VALIDATION_ERROR whose message names the first field at fault and whose details name all
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || metatype === undefined || PLAIN.has(metatype)) return value;
    if (value === UNREAD_BODY) {
      throw new AppError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The request body has a media type this operation does not read.',
        'Send JSON with Content-Type: application/json.',
      );
    }
    if (type === 'body' && !isObject(value)) {
      throw new AppError(
        'VALIDATION_ERROR',
        'The request body must be a JSON object.',
        `It was ${value === undefined ? 'empty' : nameOf(value)}; send an object with Content-Type: application/json.`,
      );
    }
    if (isDeeperThan(value, DEEPEST)) {
      throw new AppError(
        'VALIDATION_ERROR',
        'The request body is nested too deeply.',
        `Send at most ${DEEPEST} levels of objects and lists.`,
      );
    }
    const instance = instanceOf(metatype, (value ?? {}) as Record<string, unknown>);
    const faults = validateSync(instance, { whitelist: true, forbidUnknownValues: false, stopAtFirstError: true }).flatMap((fault) =>
      sentences(fault),
    );
    for (const [field, text] of Object.entries(instance)) {
      // PostgreSQL cannot keep it, and nobody means it.
      if (typeof text === 'string' && text.includes('\0')) faults.push(`${field} must not contain the character NUL`);
    }
    if (faults.length > 0) throw new AppError('VALIDATION_ERROR', faults[0]!, faults.join('; '));
    return instance;
  }
}

/** A body as its class. Values without a class of their own are kept as they came: class-transformer would read meaning into some keys. */
function instanceOf(metatype: new () => object, body: Record<string, unknown>): object {
  // No body has fields with the names of what every object has; as a field of the instance they would break it.
  const fields = Object.entries(body).filter(([field]) => !(field in Object.prototype));
  const hasClass = ([field]: [string, unknown]): boolean =>
    !PLAIN.has(Reflect.getMetadata('design:type', metatype.prototype as object, field) as unknown);
  return Object.assign(
    plainToInstance(metatype, Object.fromEntries(fields.filter(hasClass)), { exposeUnsetFields: false }),
    Object.fromEntries(fields.filter((field) => !hasClass(field))),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(part, levels - 1));
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function sentences(fault: ValidationError, path = ''): string[] {
  const field = path === '' ? fault.property : `${path}.${fault.property}`;
  const own = Object.values(fault.constraints ?? {}).map((text) => (path === '' ? text : text.replace(fault.property, field)));
  return [...own, ...(fault.children ?? []).flatMap((child) => sentences(child, field))];
}
