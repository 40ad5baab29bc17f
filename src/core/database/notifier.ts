import type { AppendedEntry, ReadQuery } from './statement.js';

/** Hint for entries that every process reads. */
export const EVERYWHERE = '*';
/** Hint after which anything may have been missed. */
export const ANYTHING = '';

/** `unheard`: notifications do not arrive, so the journal is polled more often. `broken`: nor does the database accept a connection. */
export type NotifierState = 'connected' | 'unheard' | 'broken';

/** Texts between processes that nothing depends on: one that is lost is lost. */
export interface ProcessMessages {
  publish(topic: string, text: string): void;
  /** Calls `listener` with the texts of other processes. @returns a function that ends it */
  subscribe(topic: string, listener: (text: string) => void): () => void;
}

/** Tells the other processes in which channels this one has appended entries. A lost notification costs them a poll, nothing else. */
export interface Notifier {
  readonly state: NotifierState;
  /** Why notifications do not arrive, and what an operator can do; undefined while they do. */
  readonly advice: string | undefined;
  /** Absent where they would be a burden for the database. */
  readonly messages?: ProcessMessages;
  /** Calls `listener` with the hints of other processes. */
  listen(listener: (hints: readonly string[]) => void): void;
  /** @throws the error of the connection, when the process cannot work without */
  open(): Promise<void>;
  notify(appended: readonly AppendedEntry[]): void;
  /**
   * Takes over the notifications that are about to be sent.
   *
   * @param waitedMs only those that have waited for so long
   * @returns columns for a query that sends them instead; undefined when there are none
   */
  take(waitedMs: number): ReadQuery | undefined;
  close(): Promise<void>;
}

/** The readers of an entry, as other processes compare them with their channels. */
export function hintOf(channelId: string | null, everywhere: boolean): string {
  return channelId === null || everywhere ? EVERYWHERE : channelId.slice(-8).toLowerCase();
}

/** A hint as it is sent: `hint:offset`, the offset of the newest entry in base 36. */
export function writeHint(hint: string, offset: number): string {
  return `${hint}:${offset.toString(36)}`;
}

/** The readers of entries, and the offset of the newest entry: a reader that has been told as much need not look. */
export function readHint(text: string): { readonly hint: string; readonly offset: number } {
  const [hint = ANYTHING, offset = ''] = text.split(':');
  const known = Number.parseInt(offset, 36);
  return { hint, offset: Number.isNaN(known) ? Number.POSITIVE_INFINITY : known };
}
