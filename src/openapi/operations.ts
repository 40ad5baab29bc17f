import type { Type } from '@nestjs/common';
import { GUARDS_METADATA, HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ERROR_CODES, statusOfCode, type ErrorCode } from '../core/errors/index.js';
import {
  ACCEPTS,
  ACCESS,
  ANSWERS,
  MARKS_OLDER,
  REFUSES,
  UuidPipe,
  type AcceptedBody,
  type Access,
  type OtherAnswer,
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

const bodyOf = ({ controller, method }: Handler): object => (controller.prototype as Record<string, object>)[method]!;

/** What is written on an operation, or else on its controller. */
function written<T>(handler: Handler, key: string): T | undefined {
  return (Reflect.getMetadata(key, bodyOf(handler)) ?? Reflect.getMetadata(key, handler.controller)) as T | undefined;
}

export const acceptedBodies = (handler: Handler): AcceptedBody[] => written(handler, ACCEPTS) ?? [];
export const otherAnswers = (handler: Handler): OtherAnswer[] => written(handler, ANSWERS) ?? [];
export const hasOwnStatus = (handler: Handler): boolean => Reflect.hasMetadata(HTTP_CODE_METADATA, bodyOf(handler));

export function accessOf(handler: Handler, verb: string): Access {
  return written<Access>(handler, ACCESS) ?? (verb === 'get' ? 'read' : 'write');
}

/** The parameters that the method takes from the request. */
function parametersOf({ controller, method }: Handler): Parameter[] {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<string, { data?: string; pipes: unknown[] }>;
  return Object.entries(args).map(([key, { data, pipes }]) => ({ kind: Number(key.split(':')[0]), name: data, pipes }));
}

export function isUuidParameter(handler: Handler, name: string): boolean {
  return parametersOf(handler).some(({ kind, ...of }) => kind === RouteParamtypes.PARAM && of.name === name && of.pipes.includes(UuidPipe));
}

/** Whether the answers of an operation at this path say that the path is an older one. */
export function isOlderPath(handler: Handler, path: string): boolean {
  return guardsOf(handler).some((guard) => (Reflect.getMetadata(MARKS_OLDER, guard) as ((path: string) => boolean) | undefined)?.(path));
}

function guardsOf(handler: Handler): object[] {
  return [handler.controller, bodyOf(handler)].flatMap((on) => (Reflect.getMetadata(GUARDS_METADATA, on) ?? []) as object[]);
}

/** Every code that an operation may answer with: its own, those of its guards and pipes, and those of every operation. */
export function refusalsOf(handler: Handler, verb: string): Map<number, ErrorCode[]> {
  const parameters = parametersOf(handler);
  const codes = new Set<ErrorCode>([
    ...refusedBy(bodyOf(handler)),
    ...refusedBy(handler.controller),
    ...guardsOf(handler).flatMap(refusedBy),
    ...parameters.flatMap(({ pipes }) => pipes.flatMap((pipe) => refusedBy(pipe as object))),
    ...(accessOf(handler, verb) === 'public' ? [] : (['UNAUTHORIZED', 'FORBIDDEN'] as const)),
    ...(parameters.some(({ kind }) => kind === RouteParamtypes.BODY) || acceptedBodies(handler).length > 0
      ? (['VALIDATION_ERROR', 'INVALID_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      : []),
    ...(parameters.some(({ kind, name }) => kind === RouteParamtypes.QUERY && name === undefined) ? (['VALIDATION_ERROR'] as const) : []),
    ...(verb === 'get' ? [] : (['STORAGE_FULL'] as const)),
    // Of the Idempotency-Key, which every POST may carry.
    ...(verb === 'post'
      ? (['VALIDATION_ERROR', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_OUTCOME_UNKNOWN'] as const)
      : []),
    'BAD_REQUEST',
    'RATE_LIMIT_EXCEEDED',
    'INTERNAL_ERROR',
    'SERVER_STOPPING',
    'STORAGE_UNAVAILABLE',
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of (Object.keys(ERROR_CODES) as ErrorCode[]).filter((known) => codes.has(known))) {
    const status = statusOfCode(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

function refusedBy(on: object): ErrorCode[] {
  return (Reflect.getMetadata(REFUSES, on) ?? []) as ErrorCode[];
}
