import { Module } from '@nestjs/common';
import { defineModule } from '../modules/index.js';
import { QUEUE_METRICS } from './queue.metrics.js';
import { QueueSource } from './queue-source.js';

@Module({ providers: [QueueSource] })
export class QueueModule {}

export const descriptor = defineModule({
  name: 'queue',
  about: 'Jobs that wait, run and are retried: turns, webhook deliveries, documents, facts, summaries, forgetting.',
  module: QueueModule,
  metrics: QUEUE_METRICS,
  hooks: { metricSources: [QueueSource] },
});
