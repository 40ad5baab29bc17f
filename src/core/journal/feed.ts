import type { AppendedEntry } from '../database/index.js';
import type { Listener } from './listeners.js';

/** Brings committed entries to their listeners in this process. */
export interface Feed {
  /** Entries of all watched channels up to this offset have been delivered. A client that keeps it as its cursor misses nothing later. */
  readonly tail: number;
  start(): Promise<void>;
  stop(): void;
  /** Takes the entries that a unit of this process has committed. */
  committed(appended: readonly AppendedEntry[]): void;
  /** Every entry that this process has appended, or that every process reads; once each. */
  onEntry(listener: Listener): () => void;
  /** The entries of a channel in their order, as early as possible. */
  onChannel(channelId: string, listener: Listener): () => void;
  /** The entries of all watched channels, in the order of their offsets. */
  onWatched(listener: Listener): () => void;
  /**
   * Watches a channel. No entry after `tail` is missed once `ready` has resolved.
   *
   * @param listener gets the channel's entries, in the order of the offsets of all watched channels
   */
  watch(channelId: string, listener?: Listener): { readonly ready: Promise<void>; readonly stop: () => void };
  /** The newest offset for a reader that wants to hear what is committed from now on, and little else. */
  present(): Promise<number> | number;
  /** Waits until entries up to this offset have been delivered, at most `withinMs` ms; undefined when there is nothing to wait for. */
  delivered(offset: number, withinMs?: number): Promise<void> | undefined;
  /** Waits until what every process reads has been delivered as far as it was committed before this call. */
  catchUp(): Promise<void> | undefined;
}
