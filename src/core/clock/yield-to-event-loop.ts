/** Resolves in the next iteration of the event loop. Long computations await it regularly so that other work can run. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
