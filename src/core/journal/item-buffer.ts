import { PAGE_BYTES } from '../database/index.js';
import type { JournalEntry } from './events.js';
import type { Piece } from './pieces.js';

type Item = JournalEntry | Piece;

const MAX_ITEMS = 500;

// Computed once for all readers of an item.
const sizes = new WeakMap<Item, number>();

/** The newest items for one reader, as long as it keeps up. The items are shared between readers. */
export class ItemBuffer {
  private items: Item[] = [];
  private bytes = 0;

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  /** @returns false when the buffer is full: it is emptied, and the reader has to read what it misses */
  push(item: Item): boolean {
    // The size matters only when something waits already, which is the case for slow readers alone.
    const bytes = this.isEmpty ? 0 : sizeOf(item);
    if (this.items.length >= MAX_ITEMS || this.bytes + bytes > PAGE_BYTES) {
      this.items = [];
      this.bytes = 0;
      return false;
    }
    this.items.push(item);
    this.bytes += bytes;
    return true;
  }

  shift(): Item | undefined {
    const item = this.items.shift();
    if (this.isEmpty) this.bytes = 0;
    return item;
  }
}

function sizeOf(item: Item): number {
  let size = sizes.get(item);
  if (size === undefined) {
    const { payload } = item.type === 'piece' ? item.entry : item;
    sizes.set(item, (size = JSON.stringify(payload).length));
  }
  return size;
}
