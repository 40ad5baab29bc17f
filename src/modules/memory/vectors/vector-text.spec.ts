import { describe, expect, it } from '@jest/globals';
import { fromVectorText, toVectorText } from './vector-text.js';

describe('vector text', () => {
  it('is base64 of little-endian floats', () => {
    expect(toVectorText(Float32Array.of(1, -2))).toBe(Buffer.from('0000803f000000c0', 'hex').toString('base64'));
  });

  it('round-trips all elements, including those of a subarray', () => {
    const vector = Float32Array.from({ length: 512 }, (_, index) => Math.sin(index) / 3);
    expect(fromVectorText(toVectorText(vector))).toEqual(vector);
    expect(fromVectorText(toVectorText(vector.subarray(3, 6)))).toEqual(vector.subarray(3, 6));
  });
});
