import { integer, json, type SettingValues } from '../../core/config/index.js';

/** US dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

type PriceList = ReadonlyMap<string, ModelPrice>;

/** @throws Error */
function toPrices(value: unknown): PriceList {
  const isPrice = (each: unknown): boolean => typeof each === 'number' && Number.isFinite(each) && each >= 0;
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value as Record<string, ModelPrice>) : undefined;
  const isValid = entries?.every(([, price]: [string, Partial<ModelPrice> | null]) => isPrice(price?.input) && isPrice(price?.output));
  if (!entries || isValid !== true) throw new Error('must have {"input": …, "output": …} for each model, US dollars for a million tokens');
  return new Map(entries);
}

export const USAGE_SETTINGS = {
  modelPrices: json<PriceList>('MODEL_PRICES', new Map(), toPrices, {
    shownDefault: 'none',
    about:
      'Prices of models, for the cost of runs: JSON such as {"openai/gpt-5": {"input": 1.25, "output": 10}}, US dollars for a million tokens. The name of the provider may be left out. Without a price, no cost is shown.',
  }),
  usageRetentionHours: integer('USAGE_RETENTION_HOURS', 8784, { min: 1, max: 87_600 }, { about: 'Retention of usage rows, hours.' }),
} as const;

type UsageConfig = SettingValues<typeof USAGE_SETTINGS>;

declare module '../../core/config/config.js' {
  interface Config extends UsageConfig {}
}
