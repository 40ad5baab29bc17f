import { AppError } from '../../core/errors/index.js';
import { WorkerFault } from '../../core/workers/index.js';

/** What a fault of an engine's worker means to a caller; anything else is passed on as it is. */
export function engineFault(error: unknown, engine: string, hint: string): unknown {
  if (!(error instanceof WorkerFault)) return error;
  switch (error.kind) {
    case 'busy':
      return new AppError('AUDIO_BUSY', `The engine ${engine} has more to do than it can.`, 'Wait as Retry-After says.', error).retryAfter(
        5,
      );
    case 'closed':
      return new AppError('SERVER_STOPPING', `The engine ${engine} is shut down.`);
    case 'slow':
      return new AppError('MODEL_UNAVAILABLE', `The engine ${engine} was not done in time.`, hint, error);
    case 'failed':
      return new AppError('MODEL_UNAVAILABLE', `The engine ${engine} failed.`, hint, error);
    case 'died':
      return new AppError('MODEL_UNAVAILABLE', `The engine ${engine} stopped unexpectedly.`, hint, error);
  }
}
