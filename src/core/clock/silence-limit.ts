import type { Cancel, Clock } from './clock.js';

/** Calls back when nothing has been heard for a time. It measures by the steady clock, which a change of the wall clock does not move. */
export class SilenceLimit {
  private cancel: Cancel | undefined;
  private heardAt: number;
  private hasEnded = false;

  constructor(
    private readonly clock: Clock,
    private readonly limitMs: number,
    private readonly onSilence: () => void,
  ) {
    this.heardAt = clock.steady();
    this.wait(limitMs);
  }

  /** Something was heard: the time begins again. Cheap, because it may be each piece of a text. */
  renew(): void {
    this.heardAt = this.clock.steady();
    if (!this.hasEnded && !this.cancel) this.wait(this.limitMs);
  }

  end(): void {
    this.hasEnded = true;
    this.cancel?.();
  }

  private wait(ms: number): void {
    this.cancel = this.clock.after(ms, () => {
      this.cancel = undefined;
      const left = this.heardAt + this.limitMs - this.clock.steady();
      if (left > 0) this.wait(left);
      else this.onSilence();
    });
  }
}
