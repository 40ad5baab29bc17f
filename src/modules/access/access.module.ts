import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { OwnersModule } from '../../core/http/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { AccessGuard } from './access.guard.js';
import { AccessService } from './access.service.js';
import { KeysController } from './keys/keys.controller.js';
import { KeysRepository } from './keys/keys.repository.js';
import { KeysService } from './keys/keys.service.js';
import { OpenConnections } from './open-connections.js';
import { RateLimits } from './rate-limits.js';
import { UserTokens } from './user-tokens.js';

/** Who may do what: it stands before every HTTP operation, and the gateway and the plugins' routes ask it. */
@Module({
  imports: [OwnersModule, VaultModule],
  controllers: [KeysController],
  providers: [
    AccessService,
    UserTokens,
    KeysService,
    KeysRepository,
    OpenConnections,
    RateLimits,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AccessService, OpenConnections, RateLimits],
})
export class AccessModule {}
