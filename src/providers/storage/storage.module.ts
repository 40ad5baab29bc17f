import { Module } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { Contents } from './contents.js';
import { FileStorage } from './file-storage.js';
import { LocalFileStorage } from './local-file-storage.js';

/** Storage of uploaded files. */
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
