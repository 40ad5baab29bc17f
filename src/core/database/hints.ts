import { SystemClock, type Cancel } from '../clock/index.js';
import { ANYTHING, hintOf } from './notifier.js';
import type { AppendedEntry } from './statement.js';

// PostgreSQL limits a payload to 8000 bytes.
const MAX_HINTS = 800;
// Hints that are sent together with the next; a reader elsewhere waits no longer than that.
const GATHER_MS = 8;

/** The hints of a notifier: those to send, gathered for a moment, and the listeners to those that arrive. */
export class Hints {
  private readonly listeners = new Set<(hints: readonly string[]) => void>();
  private readonly clock = new SystemClock();
  private gathered = new Set<string>();
  private cancelSending: Cancel | undefined;

  /** @param send is called when gathered hints are due, and takes them */
  constructor(private readonly send: () => void) {}

  get areWaiting(): boolean {
    return this.cancelSending !== undefined;
  }

  gather(appended: readonly AppendedEntry[]): void {
    for (const { statement } of appended) {
      const { channelId = null, everywhere = false } = statement.journal ?? {};
      this.gathered.add(hintOf(channelId, everywhere));
    }
    this.cancelSending ??= this.clock.after(GATHER_MS, this.send);
  }

  /** The gathered hints, which are not sent a second time. */
  take(): string[] {
    this.stop();
    const hints = [...this.gathered];
    this.gathered = new Set();
    return hints.length > MAX_HINTS ? [ANYTHING] : hints;
  }

  listen(listener: (hints: readonly string[]) => void): void {
    this.listeners.add(listener);
  }

  tell(hints: readonly string[]): void {
    for (const listener of this.listeners) listener(hints);
  }

  /** Sends nothing until hints are gathered again. */
  stop(): void {
    this.cancelSending?.();
    this.cancelSending = undefined;
  }
}
