import { Injectable, SetMetadata, type CanActivate, type ExecutionContext, type NestApplicationOptions } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response } from 'express';
import { SystemClock, type Clock } from '../clock/index.js';
import { onceForOperation } from './once-for-operation.js';
import { createExpressServer } from './express-messages.js';
import { runOperationsDirectly } from './direct-operations.js';
import { isLong, sendLongResponse } from './long-response.js';
import { indexRoutes } from './route-index.js';
import { ReadyJson, sendReadyJson } from './ready-json.js';
import { limitUnreadResponses } from './unread-responses.js';

const SHAPE = 'parley:envelope';

/** `plain`: {success, data}. `hybrid`: the payload's fields also next to `data`. `bare`: the payload alone. */
type Shape = 'plain' | 'hybrid' | 'bare';

/** Sends the payload's fields at the top level as well, for operations that are specified both ways (contract 0.3). */
export const HybridEnvelope = (): MethodDecorator & ClassDecorator => SetMetadata<string, Shape>(SHAPE, 'hybrid');
/** Sends the payload without an envelope, for example for health probes. */
export const NoEnvelope = (): MethodDecorator & ClassDecorator => SetMetadata<string, Shape>(SHAPE, 'bare');

/**
 * Stores the envelope of the operation in the response. It is a guard because guards cost next to nothing, while an interceptor wraps
 * every operation in observables (bench/README.md).
 */
@Injectable()
export class EnvelopeGuard implements CanActivate {
  private readonly shapeOf = onceForOperation(envelopeOf);

  canActivate(context: ExecutionContext): true {
    const shape = this.shapeOf(context);
    if (shape) context.switchToHttp().getResponse<Response>().locals[SHAPE] = shape;
    return true;
  }
}

/** The envelope declared on an operation or its controller; undefined for the plain one. */
export function envelopeOf(handler: object, controller: object): Shape | undefined {
  return (Reflect.getMetadata(SHAPE, handler) ?? Reflect.getMetadata(SHAPE, controller)) as Shape | undefined;
}

/** Wraps every successful payload in its envelope, `{ success: true, data: <payload> }`, sends ready bodies as they are, and long lists in slices. */
export class EnvelopeAdapter extends ExpressAdapter {
  constructor(
    private readonly clock: Clock = new SystemClock(),
    limits?: Parameters<typeof limitUnreadResponses>[1],
  ) {
    super();
    if (limits) limitUnreadResponses(this.getInstance<Express>(), limits);
    runOperationsDirectly();
    indexRoutes(this.getInstance<Express>());
  }

  /** Of Nest's options, only `forceCloseConnections` applies. */
  override initHttpServer({ forceCloseConnections }: NestApplicationOptions = {}): void {
    this.setHttpServer(createExpressServer(this.getInstance<Express>()));
    if (forceCloseConnections) (this as unknown as { trackOpenConnections(): void }).trackOpenConnections();
  }

  override reply(response: Response, payload: unknown, status?: number): unknown {
    if (payload === undefined) return isFinished(response) ? undefined : super.reply(response, payload, status);
    if (!response.headersSent) response.setHeader('Cache-Control', 'no-store');
    if (payload instanceof ReadyJson) {
      if (status !== undefined) response.status(status);
      return sendReadyJson(response.req, response, payload);
    }
    const body = envelope(payload, response.locals[SHAPE] as Shape | undefined);
    if (!isLong(body)) return super.reply(response, body, status);
    if (status !== undefined) response.status(status);
    return sendLongResponse(response, body, this.clock);
  }
}

/** Whether the operation has written the response itself, or there is none to write because the client has disconnected. */
function isFinished(response: Response): boolean {
  return response.headersSent || response.closed;
}

function envelope(payload: unknown, shape: Shape = 'plain'): unknown {
  if (shape === 'bare') return payload;
  return shape === 'hybrid' ? { ...(payload as object), success: true, data: payload } : { success: true, data: payload };
}
