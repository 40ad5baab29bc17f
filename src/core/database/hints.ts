import { SystemClock, type Cancel } from '../clock/index.js';
import { ANYTHING, hintOf, writeHint } from './notifier.js';
import type { AppendedEntry } from './statement.js';

// PostgreSQL limits a payload to 8000 bytes.
const MAX_HINTS = 400;
// Hints wait so long for others and for a query that takes them along; a reader elsewhere waits no longer than that.
const GATHER_MS = 20;

/** The hints of a notifier: those to send, gathered for a moment, and the listeners to those that arrive. */
export class Hints {
  private readonly listeners = new Set<(hints: readonly string[]) => void>();
  private readonly clock = new SystemClock();
  /** The offset of the newest entry for each. */
  private gathered = new Map<string, number>();
  private cancelSending: Cancel | undefined;
  /** Since when the first of them waits; monotonic ms. */
  private since = 0;

  /** @param send is called when gathered hints are due, and takes them */
  constructor(private readonly send: () => void) {}

  /** @param ms whether the first has waited for so long */
  haveWaited(ms: number): boolean {
    return this.cancelSending !== undefined && performance.now() - this.since >= ms;
  }

  gather(appended: readonly AppendedEntry[]): void {
    for (const { statement, position } of appended) {
      const { channelId = null, everywhere = false } = statement.journal ?? {};
      const hint = hintOf(channelId, everywhere);
      this.gathered.set(hint, Math.max(this.gathered.get(hint) ?? 0, position.offset));
    }
    if (this.cancelSending) return;
    this.since = performance.now();
    this.cancelSending = this.clock.after(GATHER_MS, this.send);
  }

  /** The gathered hints, which are not sent a second time. */
  take(): string[] {
    this.stop();
    const hints = [...this.gathered].map(([hint, offset]) => writeHint(hint, offset));
    this.gathered = new Map();
    return hints.length > MAX_HINTS ? [ANYTHING] : hints;
  }

  listen(listener: (hints: readonly string[]) => void): void {
    this.listeners.add(listener);
  }

  notify(hints: readonly string[]): void {
    for (const listener of this.listeners) listener(hints);
  }

  /** Sends nothing until hints are gathered again. */
  stop(): void {
    this.cancelSending?.();
    this.cancelSending = undefined;
  }
}
