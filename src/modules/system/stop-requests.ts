import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/index.js';

/** Passes stop requests to the program that runs the application. */
@Injectable()
export class StopRequests {
  private stop: (() => void) | undefined;

  /** @param stop drains and stops the server; may be called more than once */
  setHandler(stop: () => void): void {
    this.stop = stop;
  }

  /** @returns the function to call after the response is sent. @throws AppError CONFLICT when no handler is set */
  accept(): () => void {
    if (this.stop) return this.stop;
    throw new AppError('CONFLICT', 'The server runs inside another program.', 'Stop that program instead.');
  }
}
