import type { Voice } from './speech-synthesizer.js';
import { OPENAI_VOICES, findVoice } from './voice-names.js';

const voice = (id: string, traits: Partial<Voice> = {}): Voice => ({
  id,
  name: `The ${id}`,
  language: 'en-US',
  isDefault: false,
  ...traits,
});
const MAN = voice('man', { gender: 'male', isDefault: true });
const WOMAN = voice('woman', { gender: 'female' });
const SCOT = voice('scot', { gender: 'male', language: 'en-GB' });
const ALL = [MAN, WOMAN, SCOT];

describe('voiceNamed', () => {
  it.each([
    ['woman', WOMAN],
    [' WOMAN\n', WOMAN],
    ['the scot', SCOT],
    ['alloy', WOMAN],
    [' Alloy ', WOMAN],
    ['NOVA', WOMAN],
    ['onyx', MAN],
    ['echo', MAN],
    ['fable', SCOT],
    ['nobody', undefined],
    ['', undefined],
    ['toString', undefined],
    ['alloy2', undefined],
    [undefined, undefined],
  ])('finds %j', (name, found) => {
    expect(findVoice(name, ALL)).toBe(found);
  });

  it('has a voice for each of the names', () => {
    for (const name of OPENAI_VOICES) expect(findVoice(name, ALL)).toBeDefined();
  });

  it('prefers the voice with that name to a similar one', () => {
    const own = voice('alloy', { gender: 'male' });
    expect(findVoice('alloy', [...ALL, own])).toBe(own);
  });

  it('returns the default voice for unknown names', () => {
    const [zero, one] = [voice('0', { language: 'mul' }), voice('1', { language: 'mul', isDefault: true })];
    expect(findVoice('shimmer', [zero, one])).toBe(one);
    expect(findVoice('shimmer', [zero])).toBe(zero);
    expect(findVoice('shimmer', [])).toBeUndefined();
  });
});
