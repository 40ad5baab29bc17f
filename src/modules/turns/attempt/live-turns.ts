import { Injectable } from '@nestjs/common';
import type { Attempt } from './attempt.js';

/** Ended turns whose storing time is kept. */
const MAX_STORED = 1000;

/**
 * The turns that this process runs, for runs that are read meanwhile. How long the storing of a reply took is known after the rows are
 * written, so it is kept here, for the newest turns.
 */
@Injectable()
export class LiveTurns {
  private readonly running = new Map<string, Attempt>();
  private readonly stored = new Map<string, number>();

  /** @returns a function that ends it */
  add(replyId: string, attempt: Attempt): () => void {
    this.running.set(replyId, attempt);
    return () => this.running.delete(replyId);
  }

  /** The attempt that this process is making; undefined when it is making none. */
  find(replyId: string): Attempt | undefined {
    return this.running.get(replyId);
  }

  /** All attempts that this process is making, by the id of the reply. */
  all(): Iterable<[string, Attempt]> {
    return this.running.entries();
  }

  /** @param durationMs how long the transaction took that ended the turn, ms */
  noteStored(replyId: string, durationMs: number): void {
    this.stored.set(replyId, durationMs);
    if (this.stored.size <= MAX_STORED) return;
    for (const oldest of this.stored.keys()) {
      this.stored.delete(oldest);
      break;
    }
  }

  /** Milliseconds; undefined for a turn that another process ended, or a long time ago. */
  storedIn(replyId: string): number | undefined {
    return this.stored.get(replyId);
  }
}
