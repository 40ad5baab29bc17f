import { Global, Inject, Module, type BeforeApplicationShutdown, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { registerHooks } from '../hooks/index.js';
import { DatabaseSource } from './database-source.js';
import { Reader } from './reader.js';
import { STORE, type Store } from './store.js';
import { UnitOfWork } from './unit-of-work.js';

registerHooks({ metricSources: [DatabaseSource] });

/**
 * Provides the open database to all modules: `UnitOfWork` to write, `Reader` to read.
 * The store is opened before the Nest application is created, so that an error ends the start with a one-line message.
 */
@Global()
@Module({})
export class DatabaseModule implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(@Inject(STORE) private readonly store: Store) {}

  static forRoot(store: Store): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => store.readSource.options,
          dataSourceFactory: () => Promise.resolve(store.readSource),
        }),
      ],
      providers: [
        { provide: STORE, useValue: store },
        { provide: UnitOfWork, useValue: store.unitOfWork },
        { provide: Reader, useValue: store.reader },
        DatabaseSource,
      ],
      exports: [STORE, UnitOfWork, Reader],
    };
  }

  /** TypeORM closes its connections in the next shutdown phase, so their users stop in this one. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.store.drain();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
