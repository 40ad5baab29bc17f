// The signature of a longer vector covers its first 960 elements.
const MAX_WORDS = 30;
const EMPTY = -1;
/** Vectors equal to the query that count: each time a question was asked before, its memory has the same vector. */
const MAX_EQUAL = 8;

/** The signs of a vector's elements as a bit set, 32 to a word. */
export function signatureOf(vector: Float32Array): Int32Array {
  const signature = new Int32Array(Math.min(Math.ceil(vector.length / 32), MAX_WORDS));
  const elements = Math.min(vector.length, MAX_WORDS * 32);
  for (let i = 0; i < elements; i += 1) {
    if ((vector[i] ?? 0) > 0) signature[i >>> 5] = (signature[i >>> 5] ?? 0) | (1 << (i & 31));
  }
  return signature;
}

/** A piece of a memory (see `splitIntoPieces`). */
export interface PieceKey {
  readonly memoryId: string;
  readonly piece: number;
}

/** Filter of a search. */
export interface IndexFilter {
  /** Only memories with one of these audiences (see `audienceOf`); any when absent. */
  readonly audiences?: ReadonlySet<string>;
  /** Ids of memories to leave out. */
  readonly exclude?: ReadonlySet<string>;
}

/**
 * Approximate nearest-neighbour index over one agent's vectors. It stores a signature per vector; the Hamming distance of two
 * signatures approximates the angle between their vectors. That selects candidates for an exact comparison in the database: among
 * 6,000 sentences, the five nearest were within the 128 nearest signatures in 99.7 % of queries (built-in encoder).
 *
 * Holds at most `capacity` vectors; a new one then replaces the oldest.
 */
export class VectorIndex {
  /** Words per signature; set by the first vector. */
  private signatureLength = 0;
  /** The slots of each memory, one for each piece. */
  private readonly slots = new Map<string, number[]>();
  private readonly free: number[] = [];
  private readonly ids: string[] = [];
  private readonly audienceNumbers = new Map<string, number>();
  /** Number of vectors of each audience, by number: a turn asks before it has its question embedded. */
  private readonly audienceSizes: number[] = [];
  private signatures = new Int32Array(0);
  private audiences = new Int32Array(0);
  private pieces = new Int32Array(0);
  private used = 0;
  private evictions = 0;
  /** Number of leading slots that were filled newest first. */
  private reversedSlots = 0;

  constructor(private readonly capacity: number) {}

  /** Number of vectors. */
  get size(): number {
    return this.used;
  }

  has(memoryId: string): boolean {
    return this.slots.has(memoryId);
  }

  add({ memoryId, piece }: PieceKey, audience: string, signature: Int32Array): void {
    if (this.signatureLength === 0) this.signatureLength = signature.length;
    if (signature.length !== this.signatureLength) return;
    const own = this.slots.get(memoryId);
    const slot = own?.find((each) => this.pieces[each] === piece) ?? this.allocateSlot(memoryId);
    this.signatures.set(signature, slot * this.signatureLength);
    this.pieces[slot] = piece;
    this.setAudience(slot, this.numberOf(audience));
  }

  /** Declares that the present vectors were added newest first; later ones are newer. */
  markLoadedNewestFirst(): void {
    this.reversedSlots = this.ids.length;
  }

  /** Removes all pieces of a memory. */
  remove(memoryId: string): void {
    for (const slot of this.slots.get(memoryId) ?? []) {
      this.setAudience(slot, EMPTY);
      this.free.push(slot);
      this.used -= 1;
    }
    this.slots.delete(memoryId);
  }

  /** Removes the memories of these audiences. */
  removeAudiences(names: readonly string[]): void {
    const numbers = new Set(names.flatMap((name) => this.audienceNumbers.get(name) ?? []));
    if (numbers.size === 0) return;
    const gone = new Set(this.ids.filter((_, slot) => numbers.has(this.audiences[slot] ?? EMPTY)));
    for (const memoryId of gone) this.remove(memoryId);
  }

  /** Whether a search with this filter could return anything. */
  hasCandidates({ audiences, exclude = new Set() }: IndexFilter): boolean {
    const allowed = audiences && new Set([...audiences].flatMap((name) => this.audienceNumbers.get(name) ?? []));
    let candidates = this.used;
    if (allowed) {
      candidates = 0;
      for (const number of allowed) candidates += this.audienceSizes[number] ?? 0;
    }
    for (const id of exclude) {
      for (const slot of this.slots.get(id) ?? []) if (allowed?.has(this.audiences[slot] ?? EMPTY) !== false) candidates -= 1;
    }
    return candidates > 0;
  }

  /** The `count` pieces whose signatures are nearest to one of the queries', nearest first. */
  nearest(queries: readonly Int32Array[], count: number, { audiences, exclude }: IndexFilter): PieceKey[] {
    const fitting = queries.filter(({ length }) => length === this.signatureLength && length > 0);
    if (fitting.length === 0) return [];
    const distances = this.distances(fitting, this.allowed(audiences));
    const found = this.within(distances, this.boundFor(distances, count, exclude), exclude);
    found.sort((a, b) => a.distance - b.distance || a.slot - b.slot);
    return found.slice(0, count).map(({ slot }) => ({ memoryId: this.ids[slot] ?? '', piece: this.pieces[slot] ?? 0 }));
  }

