import type { Clock } from '../../core/clock/index.js';

export type Stage = 'transcription' | 'turn' | 'synthesis';

/** How long each stage of a request took. */
export class Stages {
  private readonly begun: number;
  private readonly took = new Map<Stage, number>();

  constructor(private readonly clock: Clock) {
    this.begun = clock.now();
  }

  async time<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
    const begun = this.clock.now();
    try {
      return await work();
    } finally {
      this.took.set(stage, (this.took.get(stage) ?? 0) + this.clock.now() - begun);
    }
  }

  /** The same values, with the time that the next item of each lets wait counted as the stage's. */
  async *each<T>(stage: Stage, items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const iterator = items[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = await this.time(stage, () => iterator.next());
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  /** ms; 0 for a stage that there was not. */
  of(stage: Stage): number {
    return this.took.get(stage) ?? 0;
  }

  /** ms since the request came in. */
  get total(): number {
    return this.clock.now() - this.begun;
  }

  /** Value of the header `Server-Timing`. */
  get header(): string {
    return [...this.took, ['total', this.total] as const].map(([stage, ms]) => `${stage};dur=${ms}`).join(', ');
  }
}
