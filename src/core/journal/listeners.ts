import { Log } from '../logging/index.js';
import type { JournalEntry } from './events.js';

export type Listener = (entry: JournalEntry) => void;

/** Listeners by channel; the key of a group of listeners to anything else is up to the caller. */
export class Listeners {
  private readonly groups = new Map<string, Set<Listener>>();
  private readonly log = new Log('journal');

  /** @returns a function that removes the listener */
  add(group: string, listener: Listener): () => void {
    const listeners = this.groups.get(group) ?? new Set();
    this.groups.set(group, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.groups.get(group) === listeners) this.groups.delete(group);
    };
  }

  has(group: string): boolean {
    return this.groups.has(group);
  }

  /** Isolates listeners: an exception in one must not affect the others. */
  notify(group: string, entry: JournalEntry): void {
    for (const listener of this.groups.get(group) ?? []) {
      try {
        listener(entry);
      } catch (error) {
        this.log.error('a journal subscriber failed', error, { type: entry.type, offset: entry.offset });
      }
    }
  }
}
