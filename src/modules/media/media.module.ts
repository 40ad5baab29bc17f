import { Module } from '@nestjs/common';
import { VaultModule } from '../../core/vault/index.js';
import { StorageModule } from '../../providers/storage/index.js';
import { AgentsModule } from '../agents/index.js';
import { KnowledgeModule } from '../knowledge/index.js';
import { MessagingModule } from '../messaging/index.js';
import { AttachmentHandler } from './attachment-handler.js';
import { MEDIA_ENTITIES } from './entities/index.js';
import { FileTexts } from './file-texts.js';
import { FileTextsRepository } from './file-texts.repository.js';
import { FilesController } from './files.controller.js';
import { HeicConverter } from './heic-converter.js';
import { MediaPersonalData } from './media-personal-data.js';
import { MediaTypesController } from './media-types.controller.js';
import { MediaRetention } from './media-retention.js';
import { MediaRepository } from './media.repository.js';
import { MediaService } from './media.service.js';
import { StorageProblem } from './storage-problem.js';
import { UploadsController } from './uploads.controller.js';
import { defineModule } from '../../core/modules/index.js';
import { Media1795824009000 } from './migrations/1795824009000-media.js';
import { FileTexts1796000009000 } from './migrations/1796000009000-file-texts.js';
import { MEDIA_SETTINGS } from './media.settings.js';

@Module({
  imports: [AgentsModule, KnowledgeModule, MessagingModule, StorageModule, VaultModule],
  controllers: [UploadsController, MediaTypesController, FilesController],
  providers: [
    HeicConverter,
    MediaService,
    AttachmentHandler,
    MediaRepository,
    FileTexts,
    FileTextsRepository,
    MediaRetention,
    MediaPersonalData,
    StorageProblem,
  ],
  exports: [FileTexts, MediaService],
})
export class MediaModule {}

export const descriptor = defineModule({
  name: 'media',
  about: 'Uploaded files and how they are served.',
  module: MediaModule,
  entities: MEDIA_ENTITIES,
  fileHashes: [{ table: 'media_files', column: 'hash' }],
  migrations: [Media1795824009000, FileTexts1796000009000],
  settings: MEDIA_SETTINGS,
  hooks: {
    messageHooks: [AttachmentHandler],
    retentionSweeps: [MediaRetention],
    personalData: [MediaPersonalData],
    problemSources: [StorageProblem],
  },
  tags: [{ name: 'media', about: 'Uploads and their files.', paths: [/^\/(api\/)?media\//, /^.*upload-media/] }],
});
