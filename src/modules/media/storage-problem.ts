import { Injectable } from '@nestjs/common';
import type { Problem, ProblemSource } from '../../core/health/index.js';
import { FileStorage } from '../../providers/storage/index.js';

/** The store of uploaded files, while it fails in this process. */
@Injectable()
export class StorageProblem implements ProblemSource {
  constructor(private readonly storage: FileStorage) {}

  async problems(): Promise<Problem[]> {
    const { fault } = this.storage;
    return fault ? [{ kind: 'storage', ...fault }] : [];
  }
}
