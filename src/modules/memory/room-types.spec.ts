import { describe, expect, it } from '@jest/globals';
import { parseRoomType } from './room-types.js';

describe('parseRoomType', () => {
  it.each([
    ['DM', 'DM'],
    ['dm', 'DM'],
    ['text', 'GROUP'],
    ['CHANNEL', 'GROUP'],
    ['voice', 'VOICE_GROUP'],
    ['voice_dm', 'VOICE_DM'],
  ])('reads %s as %s', (word, type) => {
    expect(parseRoomType(word)).toBe(type);
  });

  it.each(['', 'constructor', 'Chamber'])('rejects "%s"', (word) => {
    expect(parseRoomType(word)).toBeUndefined();
  });
});
