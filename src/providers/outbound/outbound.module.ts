import { Module, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Outbound } from './outbound.js';
import { defineModule } from '../../core/modules/index.js';
import { OUTBOUND_SETTINGS } from './outbound.settings.js';

@Module({
  providers: [{ provide: Outbound, inject: [CONFIG, Clock], useFactory: (config: Config, clock: Clock) => new Outbound(config, clock) }],
  exports: [Outbound],
})
export class OutboundModule implements OnModuleDestroy {
  constructor(private readonly outbound: Outbound) {}

  async onModuleDestroy(): Promise<void> {
    await this.outbound.close();
  }
}

export const descriptor = defineModule({
  name: 'outbound',
  about: 'HTTP requests to services outside the process.',
  module: OutboundModule,
  settings: OUTBOUND_SETTINGS,
});
