import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';

/** Lets an operation ask for what only the program around the application can do: stop it. */
@Injectable()
export class StopRequests {
  private stop: (() => void) | undefined;

  /** @param stop drains the server and ends it; may be called more than once */
  listen(stop: () => void): void {
    this.stop = stop;
  }

  /** @returns what to call when the answer is out. @throws AppError CONFLICT when nobody has said how to stop the server */
  accept(): () => void {
    if (this.stop) return this.stop;
    throw new AppError('CONFLICT', 'The server runs inside another program.', 'That program has to stop it.');
  }
}
