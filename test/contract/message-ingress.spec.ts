// Every interface stores a message the same way: session, channel, submission and socket (the fifth is a plugin's runtime).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID, newId } from '../../src/core/ids/index.js';
import type { JournalEntry } from '../../src/core/journal/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA } from '../support/create-test-app.js';
import { SocketClient } from '../support/socket-client.js';
import { CHANNELS, contractApp, SESSIONS, SUBMIT, USER } from './support/contract-app.js';
import { expectShape, MESSAGE } from './support/shapes.js';

/** Where a message goes: one session with its channel. */
interface Place {
  readonly sessionId: string;
  readonly channelId: string;
}

/** The id of the stored message, or why it was refused. */
type Outcome = { readonly id: string } | { readonly code: string; readonly message: string; readonly details: string };

const INTERFACES = ['session', 'channel', 'submit', 'socket'] as const;
type Interface = (typeof INTERFACES)[number];
const USER_INTERFACES: Interface[] = ['session', 'channel', 'socket'];

/** The only things in which the stored rows differ: who is taken for the author, and where it came from. */
const STORED: [via: Interface, row: { authorId: string; isAgent: boolean; sourceType: string }][] = [
  ['session', { authorId: USER, isAgent: false, sourceType: 'user' }],
  ['channel', { authorId: USER, isAgent: false, sourceType: 'eliza_gui' }],
  ['socket', { authorId: USER, isAgent: false, sourceType: 'socketio_client' }],
  ['submit', { authorId: ADA.id, isAgent: true, sourceType: 'agent_response' }],
];

/** What the journal says about a user's message in a session and what follows from it. */
const ANSWERED = ['session.renewed', 'message.created', 'turn.started', 'message.chunk', 'message.created', 'turn.finished'];
const JOURNAL: [via: Interface, entries: string[]][] = [
  ['session', ANSWERED],
  ['channel', ANSWERED],
  ['socket', ANSWERED],
  ['submit', ['message.created']],
];

const TEXTS: [name: string, text: string][] = [
  ['an ordinary text', 'Hello, who is there?'],
  ['one character', '.'],
  ['a text with white space around it', '  \n Hello \t '],
  ['many scripts, signs and a bell', '“Grüße” 世界 👋🏽 \u0007 \u2028 <b>&amp;</b> "\\n"'],
  ['a text of 4000 characters', 'x'.repeat(4000)],
];

/** Refused alike; only what is too long, and what a place is called, is the session's own. */
const REFUSED: [name: string, text: unknown, place: 'known' | 'unknown', code: Record<Interface, string>][] = [
  ['no text', undefined, 'known', all('VALIDATION_ERROR')],
  ['null', null, 'known', all('VALIDATION_ERROR')],
  ['a number', 7, 'known', all('VALIDATION_ERROR')],
  ['an object', { text: 'Hello.' }, 'known', all('VALIDATION_ERROR')],
  ['a list', ['Hello.'], 'known', all('VALIDATION_ERROR')],
  ['an empty text', '', 'known', all('VALIDATION_ERROR')],
  ['white space only', ' \n\t ', 'known', all('VALIDATION_ERROR')],
  ['a text with the character NUL', 'Hel\0lo.', 'known', all('VALIDATION_ERROR')],
  ['100,001 characters', 'x'.repeat(100_001), 'known', all('VALIDATION_ERROR')],
  ['a place that is unknown', 'Hello.', 'unknown', { ...all('CHANNEL_NOT_FOUND'), session: 'SESSION_NOT_FOUND' }],
];

const LONGEST: [via: Interface, characters: number][] = [
  ['session', 4000],
  ['channel', 100_000],
  ['submit', 100_000],
  ['socket', 100_000],
];

function all(code: string): Record<Interface, string> {
  return { session: code, channel: code, submit: code, socket: code };
}

