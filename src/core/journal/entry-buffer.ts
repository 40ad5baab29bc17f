import { PAGE_BYTES } from '../database/index.js';
import type { JournalEntry } from './events.js';

const MAX_ENTRIES = 500;

// Computed once for all readers of an entry.
const sizes = new WeakMap<JournalEntry, number>();

/** The newest entries for one reader, as long as it keeps up. The entries are shared between readers. */
export class EntryBuffer {
  private entries: JournalEntry[] = [];
  private bytes = 0;

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** @returns false when the buffer is full: it is emptied, and the reader has to read what it misses */
  push(entry: JournalEntry): boolean {
    // The size matters only when something waits already, which is the case for slow readers alone.
    const bytes = this.isEmpty ? 0 : sizeOf(entry);
    if (this.entries.length >= MAX_ENTRIES || this.bytes + bytes > PAGE_BYTES) {
      this.clear();
      return false;
    }
    this.entries.push(entry);
    this.bytes += bytes;
    return true;
  }

  shift(): JournalEntry | undefined {
    const entry = this.entries.shift();
    if (this.isEmpty) this.bytes = 0;
    return entry;
  }

  clear(): void {
    this.entries = [];
    this.bytes = 0;
  }
}

function sizeOf(entry: JournalEntry): number {
  let size = sizes.get(entry);
  if (size === undefined) sizes.set(entry, (size = JSON.stringify(entry.payload).length));
  return size;
}
