import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
type StopSignal = (typeof SIGNALS)[number];
// Terminals, npm and systemd signal the whole process group, and some processes forward the signal, so it may arrive more than once.
const REPEATED_SIGNAL_MS = 500;

/**
 * Handles SIGTERM and SIGINT from the start of the process on, because without a handler they do not end the first process of a container.
 * During start-up they end the process. Afterwards the first signal stops the server cleanly and a later one ends it immediately.
 */
export class StopSignals {
  private stop: ((signal: StopSignal) => void) | undefined;
  private firstAt: number | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, (received) => this.receive(received as StopSignal));
  }

  /** @param stop called for the first signal; it ends the process after a clean shutdown */
  handle(stop: (signal: StopSignal) => void): void {
    this.stop = stop;
  }

  private receive(signal: StopSignal): void {
    if (this.stop === undefined) {
      exitBySignal(signal);
    } else if (this.firstAt === undefined) {
      this.firstAt = performance.now();
      this.stop(signal);
    } else if (performance.now() - this.firstAt > REPEATED_SIGNAL_MS) {
      exitBySignal(signal);
    }
  }
}

/** Ends the process as if it had no handler, so that the parent process sees the signal, or an exit code of 128 + its number. */
function exitBySignal(signal: StopSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  if (process.pid === 1) process.exit(128 + constants.signals[signal]);
}
