import { Global, Module } from '@nestjs/common';
import { LeadershipModule } from '../leadership/index.js';
import { defineModule } from '../modules/index.js';
import { JobEnvironment } from './job-runner.js';
import { QUEUE_METRICS } from './queue.metrics.js';
import { QueueSource } from './queue-source.js';

@Global()
@Module({ imports: [LeadershipModule], providers: [QueueSource, JobEnvironment], exports: [JobEnvironment] })
export class QueueModule {}

export const descriptor = defineModule({
  name: 'queue',
  about: 'Jobs that wait, run and are retried: turns, webhook deliveries, documents, facts, summaries, forgetting.',
  module: QueueModule,
  metrics: QUEUE_METRICS,
  hooks: { metricSources: [QueueSource] },
});
