import { UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';
import { checkedFields, ValidationPipe, type HttpRequest } from '../../core/http/index.js';

const pipe = new ValidationPipe();

/**
 * Refuses bodies with a field that their class does not have: what a protocol's client asks for is done or refused, not ignored. null asks
 * for nothing.
 */
export const KnownFields = (body: new () => object): MethodDecorator => UseGuards(new KnownFieldsGuard(body));

class KnownFieldsGuard implements CanActivate {
  constructor(private readonly body: new () => object) {}

  canActivate(context: ExecutionContext): true {
    assertKnownFields(context.switchToHttp().getRequest<HttpRequest>().body, this.body);
    return true;
  }
}

/** Checks the text fields of a form against their class, which has to have all of them. @throws AppError VALIDATION_ERROR naming the field */
export function formOf<T extends object>(fields: Record<string, unknown>, type: new () => T): T {
  assertKnownFields(fields, type);
  return pipe.transform(fields, { type: 'body', metatype: type }) as T;
}

function assertKnownFields(body: unknown, type: new () => object): void {
  // Other bodies are refused as such by the validation.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const known = checkedFields(type);
  const unknown = Object.entries(body).find(([name, value]) => !known.has(name) && value !== null && value !== undefined);
  if (unknown === undefined) return;
  const [name] = unknown;
  throw new AppError('VALIDATION_ERROR', `${name} is not supported here.`, `Leave it out. The fields are ${[...known].join(', ')}.`);
}
