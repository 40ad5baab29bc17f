import { Module } from '@nestjs/common';
import { UsagePersonalData } from './usage-personal-data.js';
import { defineModule } from '../../core/modules/index.js';
import { AgentsModule } from '../agents/index.js';
import { USAGE_ENTITIES } from './entities/index.js';
import { Usage1795824014000 } from './migrations/1795824014000-usage.js';
import { ModelPrices } from './model-prices.js';
import { UsageRetention } from './usage-retention.js';
import { USAGE_METRICS } from './usage.metrics.js';
import { UsageSource } from './usage-source.js';
import { UsageService } from './usage.service.js';
import { USAGE_SETTINGS } from './usage.settings.js';

@Module({
  imports: [AgentsModule],
  providers: [UsageService, ModelPrices, UsagePersonalData, UsageRetention, UsageSource],
  exports: [UsageService, ModelPrices],
})
export class UsageModule {}

export const descriptor = defineModule({
  name: 'usage',
  about: 'Cost of turns and of extracting facts: tokens, model calls and time.',
  module: UsageModule,
  entities: USAGE_ENTITIES,
  migrations: [Usage1795824014000],
  settings: USAGE_SETTINGS,
  metrics: USAGE_METRICS,
  hooks: {
    agentLifecycle: [UsageRetention],
    retentionSweeps: [UsageRetention],
    personalData: [UsagePersonalData],
    metricSources: [UsageSource],
  },
});
