import { meter } from '../../core/telemetry/index.js';

export const USAGE_METRICS = {
  tokens: meter.counter({
    name: 'models.tokens',
    exportedAs: 'model.tokens',
    about: 'Tokens as reported by the chat model services: of turns, summaries and the extraction of facts.',
    unit: 'tokens',
    labels: { provider: null, model: null, direction: ['input', 'output'] },
  }),
  cost: meter.observed({
    name: 'models.cost',
    exportedAs: 'model.cost',
    kind: 'counter',
    about: 'Cost of these tokens with the prices in MODEL_PRICES. A model without a price has no value.',
    unit: 'usd',
    labels: { provider: null, model: null },
  }),
};
