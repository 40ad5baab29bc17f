import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { SystemClock, type Clock } from '../clock/index.js';
import { isLong, sendLongResponse } from './long-response.js';

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
  canActivate(context: ExecutionContext): true {
    const shape = envelopeOf(context.getHandler(), context.getClass());
    if (shape) context.switchToHttp().getResponse<Response>().locals[SHAPE] = shape;
    return true;
  }
}

/** The envelope declared on an operation or its controller; undefined for the plain one. */
export function envelopeOf(handler: object, controller: object): Shape | undefined {
  return (Reflect.getMetadata(SHAPE, handler) ?? Reflect.getMetadata(SHAPE, controller)) as Shape | undefined;
}

/** Wraps every successful payload in its envelope, `{ success: true, data: <payload> }`, and sends long lists in slices. */
export class EnvelopeAdapter extends ExpressAdapter {
  constructor(private readonly clock: Clock = new SystemClock()) {
    super();
  }

  override reply(response: Response, payload: unknown, status?: number): unknown {
    // No payload: a response without a body (204), or one that the operation has written itself.
    if (payload !== undefined && !response.headersSent) response.setHeader('Cache-Control', 'no-store');
    const body = payload === undefined ? undefined : envelope(payload, response.locals[SHAPE] as Shape | undefined);
    if (!isLong(body)) return super.reply(response, body, status);
    if (status !== undefined) response.status(status);
    return sendLongResponse(response, body, this.clock);
  }
}

function envelope(payload: unknown, shape: Shape = 'plain'): unknown {
  if (shape === 'bare') return payload;
  return shape === 'hybrid' ? { ...(payload as object), success: true, data: payload } : { success: true, data: payload };
}
