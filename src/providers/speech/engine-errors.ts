import { AppError } from '../../core/errors/index.js';
import { WorkerError } from '../../core/workers/index.js';

/** Converts a worker fault to an AppError; other errors are returned unchanged. */
export function toEngineError(error: unknown, engine: string, hint: string): unknown {
  if (!(error instanceof WorkerError)) return error;
  switch (error.kind) {
    case 'busy':
      return new AppError('AUDIO_BUSY', `The engine ${engine} is busy.`, 'Retry after the time in Retry-After.', error).retryAfter(5);
    case 'closed':
      return new AppError('SERVER_STOPPING', `The engine ${engine} is shutting down.`);
    case 'slow':
      return new AppError('MODEL_UNAVAILABLE', `The engine ${engine} timed out.`, hint, error);
    case 'failed':
      return new AppError('MODEL_UNAVAILABLE', `The engine ${engine} failed.`, hint, error);
    case 'died':
      return new AppError('MODEL_UNAVAILABLE', `The engine ${engine} stopped unexpectedly.`, hint, error);
  }
}
