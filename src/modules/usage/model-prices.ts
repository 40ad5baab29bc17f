import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';

const PER_TOKENS = 1_000_000;

/** The tokens of a model call; null where the service did not report them. */
export interface PricedCall {
  readonly provider: string | null | undefined;
  readonly model: string | null | undefined;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

/** What model calls cost, from the prices that the operator has set (MODEL_PRICES). Prices are not guessed. */
@Injectable()
export class ModelPrices {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** US dollars, with the prices of today; null for a model without a price, and for a call whose tokens are not known. */
  costOf({ provider, model, inputTokens, outputTokens }: PricedCall): number | null {
    const { modelPrices: prices } = this.config;
    const price = prices.get(`${provider}/${model}`) ?? prices.get(model ?? '');
    if (!price || inputTokens === null || outputTokens === null) return null;
    return rounded((inputTokens * price.input + outputTokens * price.output) / PER_TOKENS);
  }

  /** US dollars for several calls; null when there is none, or when the cost of one is not known. */
  costOfAll(calls: readonly PricedCall[]): number | null {
    const costs = calls.map((call) => this.costOf(call));
    return costs.length === 0 || costs.includes(null) ? null : rounded(costs.reduce((sum: number, cost) => sum + (cost ?? 0), 0));
  }
}

/** To a billionth of a dollar, so that sums of decimals look like decimals. */
function rounded(dollars: number): number {
  return Math.round(dollars * 1e9) / 1e9;
}
