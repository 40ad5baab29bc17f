import { describe, expect, it } from '@jest/globals';
import { jsonLine } from './json-line.js';

describe('JSON on one line', () => {
  it.each([
    ['a\u2028b', '"a\\u2028b"'],
    ['\u2029\u0085', '"\\u2029\\u0085"'],
    ['\\u2028', '"\\\\u2028"'],
    ['\\\u2028', '"\\\\\\u2028"'],
    ['a\r\n\v\fb', '"a\\r\\n\\u000b\\fb"'],
    ['ü🌞', '"ü🌞"'],
  ])('of %j has the same value', (text, line) => {
    expect(jsonLine(JSON.stringify(text))).toBe(line);
    expect(JSON.parse(line)).toBe(text);
  });
});
