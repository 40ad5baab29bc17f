import type { PieceKey } from './vector-index.js';

/** Elements of all kept vectors, 8 MB: 4,096 vectors of the built-in encoder. */
const MAX_ELEMENTS = 2 ** 21;

/** The vectors that searches compared last, so that a conversation does not read the same ones for each message. */
export class KeptVectors {
  /** By memory and piece, least recently used memory first. */
  private readonly memories = new Map<string, Map<number, Float32Array>>();
  private elements = 0;
  private changed = 0;

  constructor(private readonly maxElements = MAX_ELEMENTS) {}

  /** Changes whenever vectors were dropped, because what was read before may be outdated. */
  get version(): number {
    return this.changed;
  }

  get({ memoryId, piece }: PieceKey): Float32Array | undefined {
    const pieces = this.memories.get(memoryId);
    if (!pieces) return undefined;
    this.memories.delete(memoryId);
    this.memories.set(memoryId, pieces);
    return pieces.get(piece);
  }

  keep({ memoryId, piece }: PieceKey, vector: Float32Array): void {
    const pieces = this.memories.get(memoryId) ?? new Map<number, Float32Array>();
    this.elements += vector.length - (pieces.get(piece)?.length ?? 0);
    pieces.set(piece, vector);
    this.memories.delete(memoryId);
    this.memories.set(memoryId, pieces);
    for (const oldest of this.memories.keys()) {
      if (this.elements <= this.maxElements) return;
      this.forget(oldest);
    }
  }

  /** Drops the vectors of a memory, which may have changed. */
  drop(memoryId: string): void {
    this.changed += 1;
    this.forget(memoryId);
  }

  dropAll(): void {
    this.changed += 1;
    this.memories.clear();
    this.elements = 0;
  }

  private forget(memoryId: string): void {
    for (const { length } of this.memories.get(memoryId)?.values() ?? []) this.elements -= length;
    this.memories.delete(memoryId);
  }
}
