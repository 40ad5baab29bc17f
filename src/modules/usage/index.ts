export { descriptor, UsageModule } from './usage.module.js';
export { ModelPrices, type PricedCall } from './model-prices.js';
export { UsageRetention } from './usage-retention.js';
export { UsageService } from './usage.service.js';
export {
  addUsage,
  NO_USAGE,
  usageOfCall,
  type BucketUsage,
  type ModelUsage,
  type TurnUsage,
  type UsageFilter,
  type UsageSum,
} from './usage.types.js';
