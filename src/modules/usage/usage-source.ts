import { Injectable } from '@nestjs/common';
import type { MetricSource, Reading } from '../../core/telemetry/index.js';
import { ModelPrices } from './model-prices.js';
import { USAGE_METRICS } from './usage.metrics.js';

/** What the tokens of this process have cost. */
@Injectable()
export class UsageSource implements MetricSource {
  readonly source = 'usage';

  constructor(private readonly prices: ModelPrices) {}

  read(): readonly Reading[] {
    const calls = new Map<string, { provider: string; model: string; inputTokens: number; outputTokens: number }>();
    for (const series of USAGE_METRICS.tokens.snapshot()) {
      const { provider = '', model = '', direction } = series.labels;
      const key = JSON.stringify([provider, model]);
      const call = calls.get(key) ?? { provider, model, inputTokens: 0, outputTokens: 0 };
      const tokens = 'value' in series ? series.value : 0;
      if (direction === 'input') call.inputTokens = tokens;
      else call.outputTokens = tokens;
      calls.set(key, call);
    }
    return [...calls.values()].flatMap((call) => {
      const cost = this.prices.costOf(call);
      return cost === null ? [] : [USAGE_METRICS.cost.reading(cost, { provider: call.provider, model: call.model })];
    });
  }
}
