import 'reflect-metadata';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule, type Config } from '../../src/core/config/index.js';
import { DatabaseModule, openStore, type Engine, type Row, type Store, type UnitOfWork } from '../../src/core/database/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { Journal, JournalFloor, JournalModule, JournalRow } from '../../src/core/journal/index.js';
import { AGENT_ENTITIES } from '../../src/modules/agents/entities/index.js';
import { MESSAGING_ENTITIES } from '../../src/modules/messaging/entities/index.js';
import { SESSION_ENTITIES } from '../../src/modules/sessions/entities/index.js';
import { SessionsModule, SessionsService } from '../../src/modules/sessions/index.js';
import { SessionAnnouncer } from '../../src/modules/sessions/session-announcer.js';
import { FakeClock } from './fake-clock.js';
import { testConfig } from './test-store.js';

export const ADA_ID = idFromText('Ada');

/** Processes on one database have to agree on it; each would make its own. */
const SECRET_KEY = 'one key for every process of a test';

const ENTITIES = [JournalRow, JournalFloor, ...AGENT_ENTITIES, ...MESSAGING_ENTITIES, ...SESSION_ENTITIES];

/** Sessions with everything they stand on, on a real database; only the clock is not real. */
export class SessionStack {
  private store!: Store;
  private context: INestApplicationContext | undefined;

  private constructor(
    readonly clock: FakeClock,
    private readonly config: Config,
    private readonly remove: () => Promise<void>,
  ) {}

  static async open(engine: Engine, env: Record<string, string> = {}): Promise<SessionStack> {
    const { config, remove } = await testConfig(engine, { SECRET_KEY, ...env });
    await mkdir(config.charactersDir, { recursive: true });
    await writeFile(join(config.charactersDir, 'ada.json'), JSON.stringify({ name: 'Ada', bio: ['Counts.'] }));
    return new SessionStack(new FakeClock(), config, remove).start();
  }

  /** Another process on the same database and by the same clock; PostgreSQL only. */
  async beside(): Promise<SessionStack> {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
    return new SessionStack(this.clock, { ...this.config, dataDir }, () => rm(dataDir, { recursive: true })).start();
  }

  async start(): Promise<this> {
    const store = await openStore(this.config, ENTITIES);
    @Module({ imports: [ConfigModule.forRoot(this.config, this.clock), DatabaseModule.forRoot(store), JournalModule, SessionsModule] })
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

  get unitOfWork(): UnitOfWork {
    return this.store.unitOfWork;
  }

  rows<T extends object = Row>(sql: string): Promise<T[]> {
    return this.store.reading.query(sql);
  }

  /** Waits until everything that follows by itself from what happened so far has happened. */
  async settle(): Promise<void> {
    const announcer = this.part(SessionAnnouncer);
    for (;;) {
      await this.heard();
      // What cannot be seen from outside: that the announcer has nothing left to do.
      await announcer['forgetting'];
      const looking = announcer['looking'];
      if (!looking) return;
      await looking;
    }
  }

  /** Waits until this process's listeners have heard everything that is in the journal. */
  async heard(): Promise<void> {
    const journal = this.part(Journal);
    while (journal.tail < (await journal.head()));
  }

  part<T>(type: new (...args: never[]) => T): T {
    if (!this.context) throw new Error('the stack is stopped');
    return this.context.get(type, { strict: false });
  }
}
