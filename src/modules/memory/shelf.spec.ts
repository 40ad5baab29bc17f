import { describe, expect, it } from '@jest/globals';
import { Shelf, sketchOf } from './shelf.js';

const DIMENSION = 64;

/** A vector whose first `positive` elements are above zero: two of them differ in as many signs as their numbers differ. */
const vector = (positive: number): Float32Array => Float32Array.from({ length: DIMENSION }, (_, index) => (index < positive ? 0.5 : -0.5));
const sketch = (positive: number): Int32Array => sketchOf(vector(positive));

function shelfOf(entries: Record<string, number>, capacity = 100): Shelf {
  const shelf = new Shelf(capacity);
  for (const [id, positive] of Object.entries(entries)) shelf.add(id, null, sketch(positive));
  return shelf;
}

describe('Shelf', () => {
  it('finds the nearest, nearest first', () => {
    const shelf = shelfOf({ far: 60, near: 11, nearest: 10, middle: 30 });
    expect(shelf.nearest(sketch(9), 3, {})).toEqual(['nearest', 'near', 'middle']);
  });

  it('finds everything when there is less than was asked for', () => {
    expect(shelfOf({ a: 1, b: 64 }).nearest(sketch(0), 5, {})).toEqual(['a', 'b']);
    expect(new Shelf(10).nearest(sketch(0), 5, {})).toEqual([]);
  });

  it('keeps its count although the nearest are excluded', () => {
    const shelf = shelfOf({ a: 10, b: 11, c: 12, d: 13 });
    expect(shelf.nearest(sketch(10), 2, { exclude: new Set(['a', 'b']) })).toEqual(['c', 'd']);
  });

  it('shows what was said in a room only to those who may hear it', () => {
    const shelf = new Shelf(10);
    shelf.add('open', null, sketch(30));
    shelf.add('mine', 'my room', sketch(31));
    shelf.add('theirs', 'their room', sketch(32));
    expect(shelf.nearest(sketch(32), 9, { rooms: new Set(['my room', 'unknown room']) })).toEqual(['mine', 'open']);
    expect(shelf.nearest(sketch(32), 9, { rooms: new Set() })).toEqual(['open']);
    expect(shelf.nearest(sketch(32), 9, {})).toEqual(['theirs', 'mine', 'open']);
  });

  it('says whether it has anything for an audience', () => {
    const shelf = new Shelf(10);
    shelf.add('theirs', 'their room', sketch(1));
    expect(shelf.offers({})).toBe(true);
    expect(shelf.offers({ rooms: new Set(['my room']) })).toBe(false);
    expect(shelf.offers({ exclude: new Set(['theirs']) })).toBe(false);
    shelf.remove('theirs');
    expect(shelf.offers({})).toBe(false);
  });

  it('replaces a vector that is added again and forgets one that is removed', () => {
    const shelf = shelfOf({ a: 10, b: 20 });
    shelf.add('a', null, sketch(60));
    expect(shelf.size).toBe(2);
    expect(shelf.nearest(sketch(10), 1, {})).toEqual(['b']);
    shelf.remove('b');
    shelf.remove('unknown');
    expect(shelf.nearest(sketch(10), 2, {})).toEqual(['a']);
    shelf.add('c', null, sketch(10));
    expect(shelf.nearest(sketch(10), 2, {})).toEqual(['c', 'a']);
    expect(shelf.has('b')).toBe(false);
  });

  it('gives up the oldest when it is full', () => {
    const shelf = shelfOf({ a: 1, b: 2, c: 3 }, 3);
    shelf.add('d', null, sketch(4));
    shelf.add('e', null, sketch(5));
    expect(shelf.size).toBe(3);
    expect(shelf.nearest(sketch(1), 9, {})).toEqual(['c', 'd', 'e']);
    expect(shelf.has('a')).toBe(false);
  });

  it('gives up the oldest of what was added newest first, then of what came later', () => {
    const shelf = shelfOf({ third: 3, second: 2, first: 1 }, 4);
    shelf.addedNewestFirst();
    const left = [4, 5, 6, 7, 8].map((positive) => {
      shelf.add(String(positive), null, sketch(positive));
      return shelf.nearest(sketch(0), 9, {});
    });
    expect(left).toEqual([
      ['first', 'second', 'third', '4'],
      ['second', 'third', '4', '5'],
      ['third', '4', '5', '6'],
      ['4', '5', '6', '7'],
      ['5', '6', '7', '8'],
    ]);
  });

  it('leaves out vectors of another length', () => {
    const shelf = shelfOf({ a: 1 });
    shelf.add('other', null, sketchOf(new Float32Array(128)));
    expect(shelf.size).toBe(1);
    expect(shelf.nearest(sketchOf(new Float32Array(128)), 1, {})).toEqual([]);
  });

  it('agrees with counting the signs one by one', () => {
    let seed = 7;
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
    const vectors = Array.from({ length: 300 }, () => Float32Array.from({ length: 512 }, random));
    const query = Float32Array.from({ length: 512 }, random);
    const shelf = new Shelf(1000);
    vectors.forEach((each, index) => shelf.add(String(index), null, sketchOf(each)));
    const differing = (each: Float32Array): number => each.filter((element, index) => element > 0 !== (query[index] ?? 0) > 0).length;
    const expected = vectors.map((each) => differing(each)).sort((a, b) => a - b);
    const found = shelf.nearest(sketchOf(query), 300, {}).map((id) => differing(vectors[Number(id)] ?? new Float32Array()));
    expect(found).toEqual(expected);
  });
});
