import type { Config } from '../../core/config/index.js';
import type { Schema } from '../../core/database/index.js';

/** What a check found. */
export interface Finding {
  /** The subject, for programs that read the list: `credentials`, `backups`. */
  readonly check: string;
  readonly level: 'ok' | 'warning' | 'error';
  /** The fact. It contains no secret. */
  readonly message: string;
  /** What to do, with the name of the variable; absent when nothing has to be done. */
  readonly remedy?: string;
}

/** What checks look at. */
export interface Subject {
  readonly config: Config;
  readonly schema: Schema;
  /** Epoch ms. */
  readonly now: number;
}

/** Looks at one subject, and changes nothing. An error that it throws becomes a finding. */
export type Check = (subject: Subject) => Finding[] | Promise<Finding[]>;

/** The findings of one subject. */
export class Findings {
  readonly list: Finding[] = [];

  constructor(private readonly check: string) {}

  ok(message: string): void {
    this.list.push({ check: this.check, level: 'ok', message });
  }

  warning(message: string, remedy: string): void {
    this.list.push({ check: this.check, level: 'warning', message, remedy });
  }

  error(message: string, remedy: string): void {
    this.list.push({ check: this.check, level: 'error', message, remedy });
  }

  /** Adds `message` when nothing is wrong. @returns all findings */
  orOk(message: string): Finding[] {
    if (this.list.length === 0) this.ok(message);
    return this.list;
  }
}
