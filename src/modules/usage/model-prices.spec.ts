import { describe, expect, it } from '@jest/globals';
import type { Config } from '../../core/config/index.js';
import { ModelPrices } from './model-prices.js';
import { USAGE_SETTINGS } from './usage.settings.js';

const read = (raw: string): Config['modelPrices'] => USAGE_SETTINGS.modelPrices.read(raw, '/');
const SET = '{"gpt-5":{"input":1.25,"output":10},"azure/gpt-5":{"input":2,"output":20}}';
const prices = new ModelPrices({ modelPrices: read(SET) } as Config);

describe('prices of models', () => {
  it.each([
    ['the price of a model', 'openai', 'gpt-5', 1_000_000, 100_000, 2.25],
    ['that of the provider and the model before it', 'azure', 'gpt-5', 1_000_000, 100_000, 4],
    ['decimals as they are', 'openai', 'gpt-5', 12, 3, 0.000045],
    ['nothing for a model without a price', 'openai', 'gpt-6', 12, 3, null],
    ['nothing for a name that every object has', 'openai', 'constructor', 12, 3, null],
    ['nothing without the tokens', 'openai', 'gpt-5', null, 3, null],
  ])('give %s', (_words, provider, model, inputTokens, outputTokens, cost) => {
    expect(prices.costOf({ provider, model, inputTokens, outputTokens })).toBe(cost);
  });

  it('return a sum only when they know all calls', () => {
    const call = { provider: 'openai', model: 'gpt-5', inputTokens: 100_000, outputTokens: 0 };
    expect(prices.costOfAll([call, call])).toBe(0.25);
    expect(prices.costOfAll([call, { ...call, model: 'other' }])).toBeNull();
    expect(prices.costOfAll([])).toBeNull();
  });

  it.each(['x', '[]', '{"a":1}', '{"a":{"input":1}}', '{"a":{"input":-1,"output":1}}', '{"a":{"input":"1","output":1}}'])(
    'refuse %s',
    (raw) => {
      expect(() => read(raw)).toThrow(/^must /);
    },
  );
});
