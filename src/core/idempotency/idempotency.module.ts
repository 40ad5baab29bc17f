import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { VaultModule } from '../vault/index.js';
import { IdempotencyRetention } from './idempotency-retention.js';
import { IdempotencyGuard } from './idempotency.guard.js';
import { IdempotencyRepository } from './idempotency.repository.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencyPersonalData } from './idempotency-personal-data.js';
import { defineModule } from '../modules/index.js';
import { IdempotencyKeyRow } from './idempotency-key.entity.js';
import { Idempotency1795824002000 } from './migrations/1795824002000-idempotency.js';
import { IDEMPOTENCY_SETTINGS } from './idempotency.settings.js';
import { IDEMPOTENCY_ERRORS } from './idempotency.error-codes.js';

/** Idempotent HTTP requests. Imported after the module of the access guard, so that rejected requests store no key. */
@Module({
  imports: [VaultModule],
  providers: [
    IdempotencyRepository,
    IdempotencyPersonalData,
    IdempotencyService,
    IdempotencyRetention,
    { provide: APP_GUARD, useClass: IdempotencyGuard },
  ],
})
export class IdempotencyModule {}

export const descriptor = defineModule({
  name: 'idempotency',
  about: 'Requests with an Idempotency-Key take effect once.',
  module: IdempotencyModule,
  entities: [IdempotencyKeyRow],
  migrations: [Idempotency1795824002000],
  settings: IDEMPOTENCY_SETTINGS,
  errors: IDEMPOTENCY_ERRORS,
  hooks: { retentionSweeps: [IdempotencyRetention], personalData: [IdempotencyPersonalData] },
});
