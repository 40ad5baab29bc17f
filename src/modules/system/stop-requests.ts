import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../core/audit/index.js';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';

/** Passes stop requests to the program that runs the application. */
@Injectable()
export class StopRequests {
  private stop: (() => void) | undefined;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @param stop drains and stops the server; may be called more than once */
  setHandler(stop: () => void): void {
    this.stop = stop;
  }

  /** @returns the function to call after the response is sent. @throws AppError CONFLICT when no handler is set */
  async accept(): Promise<() => void> {
    const { stop } = this;
    if (!stop) throw new AppError('CONFLICT', 'The server runs inside another program.', 'Stop that program instead.');
    const entry = { target: ['server', 'server'], summary: 'Stopped the server.' } as const;
    await this.unitOfWork.commit([auditEntry('server.stopped', entry, this.clock.now())]);
    return stop;
  }
}
