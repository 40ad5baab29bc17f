import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentsModule } from '../agents/index.js';
import { MessagingModule } from '../messaging/index.js';
import { BlobStore } from './blob-store.js';
import { MEDIA_ENTITIES } from './entities/index.js';
import { FilesController } from './files.controller.js';
import { MediaSweeper } from './media-sweeper.js';
import { MediaRepository } from './media.repository.js';
import { MediaService } from './media.service.js';
import { UploadsController } from './uploads.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature(MEDIA_ENTITIES), AgentsModule, MessagingModule],
  controllers: [UploadsController, FilesController],
  providers: [MediaService, MediaRepository, BlobStore, MediaSweeper],
  exports: [MediaService],
})
export class MediaModule {}
