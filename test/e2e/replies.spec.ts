// The interface for protocols: begin a message, follow its replies from any cursor on, cancel them.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Reader } from '../../src/core/database/index.js';
import { newId, userIdOf } from '../../src/core/ids/index.js';
import { ChannelMessagesService, Replies, type PostResult, type ReplyEvent, type ReplyGap } from '../../src/modules/messaging/index.js';
import { ApiClient } from '../support/api-client.js';
import { ADA, createTestApp, type TestApp } from '../support/create-test-app.js';
import { FakeClock } from '../support/fake-clock.js';
import { until } from '../support/queue-fixture.js';
import { Gate } from '../support/scripted-model.js';

const USER = userIdOf('a user of the replies');
const PLUGIN = `export default { name: 'clerk', actions: [{
  name: 'LOOK_UP', description: 'Looks up.', parameters: { type: 'object', properties: { tea: { type: 'string' } } },
  handler: (_runtime, _message, _state, { parameters }) => ({ success: true, text: parameters?.tea ?? 'no tea', values: { secret: 'pass' } }),
} ] };`;

let test: TestApp;
let replies: Replies;
const api = new ApiClient(() => test.url);
const ended = new AbortController();

beforeAll(async () => {
  test = await createTestApp({ plugins: { 'clerk.mjs': PLUGIN } });
  replies = test.app.get(Replies);
});
afterEach(() => test.model.assertDone());
afterAll(async () => {
  ended.abort();
  await test.close();
});

async function channel(): Promise<string> {
  const { body } = await api.post('/api/messaging/channels', { name: 'Tea', participantCentralUserIds: [ADA.id, USER] });
  return (body.data ?? body).id;
}

const posts =
  (channelId: string, content: string, of = test) =>
  (): Promise<PostResult> =>
    of.app.get(ChannelMessagesService).post({
      ...{ channelId, content, authorId: USER, authorKind: 'user', sourceType: 'test', users: 'all' },
      id: newId(),
    });

async function all(events: AsyncIterable<ReplyEvent | ReplyGap>): Promise<ReplyEvent[]> {
  const found: ReplyEvent[] = [];
  for await (const event of events) if (event.change) found.push(event);
  return found;
}

const kinds = (events: readonly ReplyEvent[]): string[] =>
  events.map(({ change }) => (change.kind === 'action' ? `action ${change.status}` : change.kind));

/** A reply with an action, and its events as they came. */
async function reply(): Promise<{ posted: PostResult; events: ReplyEvent[]; ids: PostResult['message']['awaiting'] }> {
  const channelId = await channel();
  test.model.calls([{ name: 'LOOK_UP', input: { tea: 'Sencha' } }], 'Let me see.').reply('Sencha it is.');
  const begun = await replies.begin(channelId, posts(channelId, 'Which tea?'));
  const events = await all(begun.events);
  begun.end();
  return { posted: begun.posted, events, ids: begun.replies };
}

/** The changes beside the text. */
function others(events: readonly (ReplyEvent | ReplyGap)[]): unknown[] {
  return events.filter(({ change }) => change?.kind !== 'text').map(({ change }) => change);
}

/** The text that a client has after events. */
function textOf(events: readonly (ReplyEvent | ReplyGap)[]): string {
  return events.reduce((text, { change }) => (change?.kind === 'text' ? (change.reset ? '' : text) + change.text : text), '');
}

describe('begin', () => {
  it('returns the reply ids, and their events until the last one ends', async () => {
    const { posted, events, ids } = await reply();
    expect(ids).toEqual([{ agentId: ADA.id, replyId: expect.any(String) }]);
    expect(new Set(kinds(events))).toEqual(new Set(['stored', 'begun', 'text', 'action started', 'action completed', 'completed']));
    expect(events[0]?.change).toMatchObject({ kind: 'stored', message: { id: posted.message.id } });
    expect(events.map(({ last }) => last)).toEqual(events.map((_, index) => index === events.length - 1));
    expect(events.at(-1)?.change).toMatchObject({ kind: 'completed', reason: 'stop', citations: [], content: { text: 'Sencha it is.' } });
    expect(events.find(({ change }) => change.kind === 'action')).toMatchObject({ change: { action: 'LOOK_UP', step: 1 } });
  });

  it('throws the error of a refused message', async () => {
    const channelId = await channel();
    const refused = (): Promise<PostResult> => Promise.reject(new Error('refused'));
    await expect(replies.begin(channelId, refused)).rejects.toThrow('refused');
  });
});

