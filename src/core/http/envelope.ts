import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Response } from 'express';
import { SystemClock, type Clock } from '../clock/index.js';
import { isLong, sendLongAnswer } from './long-answer.js';

const SHAPE = 'parley:envelope';

/** `plain`: {success, data}. `hybrid`: the payload's fields also beside `data`. `bare`: as the method returned it. */
type Shape = 'plain' | 'hybrid' | 'bare';

/** Also shows the payload's fields at the top level, for operations that are described both ways (contract 0.3). */
export const Hybrid = (): MethodDecorator & ClassDecorator => SetMetadata<string, Shape>(SHAPE, 'hybrid');
/** Leaves the answer as it is: health probes and the like that no envelope is defined for. */
export const Bare = (): MethodDecorator & ClassDecorator => SetMetadata<string, Shape>(SHAPE, 'bare');

/**
 * Notes for each answer which envelope its operation has. A guard, because it is asked before every operation and costs
 * next to nothing: an interceptor puts a chain of observables around each (bench/README.md).
 */
@Injectable()
export class EnvelopeGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const shape = envelopeOf(context.getHandler(), context.getClass());
    if (shape) context.switchToHttp().getResponse<Response>().locals[SHAPE] = shape;
    return true;
  }
}

/** The envelope that is written on an operation or its controller; undefined for the plain one. */
export function envelopeOf(handler: object, controller: object): Shape | undefined {
  return (Reflect.getMetadata(SHAPE, handler) ?? Reflect.getMetadata(SHAPE, controller)) as Shape | undefined;
}

/** Gives every success of an operation its envelope, `{ success: true, data: <payload> }`, and sends long lists in slices. */
export class EnvelopeAdapter extends ExpressAdapter {
  constructor(private readonly clock: Clock = new SystemClock()) {
    super();
  }

  override reply(response: Response, payload: unknown, status?: number): unknown {
    // Without a payload: an operation without a body (204), or one that has written its answer itself.
    if (payload !== undefined && !response.headersSent) response.setHeader('Cache-Control', 'no-store');
    const body = payload === undefined ? undefined : envelope(payload, response.locals[SHAPE] as Shape | undefined);
    if (!isLong(body)) return super.reply(response, body, status);
    if (status !== undefined) response.status(status);
    return sendLongAnswer(response, body, this.clock);
  }
}

function envelope(payload: unknown, shape: Shape = 'plain'): unknown {
  if (shape === 'bare') return payload;
  return shape === 'hybrid' ? { ...(payload as object), success: true, data: payload } : { success: true, data: payload };
}
