import { yieldToEventLoop } from './yield-to-event-loop.js';

/** Divides long work on the main thread, so that other work can run after so many units of it. */
export class Pace {
  private left: number;

  constructor(private readonly unitsPerTurn: number) {
    this.left = unitsPerTurn;
  }

  /** Call it after each piece of work. Undefined, without a promise to await, until the turn is used up. */
  spend(units: number): Promise<void> | undefined {
    this.left -= units;
    if (this.left > 0) return undefined;
    this.left = this.unitsPerTurn;
    return yieldToEventLoop();
  }
}
