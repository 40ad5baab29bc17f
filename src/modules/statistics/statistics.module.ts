import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { TurnsModule } from '../turns/index.js';
import { UsageModule } from '../usage/index.js';
import { ServerSampleRow } from './entities/server-sample.entity.js';
import { Statistics1795824018000 } from './migrations/1795824018000-statistics.js';
import { ServerSamples } from './server-samples.js';
import { StatisticsController } from './statistics.controller.js';
import { StatisticsService } from './statistics.service.js';

@Module({
  imports: [TurnsModule, UsageModule],
  controllers: [StatisticsController],
  providers: [StatisticsService, ServerSamples],
})
export class StatisticsModule {}

export const descriptor = defineModule({
  name: 'statistics',
  about: 'Figures over time: messages, turns, durations, tokens, memory, database size.',
  module: StatisticsModule,
  entities: [ServerSampleRow],
  migrations: [Statistics1795824018000],
  hooks: { retentionSweeps: [ServerSamples] },
});