  /** The distance within which there are `count` pieces, besides those that do not count. */
  private boundFor(distances: Int32Array, count: number, exclude: IndexFilter['exclude']): number {
    const histogram = new Int32Array(this.signatureLength * 32 + 1);
    for (const distance of distances) {
      if (distance !== EMPTY) histogram[distance] = (histogram[distance] ?? 0) + 1;
    }
    let excluded = 0;
    // The excluded memories are the current conversation, which is usually near: fetch that many more.
    for (const id of exclude ?? []) excluded += this.slots.get(id)?.length ?? 0;
    const equal = Math.max((histogram[0] ?? 0) - MAX_EQUAL, 0);
    return distanceBound(histogram, count + excluded + equal);
  }

  /** The slots within a distance, with the newest of those that are equal to the query. */
  private within(distances: Int32Array, bound: number, exclude: IndexFilter['exclude']): { slot: number; distance: number }[] {
    const found: { slot: number; distance: number }[] = [];
    let left = MAX_EQUAL;
    for (let slot = distances.length - 1; slot >= 0; slot -= 1) {
      const distance = distances[slot] ?? EMPTY;
      if (distance === EMPTY || distance > bound || exclude?.has(this.ids[slot] ?? '') === true) continue;
      if (distance === 0 && (left -= 1) < 0) continue;
      found.push({ slot, distance });
    }
    return found;
  }

  private allocateSlot(memoryId: string): number {
    let slot = this.free.pop();
    if (slot === undefined && this.ids.length >= this.capacity) {
      this.evict();
      slot = this.free.pop();
    }
    slot ??= this.ids.length;
    if (slot >= this.audiences.length) this.grow();
    this.ids[slot] = memoryId;
    const own = this.slots.get(memoryId);
    if (own) own.push(slot);
    else this.slots.set(memoryId, [slot]);
    this.used += 1;
    return slot;
  }

  /** Removes the oldest memory. */
  private evict(): void {
    const sequence = this.evictions % this.capacity;
    this.evictions += 1;
    this.remove(this.ids[sequence < this.reversedSlots ? this.reversedSlots - 1 - sequence : sequence] ?? '');
    if (this.free.length === 0) this.evict();
  }

  private grow(): void {
    const length = Math.min(Math.max(this.audiences.length * 2, 64), this.capacity);
    this.signatures = enlarged(this.signatures, length * this.signatureLength, 0);
    this.audiences = enlarged(this.audiences, length, EMPTY);
    this.pieces = enlarged(this.pieces, length, 0);
  }

  private setAudience(slot: number, number: number): void {
    const before = this.audiences[slot] ?? EMPTY;
    this.audiences[slot] = number;
    if (before !== EMPTY) this.audienceSizes[before] = (this.audienceSizes[before] ?? 0) - 1;
    if (number !== EMPTY) this.audienceSizes[number] = (this.audienceSizes[number] ?? 0) + 1;
  }

  private numberOf(audience: string): number {
    const known = this.audienceNumbers.get(audience);
    if (known !== undefined) return known;
    const number = this.audienceNumbers.size;
    this.audienceNumbers.set(audience, number);
    return number;
  }

  /** 1 at the number of each searchable audience. */
  private allowed(audiences: ReadonlySet<string> | undefined): Uint8Array {
    const allowed = new Uint8Array(this.audienceNumbers.size);
    if (!audiences) return allowed.fill(1);
    for (const name of audiences) {
      const number = this.audienceNumbers.get(name);
      if (number !== undefined) allowed[number] = 1;
    }
    return allowed;
  }

  /** Hamming distance of each signature from the nearest query's; EMPTY for slots of other audiences. */
  private distances(queries: readonly Int32Array[], allowed: Uint8Array): Int32Array {
    const { signatureLength: words, signatures, audiences } = this;
    const distances = new Int32Array(this.ids.length);
    for (let slot = 0; slot < distances.length; slot += 1) {
      if (allowed[audiences[slot] ?? EMPTY] !== 1) {
        distances[slot] = EMPTY;
        continue;
      }
      let nearest = words * 32;
      for (const query of queries) nearest = Math.min(nearest, hammingDistance(query, signatures, slot * words, words));
      distances[slot] = nearest;
    }
    return distances;
  }
}

function hammingDistance(query: Int32Array, signatures: Int32Array, start: number, words: number): number {
  // Each byte of `sums` grows by at most 8 per word, so it cannot overflow within MAX_WORDS.
  let sums = 0;
  for (let word = 0; word < words; word += 1) {
    let bits = (query[word] ?? 0) ^ (signatures[start + word] ?? 0);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    sums += (bits + (bits >>> 4)) & 0x0f0f0f0f;
  }
  sums = (sums & 0x00ff00ff) + ((sums >>> 8) & 0x00ff00ff);
  return (sums & 0xffff) + (sums >>> 16);
}

function enlarged(array: Int32Array, length: number, filler: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length).fill(filler);
  larger.set(array);
  return larger;
}

/** The smallest distance that covers at least `wanted` signatures, or the largest distance. */
function distanceBound(histogram: Int32Array, wanted: number): number {
  let total = 0;
  const bound = histogram.findIndex((count) => (total += count) >= wanted);
  return bound === -1 ? histogram.length : bound;
}
