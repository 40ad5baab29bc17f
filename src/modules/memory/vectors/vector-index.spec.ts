import { describe, expect, it } from '@jest/globals';
import { VectorIndex, signatureOf, type IndexFilter } from './vector-index.js';

const DIMENSION = 64;

/** A vector whose first `positive` elements are above zero; the distance of two signatures is the difference of their numbers. */
const vector = (positive: number): Float32Array => Float32Array.from({ length: DIMENSION }, (_, index) => (index < positive ? 0.5 : -0.5));
const signature = (positive: number): Int32Array => signatureOf(vector(positive));

const add = (index: VectorIndex, memoryId: string, audience: string, vector: Int32Array): void =>
  index.add({ memoryId, piece: 0 }, audience, vector);
const nearest = (index: VectorIndex, query: Int32Array, count: number, filter: IndexFilter): string[] =>
  index.nearest([query], count, filter).map(({ memoryId }) => memoryId);

function indexOf(entries: Record<string, number>, capacity = 100): VectorIndex {
  const index = new VectorIndex(capacity);
  for (const [id, positive] of Object.entries(entries)) index.add({ memoryId: id, piece: 0 }, 'open', signature(positive));
  return index;
}

describe('VectorIndex', () => {
  it('returns the nearest vectors, nearest first', () => {
    const index = indexOf({ far: 60, near: 11, nearest: 10, middle: 30 });
    expect(nearest(index, signature(9), 3, {})).toEqual(['nearest', 'near', 'middle']);
  });

  it('returns all vectors when there are fewer than requested', () => {
    expect(nearest(indexOf({ a: 1, b: 64 }), signature(0), 5, {})).toEqual(['a', 'b']);
    expect(nearest(new VectorIndex(10), signature(0), 5, {})).toEqual([]);
  });

  it('returns the requested number even if the nearest are excluded', () => {
    const index = indexOf({ a: 10, b: 11, c: 12, d: 13 });
    expect(nearest(index, signature(10), 2, { exclude: new Set(['a', 'b']) })).toEqual(['c', 'd']);
  });

  it('returns only memories that the audience may see', () => {
    const index = new VectorIndex(10);
    add(index, 'open', 'open', signature(30));
    add(index, 'mine', 'my room', signature(31));
    add(index, 'theirs', 'their room', signature(32));
    expect(nearest(index, signature(32), 9, { audiences: new Set(['my room', 'unknown room', 'open']) })).toEqual(['mine', 'open']);
    expect(nearest(index, signature(32), 9, { audiences: new Set(['open']) })).toEqual(['open']);
    expect(nearest(index, signature(32), 9, {})).toEqual(['theirs', 'mine', 'open']);
  });

  it('reports whether it has candidates for an audience', () => {
    const index = new VectorIndex(10);
    add(index, 'theirs', 'their room', signature(1));
    expect(index.hasCandidates({})).toBe(true);
    expect(index.hasCandidates({ audiences: new Set(['my room']) })).toBe(false);
    expect(index.hasCandidates({ exclude: new Set(['theirs']) })).toBe(false);
    index.remove('theirs');
    expect(index.hasCandidates({})).toBe(false);
  });

  it('updates the candidates when vectors of a room move or are removed, replaced or evicted', () => {
    const index = new VectorIndex(100);
    const mine = { audiences: new Set(['mine']) };
    const nameOf = (number: number): string => `memory ${number}`;
    for (let number = 0; number < 100; number += 1) add(index, nameOf(number), number < 90 ? 'theirs' : 'mine', signature(number));
    add(index, nameOf(99), 'theirs', signature(1));
    const own = Array.from({ length: 9 }, (_, index) => nameOf(90 + index));
    expect(index.hasCandidates({ ...mine, exclude: new Set([...own.slice(1), nameOf(1), 'unknown']) })).toBe(true);
    expect(index.hasCandidates({ ...mine, exclude: new Set([...own, nameOf(1), 'unknown']) })).toBe(false);
    for (const id of own) index.remove(id);
    expect(index.hasCandidates(mine)).toBe(false);
    add(index, 'knowledge', 'open', signature(1));
    expect(index.hasCandidates({ audiences: new Set(['mine', 'open']) })).toBe(true);
    index.remove('knowledge');
    for (let number = 0; number < 9; number += 1) add(index, `new ${number}`, 'mine', signature(number));
    expect(index.hasCandidates(mine)).toBe(true);
    // The index is full: these replace the oldest, and then each other.
    for (let number = 0; number < 200; number += 1) add(index, `newer ${number}`, 'theirs', signature(number));
    expect(index.hasCandidates(mine)).toBe(false);
    expect(index.hasCandidates({})).toBe(true);
  });

  it('replaces a vector that is added again, and removes vectors', () => {
    const index = indexOf({ a: 10, b: 20 });
    add(index, 'a', 'open', signature(60));
    expect(index.size).toBe(2);
    expect(nearest(index, signature(10), 1, {})).toEqual(['b']);
    index.remove('b');
    index.remove('unknown');
    expect(nearest(index, signature(10), 2, {})).toEqual(['a']);
    add(index, 'c', 'open', signature(10));
    expect(nearest(index, signature(10), 2, {})).toEqual(['c', 'a']);
    expect(index.has('b')).toBe(false);
  });

  it('evicts the oldest vectors when it is full', () => {
    const index = indexOf({ a: 1, b: 2, c: 3 }, 3);
    add(index, 'd', 'open', signature(4));
    add(index, 'e', 'open', signature(5));
    expect(index.size).toBe(3);
    expect(nearest(index, signature(1), 9, {})).toEqual(['c', 'd', 'e']);
    expect(index.has('a')).toBe(false);
  });

  it('evicts the oldest of the vectors loaded newest first, then later ones', () => {
    const index = indexOf({ third: 3, second: 2, first: 1 }, 4);
    index.markLoadedNewestFirst();
    const left = [4, 5, 6, 7, 8].map((positive) => {
      add(index, String(positive), 'open', signature(positive));
      return nearest(index, signature(0), 9, {});
    });
    expect(left).toEqual([
      ['first', 'second', 'third', '4'],
      ['second', 'third', '4', '5'],
      ['third', '4', '5', '6'],
      ['4', '5', '6', '7'],
      ['5', '6', '7', '8'],
    ]);
  });

  it('ignores vectors of another length', () => {
    const index = indexOf({ a: 1 });
    add(index, 'other', 'open', signatureOf(new Float32Array(128)));
    expect(index.size).toBe(1);
    expect(nearest(index, signatureOf(new Float32Array(128)), 1, {})).toEqual([]);
  });

  it('computes the same distances as a sign-by-sign comparison', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
    const vectors = Array.from({ length: 300 }, () => Float32Array.from({ length: 512 }, random));
    const query = Float32Array.from({ length: 512 }, random);
    const index = new VectorIndex(1000);
    vectors.forEach((each, position) => add(index, String(position), 'open', signatureOf(each)));
    const differing = (each: Float32Array): number => each.filter((element, index) => element > 0 !== (query[index] ?? 0) > 0).length;
    const expected = vectors.map((each) => differing(each)).sort((a, b) => a - b);
    const found = nearest(index, signatureOf(query), 300, {}).map((id) => differing(vectors[Number(id)] ?? new Float32Array()));
    expect(found).toEqual(expected);
  });
});
