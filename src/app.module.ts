import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import type { Clock } from './core/clock/index.js';
import { ConfigModule, type Config } from './core/config/index.js';
import { DatabaseModule, type Store } from './core/database/index.js';
import { EnvelopeGuard, ErrorFilter, ValidationPipe } from './core/http/index.js';
import { IdempotencyModule } from './core/idempotency/index.js';
import { JournalModule } from './core/journal/index.js';
import { AccessModule } from './modules/access/index.js';
import { AgentsModule } from './modules/agents/index.js';
import { AudioModule } from './modules/audio/index.js';
import { GatewayModule } from './modules/gateway/index.js';
import { LogsModule } from './modules/logs/index.js';
import { MediaModule } from './modules/media/index.js';
import { MemoryModule } from './modules/memory/index.js';
import { MessagingModule } from './modules/messaging/index.js';
import { PluginModule } from './modules/plugins/index.js';
import { SessionsModule } from './modules/sessions/index.js';
import { SystemModule } from './modules/system/index.js';
import { TeeModule } from './modules/tee/index.js';
import { TurnsModule } from './modules/turns/index.js';

/** The composition root: the only place that names every module. */
@Module({})
export class AppModule {
  static forRoot(foundation: { config: Config; store: Store; clock?: Clock }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(foundation.config, foundation.clock),
        DatabaseModule.forRoot(foundation.store),
        JournalModule,
        AccessModule,
        IdempotencyModule,
        // Routes are looked up in this order: /api/agents/worlds before /api/agents/:agentId.
        MemoryModule,
        AgentsModule,
        MessagingModule,
        MediaModule,
        SessionsModule,
        TurnsModule,
        AudioModule,
        LogsModule,
        GatewayModule,
        SystemModule,
        TeeModule,
        PluginModule.forRoot(),
      ],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_GUARD, useClass: EnvelopeGuard },
        { provide: APP_PIPE, useClass: ValidationPipe },
      ],
    };
  }
}
