import { Module } from '@nestjs/common';
import { AuditEntryRow } from '../../core/audit/index.js';
import { defineModule } from '../../core/modules/index.js';
import { AuditController } from './audit.controller.js';
import { AuditPersonalData } from './audit-personal-data.js';
import { AuditRepository } from './audit.repository.js';
import { AuditRetention } from './audit-retention.js';
import { AUDIT_SETTINGS } from './audit.settings.js';
import { Audit1795824015000 } from './migrations/1795824015000-audit.js';

/** Reading, retention and redaction of the audit log. `core/audit` writes it. */
@Module({
  controllers: [AuditController],
  providers: [AuditRepository, AuditRetention, AuditPersonalData],
})
export class AuditModule {}

export const descriptor = defineModule({
  name: 'audit',
  about: 'The audit log: changes, their actors and times.',
  module: AuditModule,
  entities: [AuditEntryRow],
  migrations: [Audit1795824015000],
  settings: AUDIT_SETTINGS,
  hooks: { retentionSweeps: [AuditRetention], personalData: [AuditPersonalData] },
  tags: [{ name: 'audit', about: 'Changes, their actors and times.', paths: [/^\/api\/audit/] }],
});
