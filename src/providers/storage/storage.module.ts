import { Module } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { defineModule } from '../../core/modules/index.js';
import { Contents } from './contents.js';
import { FileStorage } from './file-storage.js';
import { LocalFileStorage } from './local-file-storage.js';
import { STORAGE_SETTINGS } from './storage.settings.js';

@Module({
  providers: [
    {
      provide: FileStorage,
      useFactory: ({ mediaDir }: Config, clock: Clock) => new LocalFileStorage(mediaDir, clock),
      inject: [CONFIG, Clock],
    },
    Contents,
  ],
  exports: [FileStorage, Contents],
})
export class StorageModule {}

export const descriptor = defineModule({
  name: 'storage',
  about: 'Storage of uploaded files: a folder, or an S3-compatible store.',
  module: StorageModule,
  settings: STORAGE_SETTINGS,
});
