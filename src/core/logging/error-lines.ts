/** An error that the server itself has logged. */
export interface ErrorLine {
  readonly part: string;
  readonly message: string;
  readonly error?: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}

const listeners = new Set<(line: ErrorLine) => void>();

/** Calls `listener` with each error that `Log.error` writes. It must not throw, block or log an error. @returns a function that ends it */
export function onErrorLine(listener: (line: ErrorLine) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function announceErrorLine(line: ErrorLine): void {
  for (const listener of listeners) listener(line);
}