describe('follow', () => {
  it('resumes after every cursor without gaps or repetitions', async () => {
    const { posted, events } = await reply();
    for (const [index, { cursor }] of events.entries()) {
      const rest = await all(replies.follow(posted.message, cursor, ended.signal));
      expect(others(rest)).toEqual(others(events.slice(index + 1)));
      expect(textOf([...events.slice(0, index + 1), ...rest])).toBe(textOf(events));
    }
  });

  it('includes arguments, results and usage only for callers who may read runs', async () => {
    const { posted, events } = await reply();
    const begin = events[0]!.cursor;
    const open = await all(replies.follow(posted.message, begin, ended.signal, { withDetails: true }));
    expect(open.filter(({ details }) => details).map(({ change, details }) => [change.kind, details])).toEqual([
      ['action', { arguments: { tea: 'Sencha' } }],
      ['action', { arguments: { tea: 'Sencha' }, result: { success: true, text: 'Sencha', values: { secret: 'pass' } } }],
      ['completed', { usage: { inputTokens: null, outputTokens: null, calls: 2 } }],
    ]);
    const closed = await all(replies.follow(posted.message, begin, ended.signal));
    expect(JSON.stringify([closed, events])).not.toMatch(/details|"secret"/);
  });

  it('yields a channel with all its messages', async () => {
    const { posted, events } = await reply();
    const { channelId } = posted.message;
    const stop = new AbortController();
    const found: (string | undefined)[] = [];
    test.model.reply('Bye.');
    await replies.ask(channelId, posts(channelId, 'Thanks.'));
    for await (const { change } of replies.followChannel(channelId, events[0]!.cursor, stop.signal)) {
      found.push(change?.kind);
      if (found.filter((kind) => kind === 'completed').length === 2) stop.abort();
    }
    expect(found.filter((kind) => kind === 'stored')).toHaveLength(3);
    expect(found.at(-1)).toBe('completed');
  });
});

describe('cancel', () => {
  it('ends the replies and reports it', async () => {
    const channelId = await channel();
    test.model.stall();
    const called = test.model.called(test.model.requests.length + 1);
    const begun = await replies.begin(channelId, posts(channelId, 'Stop.'));
    await called;
    expect(await replies.cancel(channelId, begun.posted.message.id)).toEqual([expect.objectContaining({ agentId: ADA.id })]);
    const events = await all(begun.events);
    begun.end();
    expect(events.at(-1)).toMatchObject({ last: true, change: { kind: 'failed', reason: 'cancelled', error: { code: 'TURN_CANCELLED' } } });
  });
});

const HEARTBEAT_MS = 5000;

/** Moves the clock as time passes: running turns extend their leases meanwhile, so that no other attempt takes them over. */
async function pass(own: TestApp, clock: FakeClock, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= HEARTBEAT_MS) {
    clock.advance(Math.min(left, HEARTBEAT_MS));
    await until(async () => {
      const turns = await own.app
        .get(Reader)
        .rows<{ lease: number }>('SELECT lease_until AS lease FROM turns WHERE lease_owner IS NOT NULL');
      return turns.every(({ lease }) => lease > clock.now() + HEARTBEAT_MS);
    });
  }
}

describe('a waiting caller', () => {
  it('times out although users write, when no reply progresses', async () => {
    const clock = new FakeClock();
    const own = await createTestApp({ clock, env: { TURN_TIMEOUT_MS: '60000' } });
    try {
      const answer = await new ApiClient(() => own.url).post('/api/messaging/channels', {
        name: 'Talk',
        participantCentralUserIds: [USER],
      });
      const channelId = (answer.body.data ?? answer.body).id as string;
      const { message } = await posts(channelId, 'Is anybody there?', own)();
      // Its entry never comes, as that of a message which another process has lost.
      const lost = { message: { ...message, id: newId() }, replayed: false };
      const waiting = own.app.get(Replies).ask(channelId, () => Promise.resolve(lost));
      const outcome = waiting.then(
        () => 'answered',
        ({ code }: { code: string }) => code,
      );
      for (const text of ['Hm.', 'Well.', 'Nobody.']) {
        await pass(own, clock, 50_000);
        await posts(channelId, text, own)();
      }
      expect(await outcome).toBe('TURN_TIMEOUT');
    } finally {
      await own.close();
    }
  });

  it('keeps waiting while earlier replies progress', async () => {
    const clock = new FakeClock();
    const own = await createTestApp({ clock, env: { TURN_TIMEOUT_MS: '60000' } });
    try {
      const { body } = await new ApiClient(() => own.url).post('/api/messaging/channels', {
        name: 'Tea',
        participantCentralUserIds: [ADA.id, USER],
      });
      const channelId = (body.data ?? body).id as string;
      const gate = new Gate();
      own.model.deltas(['one ', 'two ', 'three'], { gate }).reply('four');
      const first = await own.app.get(Replies).begin(channelId, posts(channelId, 'Count.', own));
      const second = own.app.get(Replies).ask(channelId, posts(channelId, 'And then?', own));
      let chunks = 0;
      const counted = (async () => {
        for await (const { change } of first.events) if (change?.kind === 'text') chunks += 1;
      })();
      for (let expected = 1; expected <= 3; expected += 1) {
        gate.release();
        // Chunks are flushed after some milliseconds.
        await until(async () => {
          await pass(own, clock, 40);
          return chunks === expected;
        });
        if (expected < 3) await pass(own, clock, 50_000);
      }
      gate.open();
      await until(() => own.model.requests.length === 2);
      expect((await second).outcome.replies[0]?.content.text).toBe('four');
      await counted;
      first.end();
    } finally {
      await own.close();
    }
  });
});
