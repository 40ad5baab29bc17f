import { Module, type OnModuleDestroy } from '@nestjs/common';
import { OutboundModule } from '../outbound/index.js';
import { ModelRegistry } from './model-registry.js';

@Module({ imports: [OutboundModule], providers: [ModelRegistry], exports: [ModelRegistry] })
export class ModelsModule implements OnModuleDestroy {
  constructor(private readonly models: ModelRegistry) {}

  async onModuleDestroy(): Promise<void> {
    await this.models.close();
  }
}
