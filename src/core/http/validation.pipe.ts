import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { AppError } from '../errors/index.js';
import { DEEPEST, isTooDeep } from './depth.js';
import { complaintOf } from './validators.js';

/** Stands for a request body that was sent in a media type which nothing on the way could read. */
export const UNREAD_BODY = Symbol('unread body');

/** What an empty query becomes, per class: most requests have none, and checking it costs more than the rest of a read. */
const OF_NOTHING = new Map<unknown, object>();

const FIELDS = new Map<unknown, ReadonlySet<string>>();
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
    const nothing = type === 'query' && isEmpty(value);
    const known = nothing ? OF_NOTHING.get(metatype) : undefined;
    if (known) return Object.assign(Object.create(metatype.prototype as object) as object, known);
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
    if (isTooDeep(value)) {
      throw new AppError(
        'VALIDATION_ERROR',
        'The request body is nested too deeply.',
        `Send at most ${DEEPEST} levels of objects and lists.`,
      );
    }
    const instance = instanceOf(metatype, value ?? {});
    const faults = validateSync(instance, { whitelist: true, forbidUnknownValues: false }).flatMap((fault) => sentences(fault));
    for (const [field, text] of Object.entries(instance)) {
      // PostgreSQL cannot keep it, and nobody means it.
      if (typeof text === 'string' && text.includes('\0')) faults.push(`${field} must not contain the character NUL`);
    }
    if (faults.length > 0) throw new AppError('VALIDATION_ERROR', faults[0]!, faults.join('; '));
    if (nothing) OF_NOTHING.set(metatype, { ...instance });
    return instance;
  }
}

/** A body as its class, and its parts as theirs. What the class does not know is left out before anything walks over it. */
function instanceOf(metatype: new () => object, body: object): object {
  const given = Object.entries(body).filter(([field]) => fieldsOf(metatype).has(field)) as [string, unknown][];
  const instance = new metatype();
  for (const [field, value] of given) {
    const type = Reflect.getMetadata('design:type', metatype.prototype as object, field) as (new () => object) | undefined;
    const whole = PLAIN.has(type) || type === undefined || !isObject(value);
    Object.assign(instance, { [field]: whole ? value : instanceOf(type, value) });
  }
  return instance;
}

/** Names of the fields that a class has checks for. */
function fieldsOf(metatype: new () => object): ReadonlySet<string> {
  let fields = FIELDS.get(metatype);
  if (!fields) {
    const checks = getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false);
    FIELDS.set(metatype, (fields = new Set(checks.map(({ propertyName }) => propertyName))));
  }
  return fields;
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
  const own = complaintOf(fault, path);
  const children = (fault.children ?? []).flatMap((child) => sentences(child, `${path}${fault.property}.`));
  return own === undefined ? children : [own, ...children];
}
