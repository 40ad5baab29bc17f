import { Module } from '@nestjs/common';
import { defineModule } from '../../core/modules/index.js';
import { BACKUP_AUDIT } from './backups.audit.js';
import { BackupsController } from './backups.controller.js';
import { BACKUP_ERRORS } from './backups.error-codes.js';
import { BackupsService } from './backups.service.js';

@Module({ controllers: [BackupsController], providers: [BackupsService] })
export class BackupsModule {}

export const descriptor = defineModule({
  name: 'backups',
  about: 'Backups in the data directory: made, followed and deleted over HTTP.',
  module: BackupsModule,
  errors: BACKUP_ERRORS,
  audit: BACKUP_AUDIT,
  tags: [{ name: 'backups', about: 'Backups of the server.', paths: [/^\/api\/server\/backups/] }],
});
