import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { AccessModule } from '../../modules/access/index.js';
import { MetricsAccess } from './metrics-access.js';
import { MetricsEndpoint } from './metrics-endpoint.js';
import { METRICS_SETTINGS } from './metrics.settings.js';
import { PROCESS_METRICS } from './process.metrics.js';
import { ProcessSource } from './process-source.js';

@Module({ imports: [AccessModule], providers: [MetricsAccess, MetricsEndpoint, ProcessSource] })
export class MetricsModule {}

export const descriptor = defineModule({
  name: 'metrics',
  about: 'Metrics for Prometheus at /metrics, and figures of the process.',
  module: MetricsModule,
  settings: METRICS_SETTINGS,
  metrics: PROCESS_METRICS,
  hooks: { metricSources: [ProcessSource] },
});
