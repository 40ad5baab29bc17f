import { Injectable, SetMetadata, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';

const SHAPE = 'parley:envelope';

/** `plain`: {success, data}. `hybrid`: the payload's fields also beside `data`. `bare`: as the method returned it. */
type Shape = 'plain' | 'hybrid' | 'bare';

/** Also shows the payload's fields at the top level, for operations that are described both ways (contract 0.3). */
export const Hybrid = (): MethodDecorator & ClassDecorator => SetMetadata<string, Shape>(SHAPE, 'hybrid');
/** Leaves the answer as it is: health probes and the like that no envelope is defined for. */
export const Bare = (): MethodDecorator & ClassDecorator => SetMetadata<string, Shape>(SHAPE, 'bare');

/** Gives every success its envelope: `{ success: true, data: <payload> }`. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (context.getType() !== 'http') return next.handle();
    const shape = shapeOf(context);
    return shape === 'bare' ? next.handle() : next.handle().pipe(map((payload: unknown) => envelope(payload, shape)));
  }
}

function shapeOf(context: ExecutionContext): Shape {
  const own = Reflect.getMetadata(SHAPE, context.getHandler()) as Shape | undefined;
  return own ?? (Reflect.getMetadata(SHAPE, context.getClass()) as Shape | undefined) ?? 'plain';
}

function envelope(payload: unknown, shape: 'plain' | 'hybrid'): unknown {
  // An operation without a body (204), or one that has written its answer itself.
  if (payload === undefined) return undefined;
  return shape === 'hybrid' ? { ...(payload as object), success: true, data: payload } : { success: true, data: payload };
}
