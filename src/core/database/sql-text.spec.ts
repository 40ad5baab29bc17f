import { describe, expect, it } from '@jest/globals';
import { idKeys } from './sql-text.js';

describe('ids as the keys of a JSON object', () => {
  it.each<[string, string[]]>([
    ['none', []],
    ['one', ['0b1c-2']],
    ['several', ['a', 'b_1', '']],
    ['with characters that JSON escapes', ['a"b', 'c\\', '\u0000', 'é', '__proto__x']],
  ])('%s', (_words, ids) => {
    expect(JSON.parse(idKeys(ids))).toEqual(Object.fromEntries(ids.map((id) => [id, 0])));
  });

  it('have each id once', () => {
    expect(idKeys(['a', 'b', 'a'])).toBe('{"a":0,"b":0}');
  });
});
