import type { AppendedEntry } from '../database/index.js';
import type { Listener } from './listeners.js';

/** A subscription to the entries of a channel. */
export interface ChannelSubscription {
  /** The listener gets the entries after this offset. Those up to it have been committed, and can be read. */
  readonly from: number;
  readonly stop: () => void;
}

/** Brings committed entries to their listeners in this process. */
export interface Feed {
  /** What every process reads has been delivered up to this offset. A client that keeps it as its cursor misses nothing later. */
  readonly tail: number;
  start(): Promise<void>;
  stop(): void;
  /** Takes the entries that a unit of this process has committed. */
  committed(appended: readonly AppendedEntry[]): void;
  /** Every entry that this process has appended, or that every process reads; once each. */
  onEntry(listener: Listener): () => void;
  /** The entries of a channel in their order, as early as possible. */
  onChannel(channelId: string, listener: Listener): ChannelSubscription;
  /** The newest offset for a reader that wants to hear what is committed from now on, and little else. */
  present(): Promise<number> | number;
  /** Waits until entries up to this offset have been delivered, at most `withinMs` ms; undefined when there is nothing to wait for. */
  delivered(offset: number, withinMs?: number): Promise<void> | undefined;
  /** Waits until what every process reads has been delivered as far as it was committed before this call. */
  catchUp(): Promise<void> | undefined;
}
