import { setImmediate as nextTurn } from 'node:timers/promises';

/** Waits until a condition holds; for what gives no sign of itself. The time limit of the test is its limit. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTurn();
}
