import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import type { Clock } from './core/clock/index.js';
import { ConfigModule, type Config } from './core/config/index.js';
import { DatabaseModule, type Schema, type Store } from './core/database/index.js';
import { EnvelopeGuard, ErrorFilter, ValidationPipe } from './core/http/index.js';
import { HooksModule } from './core/hooks/index.js';
import { schemaOf } from './core/modules/index.js';
import { RetentionModule } from './core/retention/index.js';
import { TelemetryModule } from './core/telemetry/index.js';

const LOADED = await Promise.all([
  import('./core/journal/index.js'),
  import('./core/leadership/index.js'),
  import('./core/queue/index.js'),
  import('./core/search/index.js'),
  import('./core/vault/index.js'),
  // The access guard runs before the idempotency guard, so that rejected requests store no key.
  import('./modules/access/index.js'),
  import('./core/idempotency/index.js'),
  import('./providers/traces/index.js'),
  import('./providers/outbound/index.js'),
  import('./providers/models/index.js'),
  import('./providers/speech/index.js'),
  import('./providers/storage/index.js'),
  import('./providers/tee/index.js'),
  // Routes are matched in this order: /api/agents/worlds before /api/agents/:agentId.
  import('./modules/memory/index.js'),
  import('./modules/agents/index.js'),
  import('./modules/knowledge/index.js'),
  import('./modules/messaging/index.js'),
  import('./modules/media/index.js'),
  import('./modules/sessions/index.js'),
  import('./modules/usage/index.js'),
  import('./modules/profiles/index.js'),
  import('./modules/turns/index.js'),
  import('./modules/protocols/index.js'),
  import('./modules/audio/index.js'),
  import('./modules/logs/index.js'),
  import('./interfaces/anthropic/index.js'),
  import('./interfaces/ai-sdk/index.js'),
  import('./interfaces/external/index.js'),
  import('./interfaces/gateway/index.js'),
  import('./interfaces/metrics/index.js'),
  import('./interfaces/openai/index.js'),
  import('./interfaces/streams/index.js'),
  import('./interfaces/submit/index.js'),
  import('./modules/system/index.js'),
  import('./modules/tee/index.js'),
  import('./modules/plugins/index.js'),
  import('./modules/privacy/index.js'),
  import('./modules/audit/index.js'),
  import('./modules/statistics/index.js'),
  import('./modules/backups/index.js'),
  import('./modules/server-model/index.js'),
  import('./modules/diagnostics/index.js'),
  // Behind the plugins, whose routes win over its pages.
  import('./interfaces/docs/index.js'),
  import('./interfaces/console/index.js'),
]);

/** All modules. */
export const MODULES = LOADED.map(({ descriptor }) => descriptor);

/** Tables and migrations of all modules. */
export const SCHEMA: Schema = schemaOf(MODULES);

/** The composition root: the only file that lists all modules. */
@Module({})
export class AppModule {
  static forRoot(foundation: { config: Config; store: Store; clock?: Clock }): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(foundation.config, foundation.clock),
        DatabaseModule.forRoot(foundation.store),
        HooksModule,
        RetentionModule,
        TelemetryModule,
        ...MODULES.map(({ module }) => module),
      ],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_GUARD, useClass: EnvelopeGuard },
        { provide: APP_PIPE, useClass: ValidationPipe },
      ],
    };
  }
}
