import { beforeEach, describe, expect, it } from '@jest/globals';
import { KeptVectors } from './kept-vectors.js';

const vector = (...elements: number[]): Float32Array => Float32Array.from(elements);
const at = (memoryId: string, piece = 0) => ({ memoryId, piece });

describe('kept vectors', () => {
  let kept: KeptVectors;
  beforeEach(() => {
    kept = new KeptVectors(6);
  });
  const has = (...ids: string[]): boolean[] => ids.map((id) => kept.get(at(id)) !== undefined);

  it('are those of the pieces of memories', () => {
    kept.keep(at('a', 0), vector(1, 2));
    kept.keep(at('a', 3), vector(3, 4));
    expect([kept.get(at('a', 0)), kept.get(at('a', 3)), kept.get(at('a', 1)), kept.get(at('b'))]).toEqual([
      vector(1, 2),
      vector(3, 4),
      undefined,
      undefined,
    ]);
  });

  it('leave the memory out that was not used for longest', () => {
    for (const id of ['a', 'b', 'c']) kept.keep(at(id), vector(1, 1));
    expect(has('a')).toEqual([true]);
    kept.keep(at('d'), vector(1, 1));
    expect(has('a', 'b', 'c', 'd')).toEqual([true, false, true, true]);
  });

  it('count a replaced vector once', () => {
    for (let time = 0; time < 9; time += 1) kept.keep(at('a'), vector(time, 0));
    kept.keep(at('b'), vector(1, 1));
    expect(kept.get(at('a'))).toEqual(vector(8, 0));
    kept.drop('a');
    for (const id of ['c', 'd']) kept.keep(at(id), vector(1, 1));
    expect(has('a', 'b', 'c', 'd')).toEqual([false, true, true, true]);
  });

  it('tell by their version that some were dropped', () => {
    kept.keep(at('a'), vector(1));
    const { version } = kept;
    kept.keep(at('b'), vector(1));
    expect(kept.version).toBe(version);
    kept.drop('unknown');
    expect(kept.version).not.toBe(version);
    kept.dropAll();
    expect(has('a', 'b')).toEqual([false, false]);
  });
});
