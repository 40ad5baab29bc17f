import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SCHEMA } from '../../src/app.module.js';
import { SystemClock } from '../../src/core/clock/index.js';
import { ConfigModule, type Config } from '../../src/core/config/index.js';
import { DatabaseModule, openStore, type Store } from '../../src/core/database/index.js';
import { append, Journal, JournalModule } from '../../src/core/journal/index.js';

/** A database and a journal as each process of a fleet has them. */
export class JournalProcess {
  private constructor(
    readonly store: Store,
    readonly journal: Journal,
    private readonly context: INestApplicationContext,
    private readonly dataDir: string,
  ) {}

  static async open(shared: Config): Promise<JournalProcess> {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
    const config = { ...shared, dataDir };
    const store = await openStore(config, SCHEMA);
    const imports = [ConfigModule.forRoot(config, new SystemClock()), DatabaseModule.forRoot(store), JournalModule];
    const context = await NestFactory.createApplicationContext({ module: class TestModule {}, imports }, { logger: false });
    return new JournalProcess(store, context.get(Journal), context, dataDir);
  }

  async append(channelId: string, messageId: string | null = null): Promise<void> {
    const payload = { channelId, serverId: channelId, messageId, status: 'done' };
    await this.store.unitOfWork.commit([append('message.completed', channelId, payload, 1)]);
  }

  /** Resolves with the offsets of the next so many entries of a channel, as they are heard. */
  hear(channelId: string, count: number): Promise<number[]> {
    const offsets: number[] = [];
    return new Promise((resolve) => {
      const stop = this.journal.subscribeToChannel(channelId, ({ offset }) => {
        offsets.push(offset);
        if (offsets.length < count) return;
        stop();
        resolve(offsets);
      });
    });
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.store.close();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}
