import { constants } from 'node:os';
import type { Clock } from '../core/clock/index.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
type StopSignal = (typeof SIGNALS)[number];
// Terminals, npm and systemd signal the whole process group, and some processes forward the signal, so it may arrive more than once.
const REPEATED_SIGNAL_MS = 500;
const PARENT_INTERVAL_MS = 250;

/**
 * Handles SIGTERM and SIGINT from the start of the process on, because without a handler they do not end the first process of a container.
 * During start-up they end the process. Afterwards the first signal stops the server cleanly; a later one ends a drain, or else the process.
 */
export class StopSignals {
  private stop: ((signal: StopSignal) => boolean) | undefined;
  private lastAt: number | undefined;
  private readonly parent = process.ppid;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, (received) => this.receive(received as StopSignal));
  }

  /**
   * @param stop called for each signal; ends the process after a clean shutdown. It returns false when it cannot go faster: the process ends
   *   immediately then
   */
  handle(stop: (signal: StopSignal) => boolean): void {
    this.stop = stop;
  }

  /**
   * Treats the end of the parent process as SIGTERM. npm forwards signals to a shell, and a shell that has not made way for its command
   * (dash, for `npx` and most scripts) ends without forwarding them.
   */
  followParent(clock: Clock): void {
    clock.after(PARENT_INTERVAL_MS, () => {
      if (this.lastAt !== undefined) return;
      if (process.ppid === this.parent) this.followParent(clock);
      else this.receive('SIGTERM');
    });
  }

  private receive(signal: StopSignal): void {
    const now = performance.now();
    if (this.lastAt !== undefined && now - this.lastAt <= REPEATED_SIGNAL_MS) return;
    if (this.stop?.(signal) !== true) exitBySignal(signal);
    this.lastAt = now;
  }
}

/** Ends the process as if it had no handler, so that the parent process sees the signal, or an exit code of 128 + its number. */
function exitBySignal(signal: StopSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  if (process.pid === 1) process.exit(128 + constants.signals[signal]);
}
