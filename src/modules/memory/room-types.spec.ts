import { describe, expect, it } from '@jest/globals';
import { roomTypeOf } from './room-types.js';

describe('roomTypeOf', () => {
  it.each([
    ['DM', 'DM'],
    ['dm', 'DM'],
    ['text', 'GROUP'],
    ['CHANNEL', 'GROUP'],
    ['voice', 'VOICE_GROUP'],
    ['voice_dm', 'VOICE_DM'],
  ])('reads %s as %s', (word, type) => {
    expect(roomTypeOf(word)).toBe(type);
  });

  it.each(['', 'constructor', 'Chamber'])('knows no type "%s"', (word) => {
    expect(roomTypeOf(word)).toBeUndefined();
  });
});