describe('a message', () => {
  const app = contractApp();
  const { api } = app;
  let client: SocketClient;

  beforeAll(async () => {
    client = await SocketClient.connect(app.test.url, { auth: { entityId: USER } });
  });
  afterAll(() => client.close());
  beforeEach(() => {
    app.test.model.always(() => 'Yes.');
  });

  const send: Record<Interface, (place: Place, text: unknown) => Promise<Outcome>> = {
    session: async ({ sessionId }, content) => outcomeOf(await api.post(`${SESSIONS}/${sessionId}/messages`, { content })),
    channel: async ({ channelId }, content) => outcomeOf(await api.post(`${CHANNELS}/${channelId}/messages`, { author_id: USER, content })),
    submit: async ({ channelId }, content) => outcomeOf(await api.post(SUBMIT, { channel_id: channelId, author_id: ADA.id, content })),
    socket: async ({ channelId }, message) => {
      const answer = await client.ask('message', { type: 2, payload: { channelId, senderId: USER, message } });
      return answer.ok ? { id: answer.messageId } : answer.error;
    },
  };

  function outcomeOf({ status, body }: ApiResponse): Outcome {
    return status === 201 ? { id: body.data.id } : body.error;
  }

  /** Sends and waits until everything that follows from it has happened. */
  async function say(via: Interface, place: Place, text: string): Promise<string> {
    const outcome = await send[via](place, text);
    if (!('id' in outcome)) throw new Error(`refused: ${JSON.stringify(outcome)}`);
    const { id } = outcome;
    const ended = ({ payload }: JournalEntry): boolean => 'messageId' in payload && payload.messageId === id;
    if (via !== 'submit') await app.entry(place.channelId, 'turn.finished', ended);
    return id;
  }

  describe('stored by', () => {
    it.each(STORED)('%s has the common fields, and its own author and source', async (via, row) => {
      const place = await app.newSession();
      const id = await say(via, place, 'Hello.');
      const stored = (await app.messages(place.channelId)).at(-1);
      expectShape(stored, MESSAGE);
      expect(stored).toMatchObject({ id, channelId: place.channelId, serverId: DEFAULT_SERVER_ID, content: 'Hello.', ...row });
      expect(stored).toMatchObject({ createdAt: new Date(app.clock.now()).toISOString(), inReplyToRootMessageId: null });
    });

    it('each interface has the same fields', async () => {
      const fields = await Promise.all(
        INTERFACES.map(async (via) => {
          const place = await app.newSession();
          await say(via, place, 'Hello.');
          return Object.keys((await app.messages(place.channelId)).at(-1)).sort();
        }),
      );
      for (const [index, keys] of fields.entries()) expect([INTERFACES[index], keys]).toEqual([INTERFACES[index], fields[0]]);
    });

    it('all interfaces in turn has one order for all readers', async () => {
      const place = await app.newSession();
      for (const via of INTERFACES) await say(via, place, `by ${via}`);
      const expected = ['by session', 'Yes.', 'by channel', 'Yes.', 'by submit', 'by socket', 'Yes.'];
      const contents = (messages: { content: string }[]): string[] => messages.map(({ content }) => content).reverse();
      expect(contents(await app.messages(place.channelId))).toEqual(expected);
      expect(contents((await api.get(`${SESSIONS}/${place.sessionId}/messages`)).body.messages)).toEqual(expected);
    });

    describe.each(INTERFACES)('%s is stored exactly:', (via) => {
      it.each(TEXTS)('%s', async (_name, text) => {
        const place = await app.newSession();
        await say(via, place, text);
        expect((await app.messages(place.channelId)).at(-1).content).toBe(text);
      });
    });
  });

  describe('appears in the journal', () => {
    it.each(JOURNAL)('by %s as %j', async (via, expected) => {
      const place = await app.newSession();
      const created = (await app.entries(place.channelId)).length;
      const id = await say(via, place, 'Hello.');
      const entries = (await app.entries(place.channelId)).slice(created);
      expect(entries.map(({ type }) => type)).toEqual(expected);
      expect(entries.find(({ type }) => type === 'message.created')?.payload).toMatchObject({ id, content: 'Hello.' });
    });

    it('with the same fields by each interface', async () => {
      const fields = await Promise.all(
        INTERFACES.map(async (via) => {
          const place = await app.newSession();
          await say(via, place, 'Hello.');
          return Object.keys((await app.entry(place.channelId, 'message.created')).payload).sort();
        }),
      );
      for (const [index, keys] of fields.entries()) expect([INTERFACES[index], keys]).toEqual([INTERFACES[index], fields[0]]);
    });
  });

  describe('reaches a socket in the channel', () => {
    it.each(STORED)('when it is posted by %s', async (via, row) => {
      const place = await app.newSession();
      const listener = await SocketClient.connect(app.test.url);
      try {
        await listener.ask('join', { channelId: place.channelId });
        const id = await say(via, place, 'Hello.');
        expect(await listener.waitFor('messageBroadcast')).toMatchObject({
          id,
          text: 'Hello.',
          channelId: place.channelId,
          senderId: row.authorId,
          isAgent: row.isAgent,
          source: row.sourceType,
        });
      } finally {
        listener.close();
      }
    });
  });

  describe('gets a reply', () => {
    it.each(USER_INTERFACES)('once, from the agent, when it is posted by %s', async (via) => {
      const place = await app.newSession();
      const id = await say(via, place, 'Hello.');
      const [reply, message, ...others] = await app.messages(place.channelId);
      expect(others).toEqual([]);
      expect(message.id).toBe(id);
      expectShape(reply, MESSAGE);
      expect(reply).toMatchObject({
        content: 'Yes.',
        authorId: ADA.id,
        isAgent: true,
        sourceType: 'agent_response',
        inReplyToRootMessageId: id,
      });
    });

    it('never when it is posted by submit [submit.silent]', async () => {
      const place = await app.newSession();
      const asked = app.test.model.requests.length;
      await say('submit', place, 'Hello.');
      // Turns of a channel run in order: when this one is done, one for the other message would have been.
      await say('channel', place, 'And now?');
      expect((await app.messages(place.channelId)).map(({ content }) => content)).toEqual(['Yes.', 'And now?', 'Hello.']);
      expect(app.test.model.requests.length).toBe(asked + 1);
    });
  });

  describe('is refused', () => {
    const rows = REFUSED.flatMap(([name, text, where, codes]) => INTERFACES.map((via) => [name, via, text, where, codes[via]] as const));

    it.each(rows)('when it is %s, by %s', async (_name, via, text, where, code) => {
      const place = await app.newSession();
      const before = await app.entries(place.channelId);
      const asked = app.test.model.requests.length;
      const said = expect.stringMatching(/\S/);
      const target = where === 'known' ? place : { sessionId: newId(), channelId: newId() };
      expect(await send[via](target, text)).toEqual({ code, message: said, details: said });
      expect(await app.entries(place.channelId)).toEqual(before);
      expect(await app.messages(place.channelId)).toEqual([]);
      expect(app.test.model.requests.length).toBe(asked);
    });

    it.each(LONGEST)(
      'by %s when it has more than %i characters, and at that length accepted [messages.length]',
      async (via, characters) => {
        const place = await app.newSession();
        expect(await send[via](place, 'x'.repeat(characters + 1))).toMatchObject({ code: 'VALIDATION_ERROR' });
        await say(via, place, 'x'.repeat(characters));
        expect((await app.messages(place.channelId)).at(-1).content).toHaveLength(characters);
      },
    );

    it.each(USER_INTERFACES)('by %s when the session has expired [sessions.interfaces]', async (via) => {
      const place = await app.newSession();
      app.clock.set(Date.parse(place.expiresAt));
      expect(await send[via](place, 'Hello.')).toMatchObject({ code: 'SESSION_EXPIRED' });
      expect(await app.messages(place.channelId)).toEqual([]);
    });

    it('when the channel was deleted, by each interface that names it', async () => {
      const { id: channelId } = await app.newChannel();
      await api.delete(`${CHANNELS}/${channelId}`);
      for (const via of INTERFACES.filter((name) => name !== 'session')) {
        expect([via, await send[via]({ sessionId: '', channelId }, 'Hello.')]).toMatchObject([via, { code: 'CHANNEL_NOT_FOUND' }]);
      }
    });
  });
});
