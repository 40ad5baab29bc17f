/** Resolves in the next turn of the event loop: long work that awaits this now and then lets everything else go on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
