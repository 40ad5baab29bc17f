import { describe, expect, it } from '@jest/globals';
import { hasMoreValues } from './json-values.js';

const SPACE = ' '.repeat(100);

describe('values of JSON', () => {
  it.each<[number, string]>([
    [0, '{}'],
    [0, '"text, with, commas"'],
    [1, '[1]'],
    [3, '[1, 2, 3]'],
    [2, '[[], {}]'],
    [2, '{"a": 1}'],
    [6, '{ "a": [ ], "b": { "c": null } }'],
    [4, '{"a:b": "c:d", "e": {}}'],
    [2, '["a, [b], {c}", "d"]'],
    [2, String.raw`["a\",\"b", "c"]`],
    [3, String.raw`["a\\", "b", "\\\\"]`],
    [6, '[[1, 2], [3, 4]]'],
  ])('are %i in %s', (count, json) => {
    JSON.parse(json);
    expect(hasMoreValues(json + SPACE, count)).toBe(false);
    if (count > 0) expect(hasMoreValues(json + SPACE, count - 1)).toBe(true);
  });

  it('are counted in unclosed texts', () => {
    expect(hasMoreValues('['.repeat(1000), 10)).toBe(true);
  });

  it.each(['"never ends, ', '["never ends\\', '[[[[', '"\\'])('end where the text %s does', (json) => {
    expect(hasMoreValues(json + SPACE, 10)).toBe(false);
  });

  it.each(['"\\', '\\"', '\\', '"'])('are counted in linear time in a long chain of %s', (part) => {
    expect(hasMoreValues(`["${part.repeat(500_000)}`, 10)).toBe(false);
  });
});
