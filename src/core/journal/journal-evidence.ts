import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/index.js';
import type { FaultEvidence } from '../faults/index.js';
import { Journal } from './journal.js';

/** The positions of the journal: stored, committed by this process, delivered to its readers, and deleted. */
@Injectable()
export class JournalEvidence implements FaultEvidence {
  readonly name = 'journal';

  constructor(
    private readonly journal: Journal,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async collect(): Promise<unknown> {
    const { tail } = this.journal;
    const { committedTo } = this.unitOfWork;
    const [head, floor] = await Promise.all([this.journal.head(), this.journal.floor()]);
    return { head, floor, tail, committedTo };
  }
}
