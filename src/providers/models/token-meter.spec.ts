import { describe, expect, it } from '@jest/globals';
import { charactersRead } from '../../../test/support/work-units.js';
import type { ChatMessage } from './chat-model.js';
import { TokenMeter } from './token-meter.js';
import { estimateTokens } from './tokens.js';

const MODEL = { provider: 'openai', modelId: 'm' };
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(100);
const PROMPT = { messages: [{ role: 'user', content: TEXT }] as ChatMessage[] };
const ESTIMATE = estimateTokens(TEXT);

describe('an estimate', () => {
  it('of a long text uses its first 50,000 characters', async () => {
    const long = TEXT.repeat(400);
    expect(await charactersRead('split', () => estimateTokens(long))).toBe(50_000);
    expect(estimateTokens(long) / (400 * ESTIMATE)).toBeCloseTo(1, 2);
  });
});

describe('the token meter', () => {
  it('uses the estimate until a model has reported', () => {
    const meter = new TokenMeter();
    expect(meter.count(TEXT)).toBe(ESTIMATE);
    expect(meter.count(TEXT)).toBe(ESTIMATE);
    expect(meter.toEstimated(MODEL, 900)).toBe(900);
  });

  it("uses a model's first report and adjusts to later ones", () => {
    const meter = new TokenMeter();
    meter.learn(MODEL, PROMPT, ESTIMATE * 1.5);
    expect(meter.toEstimated(MODEL, 900)).toBeCloseTo(600);
    meter.learn(MODEL, PROMPT, ESTIMATE);
    expect(meter.toEstimated(MODEL, 900)).toBeCloseTo(900 / 1.4);
    expect(meter.toEstimated({ ...MODEL, modelId: 'other' }, 900)).toBe(900);
  });

  it('does not go beyond twice the estimate', () => {
    const meter = new TokenMeter();
    meter.learn(MODEL, PROMPT, ESTIMATE * 2.5);
    expect(meter.toEstimated(MODEL, 900)).toBe(450);
  });

  it.each([
    ['always reports 1', [1, 1, 1, 1]],
    ['always reports 0', [0, 0, 0]],
    ['reports 7 tokens of every prompt', [7, 7, 7]],
    ['reports a negative number', [-5]],
    ['reports characters times ten', [TEXT.length * 10]],
    ['reports no number', [Number.POSITIVE_INFINITY, Number.NaN]],
    ['reports a third, without what it had cached', [ESTIMATE / 3, ESTIMATE / 3]],
  ])('learns nothing from a service that %s', (_service, reports) => {
    const meter = new TokenMeter();
    for (const reported of reports) meter.learn(MODEL, PROMPT, reported);
    expect(meter.toEstimated(MODEL, 900)).toBe(900);
  });

  it('keeps what it knows when a service reports a prompt without what it had cached', () => {
    const meter = new TokenMeter();
    meter.learn(MODEL, PROMPT, ESTIMATE * 1.2);
    for (const share of [0.55, 0.3, 0.1]) meter.learn(MODEL, PROMPT, Math.round(ESTIMATE * 1.2 * share));
    expect(meter.toEstimated(MODEL, 900)).toBeCloseTo(750);
    meter.learn(MODEL, PROMPT, ESTIMATE * 1.1);
    expect(meter.toEstimated(MODEL, 900)).toBeCloseTo(900 / 1.18);
  });

  it.each([
    ['a short prompt', { messages: [{ role: 'user', content: 'Hi' }] as ChatMessage[] }, 500],
    ['a very long prompt', { messages: [{ role: 'user', content: TEXT.repeat(100) }] as ChatMessage[] }, 500_000],
    ['no report', PROMPT, undefined],
    ['a report that is no number', PROMPT, Number.NaN],
    [
      'a prompt with a picture',
      {
        messages: [
          { role: 'user', content: TEXT, files: [{ mediaType: 'image/png', data: new Uint8Array(), name: 'a' }] },
        ] as ChatMessage[],
      },
      9000,
    ],
  ])('learns nothing from %s', (_what, prompt, reported) => {
    const meter = new TokenMeter();
    meter.learn(MODEL, prompt, reported);
    expect(meter.toEstimated(MODEL, 900)).toBe(900);
  });

  it('evicts the texts and models that were used first', () => {
    const meter = new TokenMeter();
    for (let each = 0; each < 12; each++) meter.count(`${each} ${'x'.repeat(100_000)}`);
    for (let each = 0; each <= 1000; each++) meter.learn({ ...MODEL, modelId: `${each}` }, PROMPT, ESTIMATE * 2);
    expect(meter.toEstimated({ ...MODEL, modelId: '0' }, 900)).toBe(900);
    expect(meter.toEstimated({ ...MODEL, modelId: '1000' }, 900)).toBe(450);
  });
});
