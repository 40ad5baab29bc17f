import 'reflect-metadata';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SCHEMA } from '../../src/app.module.js';
import { ConfigModule } from '../../src/core/config/index.js';
import { DatabaseModule, openStore, UnitOfWork, type Engine, type Store } from '../../src/core/database/index.js';
import { EnvelopeAdapter, EnvelopeGuard, ErrorFilter, ValidationPipe } from '../../src/core/http/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { JournalModule } from '../../src/core/journal/index.js';
import { HooksModule } from '../../src/core/hooks/index.js';
import { TelemetryModule } from '../../src/core/telemetry/index.js';
import { MemoryModule } from '../../src/modules/memory/index.js';
import { MemoryIndexer } from '../../src/modules/memory/vectors/memory-indexer.js';
import { ModelRegistry, type EmbeddingModel } from '../../src/providers/models/index.js';
import { ApiClient } from './api-client.js';
import { FakeClock } from './fake-clock.js';
import { placeDatabase, testConfig } from './test-store.js';

export const ADA = { id: idFromText('Ada'), name: 'Ada' };
export const BOB = { id: idFromText('Bob'), name: 'Bob' };

/** The memory module with its real repositories on a database of its own; only clock and encoder are not real. */
export interface MemoryApp {
  app: NestExpressApplication;
  store: Store;
  readonly clock: FakeClock;
  readonly api: ApiClient;
  readonly unitOfWork: () => UnitOfWork;
  rows<T>(sql: string): Promise<T[]>;
  /** Starts again on the same data, as another process would, with this encoder. */
  restart(model?: EmbeddingModel): Promise<void>;
  close(): Promise<void>;
}

export async function createMemoryApp(engine: Engine, model?: EmbeddingModel): Promise<MemoryApp> {
  const { config, remove } = await testConfig(engine);
  await placeDatabase(config);
  await mkdir(config.charactersDir, { recursive: true });
  for (const { name } of [ADA, BOB]) {
    await writeFile(join(config.charactersDir, `${name}.json`), JSON.stringify({ name, bio: ['An agent.'] }));
  }
  const clock = new FakeClock();
  let url = '';

  const start = async (encoder: EmbeddingModel | undefined): Promise<Pick<MemoryApp, 'app' | 'store'>> => {
    const store = await openStore(config, SCHEMA);
    @Module({
      imports: [
        ConfigModule.forRoot(config, clock),
        DatabaseModule.forRoot(store),
        HooksModule,
        JournalModule,
        TelemetryModule,
        MemoryModule,
      ],
    })
    class TestModule {}
    const app = await NestFactory.create<NestExpressApplication>(TestModule, new EnvelopeAdapter(), { logger: false, abortOnError: false });
    Object.assign(app.get(ModelRegistry, { strict: false }), { embeddings: () => encoder });
    app.useGlobalPipes(new ValidationPipe()).useGlobalGuards(new EnvelopeGuard()).useGlobalFilters(new ErrorFilter());
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
    return { app, store };
  };

  const test: MemoryApp = {
    ...(await start(model)),
    clock,
    api: new ApiClient(() => url),
    unitOfWork: () => test.app.get(UnitOfWork, { strict: false }),
    rows: (sql) => test.store.readSource.query(sql),
    restart: async (encoder) => {
      await test.app.close();
      Object.assign(test, await start(encoder));
    },
    close: async () => {
      await test.app.close();
      await remove();
    },
  };
  return test;
}

/** Whether a step of the indexer is under way. It adds vectors to the index in memory after the database has them. */
export const isIndexing = ({ app }: Pick<MemoryApp, 'app'>): boolean =>
  Reflect.get(app.get(MemoryIndexer, { strict: false }), 'running') !== undefined;

const LONGEST_WAIT_MS = 60_000;

/** Waits for what happens by itself as soon as the program gets to it; fails when it does not. */
export async function eventually(check: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`it did not happen: ${check.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
