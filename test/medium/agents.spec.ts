import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCHEMA } from '../../src/app.module.js';
import { Clock } from '../../src/core/clock/index.js';
import { ConfigModule, loadConfig } from '../../src/core/config/index.js';
import { DatabaseModule, openStore, UnitOfWork } from '../../src/core/database/index.js';
import { JournalModule } from '../../src/core/journal/index.js';
import { HooksModule } from '../../src/core/hooks/index.js';
import { AgentsModule, AgentsService } from '../../src/modules/agents/index.js';

class FixedClock extends Clock {
  constructor(private readonly instant: number) {
    super();
  }

  override now(): number {
    return this.instant;
  }

  override at(): () => void {
    return () => undefined;
  }
}

let folder: string;
let running: INestApplicationContext | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-agents-'));
  await mkdir(join(folder, 'characters'));
});

afterEach(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

const put = (name: string, character: unknown): Promise<void> => writeFile(join(folder, 'characters', name), JSON.stringify(character));
const eliza = { name: 'Eliza', bio: ['Listens.', 'Asks.'] };
const ELIZA = 'b850bc30-45f8-0041-a00a-83df46d8555d';

async function start(now = 1000): Promise<INestApplicationContext> {
  await stop();
  const config = loadConfig({ DATA_DIR: join(folder, 'data'), CHARACTERS_DIR: join(folder, 'characters') }, '0.0.0');
  const store = await openStore(config, SCHEMA);

  @Module({
    imports: [ConfigModule.forRoot(config, new FixedClock(now)), DatabaseModule.forRoot(store), HooksModule, JournalModule, AgentsModule],
  })
  class TestModule {}

  try {
    running = await NestFactory.createApplicationContext(TestModule, { logger: false, abortOnError: false });
  } catch (error) {
    await store.close();
    throw error;
  }
  return running;
}

async function stop(): Promise<void> {
  await running?.close();
  running = undefined;
}

const agentsOf = async (now?: number): Promise<AgentsService> => (await start(now)).get(AgentsService);

describe('agents', () => {
  it('are created from the character files at the first start and stay unchanged at the next', async () => {
    await put('eliza.json', eliza);
    const first = (await agentsOf(1000)).list();
    expect(first).toEqual([{ id: ELIZA, name: 'Eliza', status: 'active', character: eliza, createdAt: 1000, updatedAt: 1000 }]);
    expect((await agentsOf(2000)).list()).toEqual(first);
  });

  it('follow a changed file [characters.files]', async () => {
    await put('eliza.json', { ...eliza, secrets: { KEY: 'old' } });
    await start(1000);
    await put('eliza.json', { id: ELIZA, name: 'Eliza II', bio: 'Talks.', secrets: { KEY: 'new' } });
    const agents = await agentsOf(2000);
    expect(agents.list()).toEqual([
      {
        id: ELIZA,
        name: 'Eliza II',
        status: 'active',
        character: { id: ELIZA, name: 'Eliza II', bio: 'Talks.' },
        createdAt: 1000,
        updatedAt: 2000,
      },
    ]);
    expect(agents.setting(ELIZA, 'KEY')).toBe('new');
  });

  it('keep changes in the database, including their status, while their file is unchanged', async () => {
    await put('eliza.json', eliza);
    const app = await start();
    const sql = `UPDATE agents SET "character" = '{"name":"Eliza","bio":"Changed."}', status = 'inactive'`;
    await app.get(UnitOfWork).commit([{ sql, params: [] }]);
    expect((await agentsOf()).find(ELIZA)).toMatchObject({ status: 'inactive', character: { bio: 'Changed.' } });
    await put('eliza.json', { ...eliza, bio: 'Rewritten.' });
    expect((await agentsOf()).find(ELIZA)).toMatchObject({ status: 'inactive', character: { bio: 'Rewritten.' } });
  });

  it('stay when their file is deleted, and may be none [characters.files]', async () => {
    expect((await agentsOf()).list()).toEqual([]);
    await put('eliza.json', eliza);
    await start();
    await rm(join(folder, 'characters', 'eliza.json'));
    expect((await agentsOf()).list()).toHaveLength(1);
  });

  it('run without a file that has a fault, and keep what its last good version was', async () => {
    await put('a.json', { name: 'Ada', bio: 'Counts.' });
    await put('b.json', eliza);
    await start();
    await put('a.json', { name: 'Ada' });
    await put('b.json', { ...eliza, bio: 'Rewritten.' });
    await put('c.json', { bio: 'Has no name.' });
    expect((await agentsOf()).list()).toMatchObject([
      { name: 'Ada', character: { bio: 'Counts.' } },
      { name: 'Eliza', character: { bio: 'Rewritten.' } },
    ]);
  });

  it('are found by id in any case, and reported when missing or stopped', async () => {
    const sleeping = '00000000-0000-0000-0000-00000000000a';
    await put('a.json', eliza);
    await put('b.json', { id: sleeping.toUpperCase(), name: 'Ada', bio: 'Sleeps.' });
    const app = await start();
    await app.get(UnitOfWork).commit([{ sql: `UPDATE agents SET status = 'inactive' WHERE id = ?`, params: [sleeping] }]);
    const agents = await agentsOf();
    expect(agents.list().map(({ name }) => name)).toEqual(['Eliza', 'Ada']);
    expect(agents.find(ELIZA.toUpperCase())).toBe(agents.require(ELIZA));
    expect(agents.requireRunning(ELIZA).id).toBe(ELIZA);
    expect(agents.require(sleeping.toUpperCase()).id).toBe(sleeping);
    const notFound: unknown = expect.objectContaining({ code: 'AGENT_NOT_FOUND', status: 404 });
    expect(() => agents.requireRunning(sleeping)).toThrow(notFound);
    expect(() => agents.require('00000000-0000-0000-0000-00000000000b')).toThrow(notFound);
    expect(agents.find('')).toBeUndefined();
  });

  it('have settings, with secrets before and after [agents.settings]', async () => {
    await put('eliza.json', {
      ...eliza,
      secrets: { A: 'own', FROM_SETTINGS: null },
      settings: {
        A: 'settings',
        B: 0,
        C: false,
        D: '',
        E: 'true',
        F: 'false',
        FROM_SETTINGS: 7,
        FROM_INNER: null,
        secrets: { B: 1, FROM_INNER: 'inner', G: null },
      },
    });
    const agents = await agentsOf();
    const values = ['A', 'B', 'C', 'D', 'E', 'F', 'FROM_SETTINGS', 'FROM_INNER'].map((key) => agents.setting(ELIZA.toUpperCase(), key));
    expect(values).toEqual(['own', 0, false, '', true, false, 7, 'inner']);
    for (const key of ['G', 'H', 'secrets', 'toString', '__proto__']) expect(agents.setting(ELIZA, key)).toBeUndefined();
    expect(agents.setting('nobody', 'A')).toBeUndefined();
  });

  it('know the facts that their character lists, and the files that it names', async () => {
    await put('eliza.json', { ...eliza, knowledge: ['Rooms have walls.', 'notes.md', 'missing.md'] });
    await writeFile(join(folder, 'characters', 'notes.md'), '# Doors');
    const agents = await agentsOf();
    expect(agents.knowledge(ELIZA)).toEqual([{ text: 'Rooms have walls.' }]);
    expect(await agents.knowledgeFiles(ELIZA)).toMatchObject({ files: [{ path: 'notes.md', size: 7 }], unreadable: ['missing.md'] });
    expect(agents.knowledge('nobody')).toEqual([]);
  });
});
