import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { TraceExport } from './trace-export.js';
import { TRACES_SETTINGS } from './traces.settings.js';

@Module({ providers: [TraceExport] })
export class TracesModule {}

export const descriptor = defineModule({
  name: 'traces',
  about: 'Traces for OpenTelemetry collectors.',
  module: TracesModule,
  settings: TRACES_SETTINGS,
});
