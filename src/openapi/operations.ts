import type { Type } from '@nestjs/common';
import { GUARDS_METADATA, HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { hookClasses, type HookKinds } from '../core/hooks/index.js';
import { errorDefinitions, statusOfCode, type ErrorCode } from '../core/errors/index.js';
import {
  API_CONSUMES,
  ACCESS,
  API_RESPONSES,
  DEPRECATED_PATHS,
  OPERATION_ID,
  API_ERRORS,
  API_ERRORS_OF_HOOKS,
  UuidPipe,
  type ConsumedBody,
  type Access,
  type AdditionalResponse,
} from '../core/http/index.js';

/** One method of a controller. */
export interface Handler {
  readonly controller: Type;
  readonly method: string;
}

interface Parameter {
  readonly kind: RouteParamtypes;
  readonly name?: string;
  readonly pipes: unknown[];
}

const methodOf = ({ controller, method }: Handler): object => (controller.prototype as Record<string, object>)[method]!;

/** Metadata of an operation, or else of its controller. */
function metadataOf<T>(handler: Handler, key: string): T | undefined {
  return (Reflect.getMetadata(key, methodOf(handler)) ?? Reflect.getMetadata(key, handler.controller)) as T | undefined;
}

export const consumedBodies = (handler: Handler): ConsumedBody[] => metadataOf(handler, API_CONSUMES) ?? [];
export const additionalResponses = (handler: Handler): AdditionalResponse[] => metadataOf(handler, API_RESPONSES) ?? [];
export const operationIdOf = (handler: Handler): string | undefined => metadataOf(handler, OPERATION_ID);
export const hasHttpCode = (handler: Handler): boolean => Reflect.hasMetadata(HTTP_CODE_METADATA, methodOf(handler));

export function accessOf(handler: Handler, verb: string): Access {
  return metadataOf<Access>(handler, ACCESS) ?? (verb === 'get' ? 'read' : 'write');
}

/** The parameters that a method takes from the request. */
function parametersOf({ controller, method }: Handler): Parameter[] {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, { data?: string; pipes: unknown[] }>;
  return Object.entries(args).map(([key, { data, pipes }]) => ({ kind: Number(key.split(':')[0]), name: data, pipes }));
}

export function isUuidParameter(handler: Handler, name: string): boolean {
  return parametersOf(handler).some(({ kind, ...of }) => kind === RouteParamtypes.PARAM && of.name === name && of.pipes.includes(UuidPipe));
}

/** Whether responses of an operation at this path mark the path as deprecated. */
export function isDeprecatedPath(handler: Handler, path: string): boolean {
  return guardsOf(handler).some((guard) =>
    (Reflect.getMetadata(DEPRECATED_PATHS, guard) as ((path: string) => boolean) | undefined)?.(path),
  );
}

function guardsOf(handler: Handler): object[] {
  return [handler.controller, methodOf(handler)].flatMap((on) => (Reflect.getMetadata(GUARDS_METADATA, on) ?? []) as object[]);
}

/** All error codes of an operation by status: its own, those of its guards and pipes, and those of every operation. */
export function errorsOf(handler: Handler, verb: string): Map<number, ErrorCode[]> {
  const parameters = parametersOf(handler);
  const codes = new Set<ErrorCode>([
    ...declaredErrors(methodOf(handler)),
    ...declaredErrors(handler.controller),
    ...errorsOfHooks(methodOf(handler)),
    ...guardsOf(handler).flatMap(declaredErrors),
    ...parameters.flatMap(({ pipes }) => pipes.flatMap((pipe) => declaredErrors(pipe as object))),
    ...(accessOf(handler, verb) === 'public' ? [] : (['UNAUTHORIZED', 'FORBIDDEN'] as const)),
    ...(parameters.some(({ kind }) => kind === RouteParamtypes.BODY) || consumedBodies(handler).length > 0
      ? (['VALIDATION_ERROR', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      : []),
    ...(parameters.some(({ kind, name }) => kind === RouteParamtypes.QUERY && name === undefined) ? (['VALIDATION_ERROR'] as const) : []),
    ...(verb === 'get' ? [] : (['STORAGE_FULL'] as const)),
    // For the Idempotency-Key, which every POST accepts.
    ...(verb === 'post'
      ? (['VALIDATION_ERROR', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_OUTCOME_UNKNOWN'] as const)
      : []),
    'BAD_REQUEST',
    'RATE_LIMIT_EXCEEDED',
    'INTERNAL_ERROR',
    'SERVER_BUSY',
    'SERVER_STOPPING',
    'STORAGE_UNAVAILABLE',
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const [code] of errorDefinitions().filter(([known]) => codes.has(known))) {
    const status = statusOfCode(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function errorsOfHooks(on: object): ErrorCode[] {
  const kind = Reflect.getMetadata(API_ERRORS_OF_HOOKS, on) as keyof HookKinds | undefined;
  return kind === undefined ? [] : hookClasses(kind).flatMap(declaredErrors);
}

function declaredErrors(on: object): ErrorCode[] {
  return (Reflect.getMetadata(API_ERRORS, on) ?? []) as ErrorCode[];
}
