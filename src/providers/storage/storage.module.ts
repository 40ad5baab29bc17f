import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { defineModule } from '../../core/modules/index.js';
import { Contents } from './contents.js';
import { FileStorage } from './file-storage.js';
import { openFileStorage } from './open-file-storage.js';
import { STORAGE_ERRORS } from './storage.error-codes.js';
import { STORAGE_SETTINGS } from './storage.settings.js';

@Module({
  providers: [
    {
      provide: FileStorage,
      useFactory: (config: Config, clock: Clock) => openFileStorage(config, clock),
      inject: [CONFIG, Clock],
    },
    Contents,
  ],
  exports: [FileStorage, Contents],
})
export class StorageModule implements OnApplicationShutdown {
  constructor(private readonly storage: FileStorage) {}

  async onApplicationShutdown(): Promise<void> {
    await this.storage.close();
  }
}

export const descriptor = defineModule({
  name: 'storage',
  about: 'Storage of uploaded files: a folder, or an S3-compatible store.',
  module: StorageModule,
  settings: STORAGE_SETTINGS,
  errors: STORAGE_ERRORS,
});
