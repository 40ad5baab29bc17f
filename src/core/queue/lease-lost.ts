import { AppError } from '../errors/index.js';

/** Thrown when another process has claimed, cancelled or ended the job. Expected in normal operation. */
export class LeaseLost extends AppError {
  constructor() {
    super('CONFLICT', 'Another process holds the job, or it has ended.');
  }
}
