import { Global, Module } from '@nestjs/common';
import { Tracer } from './tracer.js';

@Global()
@Module({ providers: [Tracer], exports: [Tracer] })
export class TelemetryModule {}
