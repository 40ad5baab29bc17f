import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { PERSONAL_DATA_EVENTS } from '../../core/personal-data/index.js';
import { VaultModule } from '../../core/vault/index.js';
import { AgentsModule } from '../agents/index.js';
import { PRIVACY_AUDIT } from './privacy.audit.js';
import { PRIVACY_ENTITIES } from './entities/index.js';
import { ForgetRequestsRepository } from './forget-requests.repository.js';
import { ForgetRunner } from './forget-runner.js';
import { Privacy1795824017000 } from './migrations/1795824017000-privacy.js';
import { PrivacyController } from './privacy.controller.js';
import { PRIVACY_ERRORS } from './privacy.error-codes.js';
import { PrivacyService } from './privacy.service.js';

@Module({
  imports: [VaultModule, AgentsModule],
  controllers: [PrivacyController],
  providers: [ForgetRequestsRepository, ForgetRunner, PrivacyService],
})
export class PrivacyModule {}

export const descriptor = defineModule({
  name: 'privacy',
  about: 'Export and forgetting of everything that is known of a user.',
  module: PrivacyModule,
  entities: PRIVACY_ENTITIES,
  migrations: [Privacy1795824017000],
  errors: PRIVACY_ERRORS,
  events: PERSONAL_DATA_EVENTS,
  audit: PRIVACY_AUDIT,
  hooks: { queueOwners: [ForgetRequestsRepository] },
  tags: [{ name: 'privacy', about: 'Export and forgetting of users.', paths: [/^\/api\/users\//] }],
});
