import { Global, Inject, Module, type BeforeApplicationShutdown, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Reader } from './reader.js';
import type { Store } from './store.js';
import { UnitOfWork } from './unit-of-work.js';

export const STORE = Symbol('STORE');

/**
 * The opened database for everybody: `UnitOfWork` to write, `Reader` and injected TypeORM repositories to read.
 * The store is opened before the application is composed, so that a fault there stops the start with one line.
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
          useFactory: () => store.reading.options,
          dataSourceFactory: () => Promise.resolve(store.reading),
        }),
      ],
      providers: [
        { provide: STORE, useValue: store },
        { provide: UnitOfWork, useValue: store.unitOfWork },
        { provide: Reader, useValue: store.reader },
      ],
      exports: [STORE, UnitOfWork, Reader],
    };
  }

  /** TypeORM ends its connections in the next phase, so what uses them ends in this one. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.store.settle();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}
