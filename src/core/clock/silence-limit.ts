import type { Cancel, Clock } from './clock.js';

/** Calls back when nothing has been heard for a time. It measures by timers, which a change of the wall clock does not move. */
export class SilenceLimit {
  private cancel: Cancel;
  private hasEnded = false;

  constructor(
    private readonly clock: Clock,
    private readonly limitMs: number,
    private readonly onSilence: () => void,
  ) {
    this.cancel = clock.after(limitMs, onSilence);
  }

  /** Something was heard: the time begins again. */
  renew(): void {
    if (this.hasEnded) return;
    this.cancel();
    this.cancel = this.clock.after(this.limitMs, this.onSilence);
  }

  end(): void {
    this.hasEnded = true;
    this.cancel();
  }
}
