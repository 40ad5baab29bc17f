// What an agent knows about a user: facts that the model of the agent extracts from what the user said.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { STORE, type Engine, type Store } from '../../../src/core/database/index.js';
import { DEFAULT_SERVER_ID, idForAgent, newId } from '../../../src/core/ids/index.js';
import { Recall } from '../../../src/modules/memory/index.js';
import { UsageService } from '../../../src/modules/usage/index.js';
import type { ChatRequest } from '../../../src/providers/models/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { eventually } from '../memory-app.js';

const ADMIN = 'the administrator of the tests';
const NOTHING = '{"add":[]}';
const DAY_MS = 86_400_000;

type Data = ApiResponse['body'];

const isExtraction = ({ messages }: ChatRequest): boolean => messages[0]?.content.startsWith('You keep notes') === true;
const adding = (text: string, ...sources: number[]): string => JSON.stringify({ add: [{ text, key: 'topic', sources }] });

export function describeProfiles(engine: Engine): void {
  describe(`profiles of users on ${engine}`, () => {
    let clock: FakeClock;
    let test: TestApp;
    /** What the next extractions are answered; without one, an extraction fails the test. */
    const answers: (string | Error)[] = [];
    const asked: string[] = [];
    const turns: string[] = [];
    const api = new ApiClient(() => test.url);

    const script = (): void => {
      test.model.usage = { inputTokens: 100, outputTokens: 7 };
      test.model.always((request) => {
        const text = request.messages.map(({ content }) => content).join('\n');
        if (!isExtraction(request)) {
          turns.push(text);
          return 'I see.';
        }
        asked.push(text);
        const answer = answers.shift();
        if (typeof answer !== 'string') throw answer ?? new Error(`nobody expected an extraction of ${text}`);
        return answer;
      });
    };
    beforeAll(async () => {
      clock = new FakeClock();
      test = await createTestApp({
        engine,
        clock,
        env: { API_KEY: ADMIN, RATE_LIMIT: 'off', MEMORY_EXTRACTION: 'auto', PROFILE_TOKENS: '120' },
      });
      script();
    });
    afterEach(() => expect(answers).toEqual([]));
    afterAll(() => test.close());

    const headers = { headers: { 'x-api-key': ADMIN } };
    const sent = ({ status, body }: ApiResponse): Data => {
      if (status >= 300) throw new Error(`this was to succeed: ${status} ${JSON.stringify(body)}`);
      return body.data ?? body;
    };
    const session = async (userId: string, more: { agentId?: string; vouched?: boolean } = {}): Promise<Data> =>
      sent(
        await api.post(
          '/api/messaging/sessions',
          { agentId: more.agentId ?? ADA.id, userId },
          more.vouched === false ? undefined : headers,
        ),
      );
    const inSession = async ({ sessionId, token }: Data, content: string): Promise<Data> => {
      clock.advance(1000);
      const answer = await api.post(
        `/api/messaging/sessions/${sessionId}/messages`,
        { content, transport: 'http' },
        { headers: { 'x-api-key': token } },
      );
      return sent(answer);
    };
    const inChannel = async (channelId: string, author_id: string, content: string): Promise<Data> =>
      sent(await api.post(`/api/messaging/channels/${channelId}/messages`, { author_id, content, transport: 'http' }, headers));
    const rows = (sql: string): Promise<Record<string, unknown>[]> => test.app.get<Store>(STORE, { strict: false }).readSource.query(sql);
    const facts = async (userId: string, agentId = ADA.id): Promise<Data[]> =>
      sent(await api.get(`/api/memory/${agentId}/users/${userId}/profile`, headers)).facts;
    const texts = async (userId: string): Promise<string[]> => (await facts(userId)).map(({ text }) => text);
    const jobs = (userId: string, status = `'pending', 'running'`): Promise<unknown[]> =>
      rows(`SELECT * FROM profile_jobs WHERE user_id = '${userId}' AND status IN (${status})`);
    /** Lets so much time pass that what was said is read, and waits until it is. */
    const read = async (userId: string): Promise<void> => {
      expect(await jobs(userId)).toHaveLength(1);
      await eventually(async () => {
        clock.advance(5000);
        return (await jobs(userId)).length === 0;
      });
    };
    /** Tells something, and has it noted. */
    const tell = async (held: Data, content: string, answer: string): Promise<Data> => {
      const message = await inSession(held, content);
      answers.push(answer);
      await read(held.userId);
      return message.userMessage;
    };
    const prompt = async (ask: () => Promise<unknown>): Promise<string> => {
      await ask();
      return turns.at(-1) ?? '';
    };
    const memory = (path: string): string => `/api/memory/${ADA.id}/memories/${path}`;

    it("store a user's statements with their source, and appear in the user's other conversations", async () => {
      const userId = newId();
      const held = await session(userId);
      const said = await tell(held, 'I live in Paris.', adding('Lives in Paris.', 1));
      expect(asked.at(-1)).toContain('I live in Paris.');
      const [fact] = await facts(userId);
      expect(fact).toMatchObject({ text: 'Lives in Paris.', key: 'topic', validUntil: null, replaces: null });
      expect(fact.sources).toEqual([idForAgent(ADA.id, `${said.id}-${ADA.id}`)]);
      const stored = sent(await api.get(memory(fact.id), headers));
      expect(stored).toMatchObject({ entityId: userId, type: 'facts', metadata: { source: 'extraction', sources: fact.sources } });
      const other = await session(userId);
      const shown = await prompt(() => inSession(other, 'Hello'));
      expect(shown.match(/Lives in Paris/g)).toHaveLength(1);
      expect(shown).toContain('# What you know about');
      answers.push(NOTHING);
      await read(userId);
    });

    it('are extracted from six turns at once, each only once', async () => {
      const userId = newId();
      const held = await session(userId);
      for (let turn = 1; turn <= 5; turn += 1) await inSession(held, `Sentence ${turn}.`);
      const before = asked.length;
      answers.push(adding('Counts to six.', 6));
      await inSession(held, 'Sentence 6.');
      await eventually(async () => (await texts(userId)).length === 1);
      expect(asked.slice(before)).toHaveLength(1);
      await tell(held, 'Sentence 7.', NOTHING);
      expect(asked.at(-1)).not.toContain('Sentence 6.');
      expect(asked.at(-1)).toContain('Counts to six.');
    });

    it('keep an old value with the time until which it was valid', async () => {
      const userId = newId();
      const held = await session(userId);
      await tell(held, 'I live in Paris.', adding('Lives in Paris.', 1));
      clock.advance(3 * DAY_MS);
      const again = await session(userId);
      await tell(again, 'I have moved to Rome.', JSON.stringify({ change: [{ id: 'F1', text: 'Lives in Rome.', sources: [1] }] }));
      const [now, then] = await facts(userId);
      expect([now, then]).toMatchObject([
        { text: 'Lives in Rome.', key: 'topic', validUntil: null, replaces: then.id },
        { text: 'Lives in Paris.', validUntil: now.validFrom },
      ]);
      const shown = await prompt(() => inSession(again, 'Hello'));
      expect(shown).toContain('- 1 Jan until 4 Jan: Lives in Paris.\n- 4 Jan: Lives in Rome.');
      await tell(again, 'I have no home any more.', JSON.stringify({ end: [{ id: 'f1', sources: [2] }] }));
      expect((await facts(userId)).every(({ validUntil }) => validUntil !== null)).toBe(true);
      expect(sent(await api.get(memory(`${now.id}/history`), headers)).versions).toHaveLength(1);
    });

    it('lose facts from a message that is deleted, edited or cleared', async () => {
      const userId = newId();
      for (const forget of [
        (channel: string, id: string) => api.delete(`${channel}/messages/${id}`, headers),
        (_channel: string, id: string) => api.patch(`/api/messaging/messages/${id}`, { content: 'I like tea.' }, headers),
        (channel: string) => api.delete(`${channel}/messages/all`, headers),
        (channel: string) => api.delete(channel, headers),
        (_channel: string, id: string) => api.delete(memory(idForAgent(ADA.id, `${id}-${ADA.id}`)), headers),
        (_channel: string, id: string) => api.patch(memory(idForAgent(ADA.id, `${id}-${ADA.id}`)), { content: 'Tea.' }, headers),
        (channel: string) => api.delete(memory(`all/${idForAgent(ADA.id, channel.split('/').at(-1) ?? '')}`), headers),
      ]) {
        const held = await session(userId);
        const said = await tell(held, 'I like coffee.', adding('Likes coffee.', 1));
        await expect(texts(userId)).resolves.toEqual(['Likes coffee.']);
        const { status } = await forget(`/api/messaging/channels/${held.channelId}`, said.id);
        expect(status).toBeLessThan(300);
        await expect(texts(userId)).resolves.toEqual([]);
      }
      expect(await rows(`SELECT * FROM memory_sources WHERE memory_id NOT IN (SELECT id FROM memories)`)).toEqual([]);
    });

    it('store nothing from a message that is deleted while the model reads it', async () => {
      const userId = newId();
      const held = await session(userId);
      const { userMessage } = await inSession(held, 'I like coffee.');
      await inSession(held, 'I like tea.');
      const before = asked.length;
      const { model } = test;
      let answer = (): void => undefined;
      const deleted = new Promise<void>((resolve) => (answer = resolve));
      const stream = model.stream.bind(model);
      model.stream = async function* stopped(request, options) {
        if (isExtraction(request)) {
          asked.push('');
          await deleted;
        }
        yield* stream(request, options);
      };
      try {
        answers.push(
          JSON.stringify({
            add: [
              { text: 'Likes coffee.', sources: [1] },
              { text: 'Likes tea.', sources: [2] },
            ],
          }),
        );
        await eventually(() => {
          clock.advance(5000);
          return asked.length > before;
        });
        sent(await api.delete(`/api/messaging/channels/${held.channelId}/messages/${userMessage.id}`, headers));
      } finally {
        answer();
        model.stream = stream;
      }
      await read(userId);
      await expect(texts(userId)).resolves.toEqual(['Likes tea.']);
    });

    it('let a user change and delete facts, which then stay so', async () => {
      const userId = newId();
      const held = await session(userId);
      const both = JSON.stringify({
        add: [
          { text: 'Likes red.', sources: [1] },
          { text: 'Likes jazz.', sources: [1] },
        ],
      });
      await tell(held, 'I like red and jazz.', both);
      const [red, jazz] = ['Likes red.', 'Likes jazz.'].map((text) => facts(userId).then((all) => all.find((each) => each.text === text)));
      sent(await api.patch(memory((await red).id), { content: { text: 'Likes blue.' } }, headers));
      sent(await api.delete(memory((await jazz).id), headers));
      await tell(held, 'Nothing else.', NOTHING);
      expect(asked.at(-1)).not.toContain('red and jazz');
      await expect(texts(userId)).resolves.toEqual(['Likes blue.']);
    });

    it('ignore words that a caller attributes to a user', async () => {
      const userId = newId();
      const held = await session(userId);
      await tell(held, 'I like red.', adding('Likes red.', 1));
      const [fact] = await facts(userId);
      const { token } = sent(await api.post('/api/keys', { name: 'a key', scope: 'write' }, headers));
      sent(await api.patch(memory(fact.id), { content: { text: 'Likes to be insulted.' } }, { headers: { 'x-api-key': token } }));
      await expect(texts(userId)).resolves.toEqual([]);
      expect(await prompt(() => inSession(held, 'Hello'))).not.toContain('insulted');
      answers.push(NOTHING);
      await read(userId);
    });

    it('are hidden from other users, in groups, and without a credential', async () => {
      const [userId, other] = [newId(), newId()];
      const held = await session(userId);
      await tell(held, 'My code is 4711.', adding('Has the code 4711.', 1));
      const unvouched = await session(userId, { vouched: false });
      expect(await prompt(() => inSession(unvouched, 'What is my code 4711?'))).not.toContain('Has the code');
      expect(await prompt(async () => inSession(await session(other), 'What is the code?'))).not.toContain('4711');
      answers.push(NOTHING);
      await read(other);
      const group = { name: 'a group', server_id: DEFAULT_SERVER_ID, participantCentralUserIds: [ADA.id, userId, other] };
      const { id } = sent(await api.post('/api/messaging/channels', group, headers));
      expect(await prompt(() => inChannel(id, userId, 'What is my code?'))).not.toContain('4711');
      // The room in which it was said is now shared.
      sent(await api.patch(`/api/messaging/channels/${held.channelId}`, { participantCentralUserIds: [ADA.id, userId, other] }, headers));
      expect(await prompt(() => inChannel(held.channelId, userId, 'What is my code?'))).not.toContain('Has the code');
      expect(await jobs(userId)).toEqual([]);
      await expect(facts(other)).resolves.toEqual([]);
      const found = await test.app.get(Recall, { strict: false }).relevant(ADA.id, 'code 4711', { limit: 9, budgetMs: 5000 });
      expect(found.map(({ text }) => text)).toContain('Has the code 4711.');
    });

    it('retry once after malformed output, then skip the messages', async () => {
      const userId = newId();
      const held = await session(userId);
      await inSession(held, 'I like tea.');
      answers.push('I am sorry.', '```json\n{"add":[{"text":"Likes tea.","sources":[1]}]}\n```');
      await read(userId);
      await expect(texts(userId)).resolves.toEqual(['Likes tea.']);
      await inSession(held, 'I like milk.');
      answers.push('{"add":"milk"}', '{"add":[{"text":7,"sources":[1]}]}');
      await read(userId);
      await tell(held, 'Hm.', NOTHING);
      expect(asked.at(-1)).not.toContain('milk');
    });

    it('wait when the model fails, and count its usage', async () => {
      const userId = newId();
      const held = await session(userId);
      await inSession(held, 'I like tea.');
      answers.push(new Error('overloaded'), adding('Likes tea.', 1));
      const since = clock.now();
      await read(userId);
      expect(clock.now() - since).toBeGreaterThanOrEqual(35_000);
      await expect(texts(userId)).resolves.toEqual(['Likes tea.']);
      const spent = await rows(`SELECT kind, calls, input_tokens FROM usage WHERE user_id = '${userId}' ORDER BY at`);
      expect(spent.map(({ kind, calls, input_tokens: tokens }) => [kind, calls, tokens === null ? null : Number(tokens)])).toEqual([
        ['turn', 1, 100],
        ['extraction', 1, null],
        ['extraction', 1, 100],
      ]);
      const sum = await test.app.get(UsageService, { strict: false }).sum({ userId, since: 0 });
      expect(sum).toMatchObject({ turns: 1, calls: 3, inputTokens: 200 });
    });

    it('continue after a restart, and are off for an agent that disables them', async () => {
      const userId = newId();
      const held = await session(userId);
      await inSession(held, 'I like tea.');
      await test.restart();
      script();
      answers.push(adding('Likes tea.', 1));
      await read(userId);
      await expect(texts(userId)).resolves.toEqual(['Likes tea.']);
      const characterJson = { name: 'Forgetful', bio: ['Notes nothing.'], settings: { MEMORY_EXTRACTION: 'none' } };
      const { id: agentId } = sent(await api.post('/api/agents', { characterJson }, headers));
      sent(await api.post(`/api/agents/${agentId}/start`, {}, headers));
      await inSession(await session(userId, { agentId }), 'I like tea.');
      await expect(jobs(userId)).resolves.toEqual([]);
    });

    it('call no model after MEMORY_EXTRACTION=none, for earlier and later messages', async () => {
      const userId = newId();
      const held = await session(userId);
      await inSession(held, 'I like tea.');
      Object.assign(test.config, { memoryExtraction: 'none' });
      try {
        const calls = test.model.requests.length;
        await read(userId);
        expect(test.model.requests).toHaveLength(calls);
        const other = newId();
        await inSession(await session(other), 'I like soup.');
        await expect(jobs(other)).resolves.toEqual([]);
      } finally {
        Object.assign(test.config, { memoryExtraction: 'auto' });
      }
      // The extraction never returns to skipped messages.
      await tell(held, 'I like jam.', adding('Likes jam.', 1));
      const { messages } = test.model.requests.at(-1)!;
      expect(messages.at(-1)?.content).toContain('I like jam.');
      expect(messages.at(-1)?.content).not.toContain('I like tea.');
      await expect(texts(userId)).resolves.toEqual(['Likes jam.']);
    });

    it('keep a hundred facts, and show those that fit', async () => {
      const userId = newId();
      const held = await session(userId);
      for (let round = 0; round < 10; round += 1) {
        const add = Array.from({ length: 12 }, (_, index) => ({ text: `Knows the tune number ${round * 12 + index}.`, sources: [1] }));
        await tell(held, `Round ${round}.`, JSON.stringify({ add }));
      }
      const known = await texts(userId);
      expect(known).toHaveLength(100);
      expect(known).not.toContain('Knows the tune number 0.');
      const shown = await prompt(async () => inSession(await session(userId), 'Which one is 57?'));
      expect(shown).toContain('Knows the tune number 57.');
      expect(shown.match(/Knows the tune/g)?.length).toBeLessThan(20);
      answers.push(NOTHING);
      await read(userId);
    });
  });
}
