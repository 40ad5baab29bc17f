import 'reflect-metadata';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { SCHEMA } from '../../src/app.module.js';
import { ConfigModule, type Config } from '../../src/core/config/index.js';
import { DatabaseModule, openStore, type Engine, type Row, type Store, type UnitOfWork } from '../../src/core/database/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { Journal, JournalModule } from '../../src/core/journal/index.js';
import { Leadership } from '../../src/core/leadership/index.js';
import { HooksModule } from '../../src/core/hooks/index.js';
import { SessionsModule, SessionsService, type SessionView } from '../../src/modules/sessions/index.js';
import { SessionExpiryMonitor } from '../../src/modules/sessions/session-expiry-monitor.js';
import type { SessionFilter } from '../../src/modules/sessions/sessions.types.js';
import { FakeClock } from './fake-clock.js';
import { eventually } from './memory-app.js';
import { placeDatabase, testConfig } from './test-store.js';

export const ADA_ID = idFromText('Ada');

/** Processes on one database have to agree on it; each would make its own. */
const SECRET_KEY = 'one key for every process of a test';

/** Sessions with everything they stand on, on a real database; only the clock is not real. */
export class SessionStack {
  private store!: Store;
  private context: INestApplicationContext | undefined;
  private isAlone = true;

  private constructor(
    readonly clock: FakeClock,
    private readonly config: Config,
    private readonly remove: () => Promise<void>,
  ) {}

  static async open(engine: Engine, env: Record<string, string> = {}): Promise<SessionStack> {
    const { config, remove } = await testConfig(engine, { SECRET_KEY, ...env });
    await placeDatabase(config);
    await mkdir(config.charactersDir, { recursive: true });
    await writeFile(join(config.charactersDir, 'ada.json'), JSON.stringify({ name: 'Ada', bio: ['Counts.'] }));
    return new SessionStack(new FakeClock(), config, remove).start();
  }

  /** Another process on the same database and by the same clock; PostgreSQL only. */
  async beside(): Promise<SessionStack> {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
    const other = new SessionStack(this.clock, { ...this.config, dataDir }, () => rm(dataDir, { recursive: true }));
    this.isAlone = other.isAlone = false;
    return other.start();
  }

  async start(): Promise<this> {
    const store = await openStore(this.config, SCHEMA);
    @Module({
      imports: [ConfigModule.forRoot(this.config, this.clock), DatabaseModule.forRoot(store), HooksModule, JournalModule, SessionsModule],
    })
    class TestModule {}
    this.store = store;
    this.context = await NestFactory.createApplicationContext(TestModule, { logger: false, abortOnError: false });
    return this;
  }

  /** As a process that ends; the clock goes on, and `start` begins the next one on the same data. */
  async stop(): Promise<void> {
    await this.context?.close();
    this.context = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.remove();
  }

  get sessions(): SessionsService {
    return this.part(SessionsService);
  }

  /** The first live sessions. */
  async listed(filter: Partial<SessionFilter> = {}): Promise<SessionView[]> {
    const found: SessionView[] = [];
    for await (const part of (await this.sessions.list({ limit: 10, offset: 0, ...filter })).parts()) found.push(...part);
    return found;
  }

  get unitOfWork(): UnitOfWork {
    return this.store.unitOfWork;
  }

  rows<T extends object = Row>(sql: string): Promise<T[]> {
    return this.store.readSource.query(sql);
  }

  /** Waits until everything that follows by itself from what happened so far has happened. */
  async settle(): Promise<void> {
    const expiryMonitor = this.part(SessionExpiryMonitor);
    // A busy machine may renew the lease too late.
    if (this.isAlone) await eventually(() => this.part(Leadership).isLeader);
    for (;;) {
      await this.heard();
      // Private state: whether the monitor has work left.
      await expiryMonitor['purging'];
      const running = expiryMonitor['running'];
      if (!running) return;
      await running;
    }
  }

  /** Waits until this process's listeners have heard everything that is in the journal. */
  async heard(): Promise<void> {
    const journal = this.part(Journal);
    await journal.delivered(await journal.head());
  }

  part<T>(type: new (...args: never[]) => T): T {
    if (!this.context) throw new Error('the stack is stopped');
    return this.context.get(type, { strict: false });
  }
}
