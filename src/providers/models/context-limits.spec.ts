import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { ContextLimits, isCut, smallerShare } from './context-limits.js';

const MODEL = { provider: 'ollama', modelId: 'qwen3:8b' };

describe('the readable share of a prompt', () => {
  it('is remembered for the model for an hour', () => {
    const clock = new FakeClock();
    const limits = new ContextLimits(clock);
    expect(limits.shareOf(MODEL)).toBe(1);
    limits.remember(MODEL, 0.4);
    expect(limits.shareOf(MODEL)).toBe(0.4);
    expect(limits.shareOf({ ...MODEL, modelId: 'other' })).toBe(1);
    clock.advance(3_600_000);
    expect(limits.shareOf(MODEL)).toBe(1);
  });

  it.each<[string, number, number | undefined, number]>([
    ['half without a known limit', 9000, undefined, 0.5],
    ['what fits into the limit', 9000, 6000, 0.5],
    ['smaller in any case', 9000, 100_000, 0.9],
    ['never nothing', 900_000, 100, 0.05],
  ])('is made %s', (_name, tokens, limit, expected) => {
    expect(smallerShare(1, tokens, limit)).toBeCloseTo(expected);
  });
});

describe('a truncated prompt is detected', () => {
  it.each<[string, number, number, boolean, boolean]>([
    ['a full context, much smaller than the prompt', 4096, 7000, false, true],
    ['a nearly full context, as whole messages are left out', 3700, 6500, false, true],
    ['a full context, clearly smaller, for a known model', 2048, 2600, true, true],
    ['clearly smaller, for an unknown model', 2048, 2600, false, false],
    ['only what was not cached', 40, 3000, true, false],
    ['no full context', 2500, 6000, true, false],
    ['the whole prompt', 5000, 5000, true, false],
  ])('when the service reports %s: %i of %i', (_name, reported, counted, isCalibrated, expected) => {
    expect(isCut(reported, counted, isCalibrated)).toBe(expected);
  });
});
