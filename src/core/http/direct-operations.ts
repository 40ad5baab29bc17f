import { ForbiddenException, type ArgumentMetadata, type CanActivate, type PipeTransform } from '@nestjs/common';
import { REDIRECT_METADATA, RENDER_METADATA } from '@nestjs/common/constants.js';
import type { RouteParamtypes } from '@nestjs/common/internal';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { FORBIDDEN_MESSAGE } from '@nestjs/core/guards/constants.js';
import { STATIC_CONTEXT } from '@nestjs/core/injector/constants.js';
import { ParamsTokenFactory } from '@nestjs/core/pipes/params-token-factory.js';
import { RouterExecutionContext, type ParamProperties } from '@nestjs/core/router/router-execution-context.js';
import { RouterProxy } from '@nestjs/core/router/router-proxy.js';
import type { HttpRequest, HttpResponse } from './express.js';
import { PagedList } from './paged-list.js';
import { ReadyJson } from './ready-json.js';

let installed = false;

type Next = (error?: unknown) => void;
type Create = RouterExecutionContext['create'];
type Handler = (request: HttpRequest, response: HttpResponse, next: Next) => unknown;
type Respond = (result: unknown, request: HttpRequest, response: HttpResponse) => unknown;
type OperationMetadata = ReturnType<RouterExecutionContext['getMetadata']>;

/** The parts of Nest's class that are used here; some are private. */
interface Nest extends Pick<RouterExecutionContext, 'getMetadata' | 'isPipeable' | 'applicationRef'> {
  readonly contextUtils: {
    mergeParamsMetatypes(params: ParamProperties[], types: unknown): (ParamProperties & { metatype?: ArgumentMetadata['metatype'] })[];
  };
  readonly pipesContextCreator: { create(...of: unknown[]): PipeTransform[] };
  readonly guardsContextCreator: { create(...of: unknown[]): CanActivate[] };
  readonly interceptorsContextCreator: { create(...of: unknown[]): unknown[] };
  isResponseHandled(instance: object, methodName: string, params: ParamProperties[]): boolean;
}

interface Parameter {
  readonly index: number;
  readonly extract: ParamProperties['extractValue'];
  readonly pipes: readonly PipeTransform[];
  readonly metadata: ArgumentMetadata;
}

/**
 * Lets Nest run an operation without promises of its own. By default it makes about 20 for each request: one around every guard, pipe and
 * parameter, and a chain for the result. Here a step is only waited for when it returns a promise, in the same order and with the same first
 * error. Operations with interceptors, event streams of Nest, redirects, templates or request scope keep Nest's own way.
 *
 * It replaces methods of two internal classes of Nest; `test/medium/direct-operations.spec.ts` compares both ways.
 */
export function runOperationsDirectly(): void {
  if (installed) return;
  installed = true;
  const operations = RouterExecutionContext.prototype as { create: (this: unknown, ...given: Parameters<Create>) => unknown };
  const original = operations.create;
  operations.create = function create(this: unknown, ...given) {
    return directOperation(this as Nest, given) ?? original.apply(this, given);
  };
  const proxies = RouterProxy.prototype as { createProxy: unknown };
  proxies.createProxy = withFilters;
  // Nest's own creates three functions for each call.
  Object.assign(ExecutionContextHost.prototype, {
    switchToHttp(this: ExecutionContextHost) {
      return this;
    },
    getRequest(this: ExecutionContextHost): unknown {
      return this.getArgs()[0];
    },
    getResponse(this: ExecutionContextHost): unknown {
      return this.getArgs()[1];
    },
    getNext(this: ExecutionContextHost): unknown {
      return this.getArgs()[2];
    },
  });
}

/** @returns undefined for operations that keep Nest's own way */
function directOperation(nest: Nest, given: Parameters<Create>): Handler | undefined {
  const [instance, callback, methodName, moduleKey, requestMethod, contextId = STATIC_CONTEXT, inquirerId] = given;
  const owner = [instance, callback, moduleKey, contextId, inquirerId];
  const operation = nest.getMetadata(instance, callback, methodName, moduleKey, requestMethod, 'http');
  if (isSpecial(operation, callback) || contextId !== STATIC_CONTEXT) return undefined;
  if (nest.interceptorsContextCreator.create(...owner).length > 0) return undefined;
  const params = operation.getParamsMetadata(moduleKey, contextId, inquirerId);
  const merged = nest.contextUtils.mergeParamsMetatypes(params, operation.paramtypes);
  const parameters = parametersOf(nest, merged, nest.pipesContextCreator.create(...owner));
  const guards = nest.guardsContextCreator.create(...owner);
  const controller = instance.constructor as ConstructorParameters<typeof ExecutionContextHost>[1];
  const respond = responder(nest, operation, nest.isResponseHandled(instance, methodName, params));

  const call = (args: unknown[], request: HttpRequest, response: HttpResponse): unknown => {
    const result = callback.apply(instance, args);
    return isThenable(result)
      ? Promise.resolve(result).then((settled) => respond(settled, request, response))
      : respond(result, request, response);
  };
  const run = (request: HttpRequest, response: HttpResponse, next: Next): unknown => {
    response.statusCode = operation.httpStatusCode;
    const args = new Array<unknown>(operation.argsLength).fill(undefined);
    const pending = fill(args, parameters, request, response, next);
    return pending === undefined ? call(args, request, response) : pending.then(() => call(args, request, response));
  };
  if (guards.length === 0) return run;
  return (request, response, next) => {
    const pending = activate(guards, 0, new ExecutionContextHost([request, response, next], controller, callback));
    return pending === undefined ? run(request, response, next) : pending.then(() => run(request, response, next));
  };
}

