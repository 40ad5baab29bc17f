import { describe, expect, it } from '@jest/globals';
import { isOlder } from './versions.js';

describe('isOlder', () => {
  it.each([
    ['0.1.0', '0.2.0'],
    ['0.9.0', '0.10.0'],
    ['1.2.3', '1.2.4'],
    ['1.2', '1.2.1'],
    ['0.9.9', '1.0.0'],
  ])('%s is before %s, and not the other way round', (older, newer) => {
    expect([isOlder(older, newer), isOlder(newer, older)]).toEqual([true, false]);
  });

  it.each([
    ['0.2.0', '0.2.0'],
    ['0.2.0-rc.1', '0.2.0'],
    ['1.2', '1.2.0'],
  ])('%s counts as %s', (one, other) => {
    expect([isOlder(one, other), isOlder(other, one)]).toEqual([false, false]);
  });
});
