import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { OwnershipModule, RequestBodiesModule } from '../../core/http/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { ACCESS_AUDIT } from './access.audit.js';
import { AccessGuard } from './access.guard.js';
import { AccessService } from './access.service.js';
import { Callers } from './callers.js';
import { LimitedAccess } from './limited-access.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysRepository } from './keys/keys.repository.js';
import { KeysService } from './keys/keys.service.js';
import { Access1795824004000 } from './migrations/1795824004000-access.js';
import { OpenConnections } from './open-connections.js';
import { RateLimits } from './limits/rate-limits.js';
import { SessionTokens } from './session-tokens.js';
import { UserTokens } from './user-tokens.js';
import { defineModule } from '../../core/modules/index.js';
import { ACCESS_ENTITIES } from './entities/index.js';
import { ACCESS_SETTINGS } from './access.settings.js';
import { ACCESS_ERRORS } from './access.error-codes.js';
import { ACCESS_EVENTS } from './access.events.js';

/** Authentication, authorization and rate limits of HTTP operations, the gateway and plugin routes. */
@Module({
  imports: [OwnershipModule, RequestBodiesModule, VaultModule],
  controllers: [KeysController],
  providers: [
    AccessService,
    Callers,
    LimitedAccess,
    SessionTokens,
    UserTokens,
    KeysService,
    KeysRepository,
    OpenConnections,
    RateLimits,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AccessService, OpenConnections, RateLimits, SessionTokens],
})
export class AccessModule {}

export const descriptor = defineModule({
  name: 'access',
  about: 'Credentials, permissions and rate limits.',
  module: AccessModule,
  entities: ACCESS_ENTITIES,
  migrations: [Access1795824004000],
  settings: ACCESS_SETTINGS,
  errors: ACCESS_ERRORS,
  events: ACCESS_EVENTS,
  audit: ACCESS_AUDIT,
  hooks: { retentionSweeps: [RateLimits] },
});
