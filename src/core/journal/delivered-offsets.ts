import type { Cancel, Clock } from '../clock/index.js';

interface Waiting {
  readonly offset: number;
  readonly resolve: () => void;
}

/** Callers that wait until the entries up to an offset have been delivered. */
export class DeliveredOffsets {
  private waiting = new Set<Waiting>();

  constructor(private readonly clock: Clock) {}

  /** Whether a caller waits for an offset up to this one. */
  anyUpTo(offset: number): boolean {
    return [...this.waiting].some((each) => each.offset <= offset);
  }

  /** @param withinMs maximum wait, ms */
  wait(offset: number, withinMs?: number): Promise<void> {
    return new Promise((resolve) => {
      let cancel: Cancel = () => undefined;
      const waiting = {
        offset,
        resolve: () => {
          cancel();
          this.waiting.delete(waiting);
          resolve();
        },
      };
      this.waiting.add(waiting);
      if (withinMs !== undefined) cancel = this.clock.after(withinMs, waiting.resolve);
    });
  }

  /** Resumes those who wait for an offset up to this one. */
  release(tail: number): void {
    for (const { offset, resolve } of [...this.waiting]) if (offset <= tail) resolve();
  }
}
