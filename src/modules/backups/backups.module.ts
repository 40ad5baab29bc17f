import { Module } from '@nestjs/common';
import { LeadershipModule } from '../../core/leadership/index.js';
import { defineModule } from '../../core/modules/index.js';
import { BackupProblems } from './backup-problems.js';
import { BackupRunsRepository } from './backup-runs.repository.js';
import { BackupSlot } from './backup-slot.js';
import { BACKUP_AUDIT } from './backups.audit.js';
import { BackupsController } from './backups.controller.js';
import { BACKUP_ERRORS } from './backups.error-codes.js';
import { BACKUP_METRICS } from './backups.metrics.js';
import { BackupsService } from './backups.service.js';
import { BACKUP_SETTINGS } from './backups.settings.js';
import { BackupRunRow } from './entities/backup-run.entity.js';
import { Backups1795824019000 } from './migrations/1795824019000-backups.js';
import { ScheduledBackups } from './scheduled-backups.js';

@Module({
  imports: [LeadershipModule],
  controllers: [BackupsController],
  providers: [BackupsService, BackupRunsRepository, BackupSlot, ScheduledBackups, BackupProblems],
})
export class BackupsModule {}

export const descriptor = defineModule({
  name: 'backups',
  about: 'Backups: by a schedule, and in the data directory over HTTP.',
  module: BackupsModule,
  entities: [BackupRunRow],
  migrations: [Backups1795824019000],
  settings: BACKUP_SETTINGS,
  errors: BACKUP_ERRORS,
  audit: BACKUP_AUDIT,
  metrics: BACKUP_METRICS,
  hooks: { problemSources: [BackupProblems], queueOwners: [BackupRunsRepository] },
  tags: [{ name: 'backups', about: 'Backups of the server.', paths: [/^\/api\/server\/backups/] }],
});
