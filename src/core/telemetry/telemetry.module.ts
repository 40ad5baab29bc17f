import { Global, Module } from '@nestjs/common';
import { MetricSources } from './metric-sources.js';
import { Tracer } from './tracer.js';

@Global()
@Module({ providers: [Tracer, MetricSources], exports: [Tracer, MetricSources] })
export class TelemetryModule {}
