import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
type StopSignal = (typeof SIGNALS)[number];
// A terminal, npm and systemd signal a whole group of processes, and some of those pass the signal on: it arrives more than once.
const SAME_WISH_MS = 500;

/**
 * What SIGTERM and SIGINT do, from the first moment of the process on: its default would not end the first process of a container.
 * While the server starts they end the process. Once it runs, the first one stops it cleanly and a later one ends it at once.
 */
export class StopSignals {
  private stop: ((signal: StopSignal) => void) | undefined;
  private firstAt: number | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, (received) => this.receive(received as StopSignal));
  }

  /** @param stop called once, for the first signal; ends the process when everything is done */
  handle(stop: (signal: StopSignal) => void): void {
    this.stop = stop;
  }

  private receive(signal: StopSignal): void {
    if (this.stop === undefined) {
      endBy(signal);
    } else if (this.firstAt === undefined) {
      this.firstAt = performance.now();
      this.stop(signal);
    } else if (performance.now() - this.firstAt > SAME_WISH_MS) {
      endBy(signal);
    }
  }
}

/** Ends the process as if it had no handler, so that its parent sees the signal, or an exit code of 128 + its number. */
function endBy(signal: StopSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  if (process.pid === 1) process.exit(128 + constants.signals[signal]);
}
