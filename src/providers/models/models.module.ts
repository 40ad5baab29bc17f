import { Module, type OnModuleDestroy } from '@nestjs/common';
import { OutboundModule } from '../outbound/index.js';
import { ContextLimits } from './context-limits.js';
import { HeldCallsSource } from './held-calls.js';
import { ModelRegistry } from './model-registry.js';
import { TokenMeter } from './token-meter.js';
import { defineModule } from '../../core/modules/index.js';
import { MODELS_METRICS } from './models.metrics.js';
import { MODELS_SETTINGS } from './models.settings.js';

@Module({
  imports: [OutboundModule],
  providers: [ModelRegistry, HeldCallsSource, TokenMeter, ContextLimits],
  exports: [ModelRegistry, TokenMeter, ContextLimits],
})
export class ModelsModule implements OnModuleDestroy {
  constructor(private readonly models: ModelRegistry) {}

  async onModuleDestroy(): Promise<void> {
    await this.models.close();
  }
}

export const descriptor = defineModule({
  name: 'models',
  about: 'Language models and sentence embeddings.',
  module: ModelsModule,
  settings: MODELS_SETTINGS,
  metrics: MODELS_METRICS,
  hooks: { metricSources: [HeldCallsSource], problemSources: [HeldCallsSource] },
});
