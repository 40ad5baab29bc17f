import type { Random } from '../../support/random.js';

/** The unit that a disk writes completely or not at all, bytes. */
export const SECTOR = 512;

const LONGEST_FLUSH_MS = 12;

/** What became of the writes that were not flushed when the power failed. */
export interface PowerCut {
  /** `lost`: none survived. `torn`: the first ones survived, the last of them in part. `mixed`: any sectors did, in no order. */
  readonly kind: 'lost' | 'torn' | 'mixed';
  /** Writes that no completed flush covered. */
  readonly unflushedWrites: number;
  readonly unflushedSectors: number;
  readonly lostSectors: number;
}

interface Write {
  readonly offset: number;
  readonly data: Buffer;
}

/**
 * A disk with a volatile write cache. A write is in the cache until a flush that began after it has completed; `cutPower` keeps a part of the
 * cache that chance decides. The content is in memory.
 */
export class VolatileDisk {
  /** Resolves when the next flush of unflushed writes begins, before it has had an effect. */
  flushing: Promise<void>;
  /** Flushes that completed. */
  flushes = 0;
  private announceFlush!: () => void;
  /** Content for reads: all writes. */
  private readonly current: Buffer;
  /** Content that survives: flushed writes. */
  private readonly durable: Buffer;
  private unflushed: Write[] = [];
  /** Number of the first unflushed write. */
  private first = 0;
  private cuts = 0;

  /** @param content its size is the size of the disk */
  constructor(
    content: Buffer,
    private readonly random: Random,
  ) {
    this.current = content;
    this.durable = Buffer.from(content);
    this.flushing = this.nextFlush();
  }

  get size(): number {
    return this.durable.length;
  }

  /** What would be on the disk after the power failed now with the kind `lost`. */
  get content(): Buffer {
    return this.durable;
  }

  read(offset: number, length: number): Buffer {
    return this.current.subarray(offset, offset + length);
  }

  /** @param data is kept, so the caller must not change it */
  write(offset: number, data: Buffer): void {
    data.copy(this.current, offset);
    this.unflushed.push({ offset, data });
  }

  /** Makes all writes so far durable. Takes a few milliseconds; when the power fails meanwhile, nothing is certain about these writes. */
  async flush(): Promise<void> {
    const { cuts } = this;
    const end = this.first + this.unflushed.length;
    if (this.unflushed.length > 0) {
      this.announceFlush();
      this.flushing = this.nextFlush();
    }
    await new Promise((resolve) => setTimeout(resolve, this.random.next() * LONGEST_FLUSH_MS));
    if (cuts !== this.cuts) return;
    // A flush that began later may have ended before.
    for (const { offset, data } of this.unflushed.splice(0, Math.max(0, end - this.first))) data.copy(this.durable, offset);
    this.first = Math.max(this.first, end);
    this.flushes += 1;
  }

  /** Ends all flushes without an effect, and drops what the cache does not keep. */
  cutPower(): PowerCut {
    const { random } = this;
    const writes = this.unflushed.splice(0);
    this.first += writes.length;
    this.cuts += 1;
    const kind = random.pick(['lost', 'torn', 'mixed', 'mixed'] as const);
    const sectors = writes.flatMap(inSectors);
    const survivors = Math.floor(random.next() * (sectors.length + 1));
    const probability = random.next();
    let lostSectors = 0;
    for (const [index, { offset, data }] of sectors.entries()) {
      const survives = kind === 'torn' ? index < survivors : kind === 'mixed' && random.chance(probability);
      if (survives) data.copy(this.durable, offset);
      else lostSectors += 1;
    }
    for (const { offset, data } of writes) this.durable.copy(this.current, offset, offset, offset + data.length);
    return { kind, unflushedWrites: writes.length, unflushedSectors: sectors.length, lostSectors };
  }

  private nextFlush(): Promise<void> {
    return new Promise((resolve) => (this.announceFlush = resolve));
  }
}

function inSectors({ offset, data }: Write): Write[] {
  return Array.from({ length: Math.ceil(data.length / SECTOR) }, (_, index) => ({
    offset: offset + index * SECTOR,
    data: data.subarray(index * SECTOR, (index + 1) * SECTOR),
  }));
}
