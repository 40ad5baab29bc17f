import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { VaultModule } from '../vault/index.js';
import { IdempotencyGuard } from './idempotency.guard.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';

/** Exactly once over HTTP. Imported behind the module of the access guard: who may not come in leaves no key behind. */
@Module({
  imports: [VaultModule],
  providers: [IdempotencyRepository, IdempotencyService, { provide: APP_GUARD, useClass: IdempotencyGuard }],
})
export class IdempotencyModule {}
