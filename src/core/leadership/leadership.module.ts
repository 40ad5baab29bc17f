import { Module } from '@nestjs/common';
import { defineModule } from '../modules/index.js';
import { LeadershipSource } from './leadership-source.js';
import { Leadership } from './leadership.js';
import { LEADERSHIP_METRICS } from './leadership.metrics.js';
import { TableStatistics } from './table-statistics.js';
import { UpgradeCompletion } from './upgrade-completion.js';
import { VersionAnnouncement } from './version-announcement.js';
import { Leadership1795824001000 } from './migrations/1795824001000-leadership.js';

@Module({ providers: [Leadership, LeadershipSource, TableStatistics, UpgradeCompletion, VersionAnnouncement], exports: [Leadership] })
export class LeadershipModule {}

export const descriptor = defineModule({
  name: 'leadership',
  about: 'One process of a fleet does the background work.',
  module: LeadershipModule,
  migrations: [Leadership1795824001000],
  metrics: LEADERSHIP_METRICS,
  hooks: { metricSources: [LeadershipSource] },
});
