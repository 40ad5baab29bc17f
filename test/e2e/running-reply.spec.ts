// The text of a reply while it is made: told at once, stored a moment later (docs/decisions/0064).
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { newId, userIdOf } from '../../src/core/ids/index.js';
import { Journal } from '../../src/core/journal/index.js';
import { ChannelMessagesService, Replies, type PostResult } from '../../src/modules/messaging/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/queue-fixture.js';
import { Gate } from '../support/scripted-model.js';

const USER = userIdOf('a reader of running replies');
const PLUGIN = `export default { name: 'clerk', actions: [{ name: 'LOOK_UP', description: 'Looks up.', handler: () => ({ success: true, text: 'Sencha' }) }] };`;
/** Longer than until a piece is told, and shorter than until it is stored. */
const TOLD_MS = 30;
const STORED_MS = 300;

let clock: FakeClock;
let test: TestApp;
const readers: Reader[] = [];

beforeEach(async () => {
  clock = new FakeClock();
  test = await createTestApp({ clock, plugins: { 'clerk.mjs': PLUGIN } });
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.stop();
  await test.close();
});

/** A message, and what its sender hears of the reply. */
class Reader {
  readonly heard: string[] = [];
  /** Texts and resets as a client puts them together. */
  text = '';

  private constructor(
    readonly channelId: string,
    readonly stop: () => void,
  ) {
    readers.push(this);
  }

  static async ask(metadata: Record<string, unknown> = {}): Promise<Reader> {
    const { body } = await new ApiClient(() => test.url).post('/api/messaging/channels', {
      name: 'Tea',
      participantCentralUserIds: [ADA.id, USER],
    });
    const channelId = (body.data ?? body).id as string;
    const post = (): Promise<PostResult> =>
      test.app.get(ChannelMessagesService).post({
        ...{ channelId, content: 'Which tea?', authorId: USER, authorKind: 'user', sourceType: 'test', users: 'all', metadata },
        id: newId(),
      });
    const begun = await test.app.get(Replies).begin(channelId, post);
    const reader = new Reader(channelId, begun.end);
    void (async () => {
      for await (const { change } of begun.events) {
        if (!change) continue;
        reader.heard.push(change.kind);
        if (change.kind === 'text') reader.text = change.reset ? change.text : reader.text + change.text;
      }
    })().catch(() => undefined);
    return reader;
  }

  /** Stored parts of the text. */
  async stored(): Promise<string[]> {
    const entries = await test.app.get(Journal).read(this.channelId, 0);
    return entries.flatMap((entry) => (entry.type === 'message.chunk' ? [entry.payload.text] : []));
  }
}

/** Time passes in small steps until a condition holds. */
async function pass(ms: number, done: () => boolean | Promise<boolean>): Promise<void> {
  await until(async () => {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
    return done();
  });
}

it('is told before it is stored, and stored in one unit for all running replies', async () => {
  const gates = [new Gate(), new Gate(), new Gate()];
  for (const gate of gates) test.model.deltas(['One, ', 'two.'], { gate });
  const asked = [await Reader.ask(), await Reader.ask(), await Reader.ask()];
  await until(() => test.model.requests.length === 3);
  for (const gate of gates) gate.release(1);
  await pass(1, () => asked.every(({ text }) => text === 'One, '));
  expect(await Promise.all(asked.map((reader) => reader.stored()))).toEqual([[], [], []]);
  const units: number[] = [];
  test.app.get(UnitOfWork).onCommit((appended) => {
    const chunks = appended.filter(({ statement }) => statement.params[3] === 'message.chunk');
    if (chunks.length > 0) units.push(chunks.length);
  });
  clock.advance(STORED_MS);
  await until(async () => (await Promise.all(asked.map((reader) => reader.stored()))).every(({ length }) => length === 1));
  expect(units).toEqual([3]);
  for (const gate of gates) gate.open();
});

it('is told at once in a round after one with reasoning and an action', async () => {
  const gate = new Gate();
  test.model
    .events([
      { type: 'reasoning', text: 'I look it up.' },
      { type: 'tool-call', id: 'call', name: 'LOOK_UP', input: {} },
    ])
    .deltas(['Sencha ', 'it is.'], { gate });
  const reader = await Reader.ask({ reasoning: true });
  await until(() => test.model.requests.length === 2);
  gate.release(1);
  await pass(TOLD_MS, () => reader.text === 'Sencha ');
  expect(reader.heard.indexOf('text')).toBeGreaterThan(reader.heard.lastIndexOf('action'));
  expect(await reader.stored()).toEqual([]);
  gate.open();
});

it('of a turn that another process has taken over is not stored, and that of other turns is', async () => {
  const [lost, kept] = [new Gate(), new Gate()];
  test.model.deltas(['Lost.', '!'], { gate: lost }).deltas(['Kept.', '!'], { gate: kept });
  const first = await Reader.ask();
  await until(() => test.model.requests.length === 1);
  const second = await Reader.ask();
  await until(() => test.model.requests.length === 2);
  await test.app
    .get(UnitOfWork)
    .commit([{ sql: `UPDATE turns SET lease_owner = 'another process' WHERE channel_id = ?`, params: [first.channelId] }]);
  lost.release(1);
  kept.release(1);
  await pass(TOLD_MS, () => second.text === 'Kept.' && first.text === 'Lost.');
  clock.advance(STORED_MS);
  await until(async () => (await second.stored()).length > 0);
  expect([await first.stored(), await second.stored()]).toEqual([[], ['Kept.']]);
  for (const gate of [lost, kept]) gate.open();
});
