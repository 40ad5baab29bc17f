import type { Cancel, Clock } from './clock.js';

/** Work that is done again and again, with a pause before each time and never twice at once. */
export class Repetition {
  private over = false;
  private cancel: Cancel = () => undefined;
  private working: Promise<void> = Promise.resolve();

  /**
   * @param pauseMs from the end of one time to the begin of the next
   * @param work asks `over` between its steps, and ends early when that is so
   * @param failed is told why the work failed; it is done again after the pause all the same
   */
  constructor(
    private readonly clock: Clock,
    private readonly pauseMs: number,
    private readonly work: (over: () => boolean) => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  /** Does it for the first time after the pause. */
  start(): void {
    this.cancel = this.clock.after(this.pauseMs, () => {
      this.working = this.work(() => this.over)
        .catch(this.failed)
        .finally(() => {
          if (!this.over) this.start();
        });
    });
  }

  /** Does it no more; resolves when what was under way has ended. */
  async stop(): Promise<void> {
    this.over = true;
    this.cancel();
    await this.working;
  }
}
