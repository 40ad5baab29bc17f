import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError } from '../errors/index.js';
import { checkedFields, validationErrorsOf } from './compiled-checks.js';
import { MAX_DEPTH, isTooDeep } from './depth.js';
import { validationMessage } from './validators.js';

/** Placeholder for a request body with a media type that no parser has read. */
export const UNSUPPORTED_BODY = Symbol('unread body');

/** Validated empty queries by class. Most queries are empty, and validating one takes longer than the rest of a read operation. */
const EMPTY_QUERIES = new Map<unknown, object>();

const PRIMITIVES = new Set<unknown>([String, Boolean, Number, Array, Object, undefined]);

/**
 * Validates request bodies and queries against their classes. Unknown fields are dropped. Values are not converted: `"30"` is not an
 * integer and `"false"` is not a boolean.
 *
 * @throws AppError VALIDATION_ERROR; the message names the first invalid field, the details all of them
 */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || metatype === undefined || PRIMITIVES.has(metatype)) return value;
    const emptyQuery = type === 'query' && isEmpty(value);
    const known = emptyQuery ? EMPTY_QUERIES.get(metatype) : undefined;
    if (known) return Object.assign(Object.create(metatype.prototype as object) as object, known);
    if (value === UNSUPPORTED_BODY) {
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
    const instance = instanceOf(metatype, value ?? {});
    if (isTooDeep(instance)) {
      throw new AppError(
        'VALIDATION_ERROR',
        'The request body is nested too deeply.',
        `Send at most ${MAX_DEPTH} levels of objects and lists.`,
      );
    }
    const faults = validationErrorsOf(instance, { whitelist: true }).flatMap((fault) => sentences(fault));
    for (const [field, text] of Object.entries(instance)) {
      // PostgreSQL cannot store NUL.
      if (typeof text === 'string' && text.includes('\0')) faults.push(`${field} must not contain the character NUL`);
    }
    if (faults.length > 0) throw new AppError('VALIDATION_ERROR', faults[0]!, faults.join('; '));
    if (emptyQuery) EMPTY_QUERIES.set(metatype, { ...instance });
    return instance;
  }
}

/**
 * Instantiates the class of a body, and recursively those of its fields. Unknown fields are not looked at, so that they cost nothing, and so
 * are fields that the class itself sets without a check.
 */
function instanceOf(metatype: new () => object, body: object): object {
  const fields = checkedFields(metatype);
  const instance = new metatype() as Record<string, unknown>;
  for (const field of fields) {
    if (!Object.hasOwn(body, field)) continue;
    const value = (body as Record<string, unknown>)[field];
    const type = isObject(value)
      ? (Reflect.getMetadata('design:type', metatype.prototype as object, field) as (new () => object) | undefined)
      : undefined;
    instance[field] = type === undefined || PRIMITIVES.has(type) ? value : instanceOf(type, value as object);
  }
  for (const field of Object.keys(instance)) if (!fields.has(field)) delete instance[field];
  return instance;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(value: unknown): boolean {
  for (const _ in value as object) return false;
  return true;
}

function nameOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function sentences(fault: ValidationError, path = ''): string[] {
  const own = validationMessage(fault, path);
  const children = (fault.children ?? []).flatMap((child) => sentences(child, `${path}${fault.property}.`));
  return own === undefined ? children : [own, ...children];
}