/** Whether Nest handles an operation in a way of its own. */
function isSpecial({ isSseHandler, hasCustomHeaders }: OperationMetadata, callback: object): boolean {
  if (isSseHandler || hasCustomHeaders) return true;
  return Reflect.hasMetadata(REDIRECT_METADATA, callback) || Reflect.hasMetadata(RENDER_METADATA, callback);
}

/** Sends the result of an operation. @param writesItself whether the operation writes its response */
function responder(nest: Nest, { fnHandleResponse }: OperationMetadata, writesItself: boolean): Respond {
  return (result, request, response) => {
    if (!isPlain(result)) return (fnHandleResponse as (...args: unknown[]) => unknown)(result, response, request);
    return writesItself ? undefined : (nest.applicationRef.reply(response, result) as unknown);
  };
}

function parametersOf(
  nest: Nest,
  params: readonly (ParamProperties & { metatype?: ArgumentMetadata['metatype'] })[],
  shared: readonly PipeTransform[],
): Parameter[] {
  const tokens = new ParamsTokenFactory();
  return params.map(({ index, extractValue, type, data, metatype, schema, pipes }) => ({
    index,
    extract: extractValue,
    pipes: nest.isPipeable(type) ? [...shared, ...pipes] : [],
    metadata: { metatype, type: tokens.exchangeEnumForString(type as RouteParamtypes), data: data as string, schema },
  }));
}

/** Runs the guards one after another. @returns a promise only when one of them does */
function activate(guards: readonly CanActivate[], first: number, context: ExecutionContextHost): Promise<void> | undefined {
  for (let position = first; position < guards.length; position++) {
    const allowed = guards[position]!.canActivate(context);
    if (allowed === true) continue;
    if (!isThenable(allowed)) throw new ForbiddenException(FORBIDDEN_MESSAGE);
    return Promise.resolve(allowed).then((settled) => {
      if (!settled) throw new ForbiddenException(FORBIDDEN_MESSAGE);
      return activate(guards, position + 1, context);
    });
  }
  return undefined;
}

/**
 * Fills the arguments. The first pipe of each parameter runs before the second of any, so that of several errors the same one is reported as
 * when the parameters are waited for together.
 */
function fill(
  args: unknown[],
  parameters: readonly Parameter[],
  ...request: [HttpRequest, HttpResponse, Next]
): Promise<unknown> | undefined {
  let later = false;
  for (const { index, extract, pipes } of parameters) {
    const value = (args[index] = extract(...request) as unknown);
    if (pipes.length > 0 && isThenable(value)) later = true;
  }
  for (let round = 0; !later; round++) {
    let some = false;
    for (const { index, pipes, metadata } of parameters) {
      if (round >= pipes.length) continue;
      some = true;
      const value = (args[index] = pipes[round]!.transform(args[index], metadata) as unknown);
      if (isThenable(value)) later = true;
    }
    if (!some) return undefined;
    if (later) return Promise.all(parameters.map((each) => transformed(args, each, round + 1)));
  }
  return Promise.all(parameters.map((each) => transformed(args, each, 0)));
}

async function transformed(args: unknown[], { index, pipes, metadata }: Parameter, first: number): Promise<void> {
  if (pipes.length === 0) return;
  let value = await args[index];
  for (const pipe of pipes.slice(first)) value = (await pipe.transform(value, metadata)) as unknown;
  args[index] = value;
}

/** Passes the errors of an operation to its filters. */
function withFilters(target: Handler, filters: { next(error: unknown, host: ExecutionContextHost): void }): Handler {
  return (request, response, next) => {
    const fail = (error: unknown): void => filters.next(error, new ExecutionContextHost([request, response, next]));
    try {
      const pending = target(request, response, next);
      return pending instanceof Promise ? pending.then(undefined, fail) : undefined;
    } catch (error) {
      return fail(error);
    }
  };
}

/** Whether a result is not an observable, a stream or another object that Nest treats in its own way. */
function isPlain(result: unknown): boolean {
  if (typeof result !== 'object' || result === null) return typeof result !== 'function';
  const prototype: unknown = Object.getPrototypeOf(result);
  return prototype === Object.prototype || Array.isArray(result) || result instanceof ReadyJson || result instanceof PagedList;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
