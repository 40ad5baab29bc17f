// The proof of docs/decisions/0040, tried: whatever order transactions draw, commit and give up in, a reader that stops at the horizon misses
// no entry and meets none twice.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { PostgresUnit } from '../../src/core/database/postgres-unit.js';
import { append } from '../../src/core/journal/index.js';
import { completeUpTo, HORIZON, type HorizonRow } from '../../src/core/journal/horizon.js';
import { Random } from '../support/random.js';
import { openTestStore, type TestStore } from '../support/test-store.js';

const WRITERS = 5;
const READERS = 3;
const STEPS = 150;
const CHANNELS = ['aaaaaaaa-0000-4000-8000-00000000001a', 'bbbbbbbb-0000-4000-8000-00000000002b'];

let test: TestStore;
let clients: Client[];

beforeEach(async () => {
  test = await openTestStore('postgres');
  clients = Array.from({ length: WRITERS + READERS }, () => new Client({ connectionString: test.config.databaseUrl }));
  for (const client of clients) await client.connect();
});
afterEach(async () => {
  for (const client of clients) await client.end();
  await test.close();
});

/** A transaction that appends; it may have to wait for another that has appended to the same channel. */
class Writer {
  private appending: Promise<unknown> | undefined;
  private ready = false;

  constructor(private readonly client: Client) {}

  get mayBegin(): boolean {
    return this.appending === undefined;
  }

  get mayEnd(): boolean {
    return this.ready;
  }

  begin(random: Random): void {
    const channelId = random.chance(0.2) ? null : random.pick(CHANNELS);
    const count = random.between(1, 3);
    const payload = { channelId: CHANNELS[0]!, serverId: CHANNELS[0]!, messageId: null, status: 'done' };
    const unit = new PostgresUnit(Array.from({ length: count }, () => append('message.completed', channelId, payload, 1)));
    const run = async (): Promise<void> => {
      await this.client.query('BEGIN');
      for (const { text, values } of unit.queries) await this.client.query(text, [...values]);
      this.ready = true;
    };
    this.appending = run();
  }

  async end(command: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.appending;
    await this.client.query(command);
    this.ready = false;
    this.appending = undefined;
  }
}

/** Reads as the feed of a process does, in two queries, between which anything may happen. */
class Reader {
  readonly heard: number[] = [];
  cursor = 0;
  private horizon: number | undefined;

  constructor(private readonly client: Client) {}

  async step(): Promise<void> {
    if (this.horizon === undefined) {
      const { rows } = await this.client.query<HorizonRow>(HORIZON);
      this.horizon = completeUpTo(rows[0]);
      return;
    }
    const found = await this.client.query<{ pos: string }>('SELECT pos FROM journal WHERE pos > $1 ORDER BY pos', [this.cursor]);
    this.heard.push(...found.rows.map(({ pos }) => Number(pos)).filter((pos) => pos <= (this.horizon ?? 0)));
    this.cursor = Math.max(this.cursor, this.horizon);
    this.horizon = undefined;
  }
}

it.each(Array.from({ length: 20 }, (_, index) => index + 1))('neither loses nor repeats an entry (seed %i)', async (seed) => {
  const random = new Random(seed);
  const writers = clients.slice(0, WRITERS).map((client) => new Writer(client));
  const readers = clients.slice(WRITERS).map((client) => new Reader(client));
  for (let step = 0; step < STEPS; step += 1) {
    const writer = random.pick(writers);
    if (random.chance(0.4)) await random.pick(readers).step();
    else if (writer.mayBegin) writer.begin(random);
    else if (writer.mayEnd) await writer.end(random.chance(0.8) ? 'COMMIT' : 'ROLLBACK');
  }
  await Promise.all(writers.filter((writer) => !writer.mayBegin).map((writer) => writer.end('COMMIT')));
  const { rows } = await clients[0]!.query<{ pos: string }>('SELECT pos FROM journal ORDER BY pos');
  const committed = rows.map(({ pos }) => Number(pos));
  expect(committed.length).toBeGreaterThan(0);
  // A read that has begun, and another.
  for (let more = 0; more < 4; more += 1) for (const reader of readers) await reader.step();
  for (const { heard } of readers) expect(heard).toEqual(committed);
  // A crash may take back draws that nothing has committed, and the sequence then repeats them.
  for (const { cursor } of readers) expect(cursor).toBeLessThanOrEqual(Math.max(...committed));
});
