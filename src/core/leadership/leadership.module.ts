import { Module } from '@nestjs/common';
import { defineModule } from '../modules/index.js';
import { LeadershipSource } from './leadership-source.js';
import { Leadership } from './leadership.js';
import { LEADERSHIP_METRICS } from './leadership.metrics.js';
import { TableStatistics } from './table-statistics.js';
import { UpgradeCompletion } from './upgrade-completion.js';
import { Leases1766500000000 } from './migrations/1766500000000-leases.js';

@Module({ providers: [Leadership, LeadershipSource, TableStatistics, UpgradeCompletion], exports: [Leadership] })
export class LeadershipModule {}

export const descriptor = defineModule({
  name: 'leadership',
  about: 'One process of a fleet does the background work.',
  module: LeadershipModule,
  migrations: [Leases1766500000000],
  metrics: LEADERSHIP_METRICS,
  hooks: { metricSources: [LeadershipSource] },
});
