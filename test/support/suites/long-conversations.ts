import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { STORE, type Engine, type Store } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { UsageService } from '../../../src/modules/usage/index.js';
import { ContextLimits, type ChatRequest } from '../../../src/providers/models/index.js';
import { ModelError } from '../../../src/providers/sdk/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { eventually } from '../memory-app.js';

const FILLER = 'The lamp in the hall is bright and the garden behind the house is green. '.repeat(4);
const HEARTBEAT_MS = 10_000;

const systemOf = (request: ChatRequest | undefined): string => request?.messages[0]?.content ?? '';
const isSummary = (request: ChatRequest): boolean => systemOf(request).startsWith('Summarise the conversation');
const saidIn = (request: ChatRequest | undefined): string[] =>
  (request?.messages.slice(1) ?? []).filter(({ role }) => role === 'user').map(({ content }) => /^\w+/.exec(content)?.[0] ?? '');
const tooLong = (): Error => new ModelError('context', 'The model cannot read a conversation of this length.', 'Start a new one.');

/** Conversations that are longer than the model's window. */
export function describeLongConversations(engine: Engine): void {
  describe(`long conversations on ${engine}`, () => {
    let test: TestApp;
    let clock: FakeClock;
    let written = 0;
    const api = new ApiClient(() => test.url);

    beforeAll(async () => {
      clock = new FakeClock();
      // About five exchanges fit.
      test = await createTestApp({ engine, clock, env: { CONVERSATION_SUMMARY: 'auto', CONVERSATION_TOKENS: '500', RATE_LIMIT: 'off' } });
    });
    beforeEach(() => {
      written = 0;
      test.model.requests.length = 0;
      test.model.always((request) => (isSummary(request) ? `Summary number ${++written}.` : 'Yes.'));
    });
    afterEach(() => {
      Object.assign(test.model, { provider: 'scripted', usage: {} });
      test.app.get(ContextLimits).remember(test.model, 1);
      test.model.assertDone();
    });
    afterAll(() => test.close());

    interface Talk {
      readonly userId: string;
      readonly channelId: string;
      readonly ids: string[];
      say(text: string): Promise<ChatRequest | undefined>;
    }

    async function talk(): Promise<Talk> {
      const userId = newId();
      const { sessionId, channelId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId })).body.data;
      const ids: string[] = [];
      const say = async (content: string): Promise<ChatRequest | undefined> => {
        clock.advance(1000);
        const { status, body } = await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
        expect(status).toBe(201);
        ids.push(body.data.userMessage.id);
        return test.model.requests.findLast((request) => !isSummary(request));
      };
      return { userId, channelId, ids, say };
    }
    const summaryOf = (channelId: string): Promise<ApiResponse> => api.get(`/api/memory/${ADA.id}/rooms/${channelId}/summary`);
    const summaries = (): ChatRequest[] => test.model.requests.filter(isSummary);
    const madeAfter = async (channelId: string, text: string): Promise<ApiResponse['body']> => {
      let answer = await summaryOf(channelId);
      await eventually(async () => {
        answer = await summaryOf(channelId);
        return answer.status === 200 && answer.body.data.text === text;
      });
      return answer.body.data;
    };
    /** Says w0, w1, … until the first summary is there. */
    const untilSummarised = async ({ say, channelId }: Talk): Promise<{ summary: ApiResponse['body']; said: number }> => {
      let said = 0;
      while (summaries().length === 0 && said < 20) {
        await say(`w${said++} ${FILLER}`);
        await idle(channelId);
      }
      return { summary: await madeAfter(channelId, 'Summary number 1.'), said };
    };
    const rows = (sql: string): Promise<Record<string, unknown>[]> => test.app.get<Store>(STORE, { strict: false }).readSource.query(sql);
    /** Waits until no job of the room can run without a step of the clock. */
    const idle = (channelId: string): Promise<void> =>
      eventually(async () => {
        const jobs = await rows(
          `SELECT 1 FROM conversation_summaries s JOIN rooms r ON r.id = s.room_id AND r.agent_id = s.agent_id
            WHERE r.channel_id = '${channelId}' AND (s.status = 'running' OR (s.status = 'pending' AND s.due_at <= ${clock.now()}))`,
        );
        return jobs.length === 0;
      });

    it('summarises the older half, and shows the summary in place of its messages', async () => {
      const conversation = await talk();
      expect((await summaryOf(conversation.channelId)).body.error.code).toMatch(/ROOM_NOT_FOUND/);
      await conversation.say(`first ${FILLER}`);
      expect((await summaryOf(conversation.channelId)).body.error).toMatchObject({ code: 'SUMMARY_NOT_FOUND' });
      test.model.usage = { outputTokens: 9 };
      const { summary, said } = await untilSummarised(conversation);
      expect(summary).toMatchObject({ text: 'Summary number 1.', model: 'scripted/scripted', createdAt: clock.now() });
      expect(summary.fromSeq).toBeLessThan(summary.throughSeq);
      expect(summary.messages).toBeGreaterThanOrEqual(4);
      expect(summaries()[0]?.messages[1]?.content).toMatch(/^Messages:\n- \S+ \S+, \S+: first The lamp[^\n]+\n- \S+ \S+, Ada: Yes\.\n/);
      const request = await conversation.say('last');
      expect(systemOf(request)).toContain(`# Earlier in this conversation (${summary.messages} messages)`);
      expect(systemOf(request)).toContain('Summary number 1.');
      // Half of the messages that the summary contains are the user's. No message stands in both, and none in neither.
      const all = ['first', ...Array.from({ length: said }, (_, index) => `w${index}`), 'last'];
      expect(saidIn(request)).toEqual(all.slice(summary.messages / 2));

      await idle(conversation.channelId);
      expect(await rows(`SELECT calls, model FROM usage WHERE user_id = '${conversation.userId}' AND kind = 'summary'`)).toEqual([
        { calls: 1, model: 'scripted' },
      ]);
      const sum = await test.app.get(UsageService, { strict: false }).sum({ userId: conversation.userId, since: 0 });
      expect(sum).toMatchObject({ turns: all.length, calls: all.length + 1 });
    });

    it('extends a summary with the messages that follow it', async () => {
      const conversation = await talk();
      const { summary, said } = await untilSummarised(conversation);
      for (let more = said; summaries().length === 1 && more < said + 20; more++) {
        await conversation.say(`w${more} ${FILLER}`);
        await idle(conversation.channelId);
      }
      const extended = await madeAfter(conversation.channelId, 'Summary number 2.');
      expect(extended.fromSeq).toBe(summary.fromSeq);
      expect(extended.throughSeq).toBeGreaterThan(summary.throughSeq);
      expect(summaries()[1]?.messages[1]?.content).toMatch(
        new RegExp(`^Summary so far: Summary number 1\\.\\n\\nMessages:\\n.*: w${summary.messages / 2} `),
      );
    });

    it.each([
      ['is edited', (id: string) => api.patch(`/api/messaging/action/${id}`, { content: 'Changed words.' }), 'Changed words.'],
      ['is deleted', (id: string, channelId: string) => api.delete(`/api/messaging/channels/${channelId}/messages/${id}`), undefined],
    ])('renews a summary when a message in it %s', async (_how, change, appears) => {
      const conversation = await talk();
      const { channelId, ids } = conversation;
      const { summary } = await untilSummarised(conversation);
      expect((await change(ids[0]!, channelId)).status).toBeLessThan(300);
      expect((await summaryOf(channelId)).status).toBe(404);
      expect(systemOf(await conversation.say('short'))).not.toContain('Summary number');
      clock.advance(HEARTBEAT_MS);
      await idle(channelId);
      const renewed = await madeAfter(channelId, `Summary number ${written}.`);
      expect(renewed.throughSeq).toBeGreaterThanOrEqual(summary.throughSeq);
      const prompt = summaries()[1]?.messages[1]?.content ?? '';
      expect(prompt).toMatch(/^Messages:\n/);
      expect(prompt).not.toContain(': w0 ');
      if (appears !== undefined) expect(prompt).toContain(appears);
    });

    it('keeps a summary when a later message is edited, and deletes it with the conversation', async () => {
      const conversation = await talk();
      const { channelId, ids } = conversation;
      await untilSummarised(conversation);
      await api.patch(`/api/messaging/action/${ids.at(-1)}`, { content: 'Changed words.' });
      expect((await summaryOf(channelId)).status).toBe(200);
      expect((await api.delete(`/api/messaging/channels/${channelId}/messages`)).status).toBeLessThan(300);
      expect((await summaryOf(channelId)).body.error.code).toBe('SUMMARY_NOT_FOUND');
      clock.advance(HEARTBEAT_MS);
      await idle(channelId);
      expect(summaries()).toHaveLength(1);
    });

    it('retries a failed summary later, without a trace in the conversation', async () => {
      const conversation = await talk();
      test.model.always((request) => {
        if (!isSummary(request)) return 'Yes.';
        written += 1;
        return written < 3 ? '' : 'At last.';
      });
      let said = 0;
      while (summaries().length === 0 && said < 20) {
        await conversation.say(`w${said++} ${FILLER}`);
        await idle(conversation.channelId);
      }
      for (let attempt = 2; attempt <= 3; attempt++) {
        expect((await summaryOf(conversation.channelId)).status).toBe(404);
        clock.advance(120_000);
        await idle(conversation.channelId);
      }
      await madeAfter(conversation.channelId, 'At last.');
      expect(await rows(`SELECT kind FROM usage WHERE user_id = '${conversation.userId}' AND kind = 'summary'`)).toHaveLength(3);
    });

    it('does not make a requested summary after CONVERSATION_SUMMARY=none', async () => {
      const conversation = await talk();
      test.model.always((request) => (isSummary(request) ? '' : 'Yes.'));
      for (let said = 0; summaries().length === 0 && said < 20; said++) {
        await conversation.say(`w${said} ${FILLER}`);
        await idle(conversation.channelId);
      }
      const asked = summaries().length;
      Object.assign(test.config, { conversationSummary: 'none' });
      try {
        clock.advance(120_000);
        await idle(conversation.channelId);
        await conversation.say('last');
        await idle(conversation.channelId);
      } finally {
        Object.assign(test.config, { conversationSummary: 'auto' });
      }
      expect(summaries()).toHaveLength(asked);
      const jobs = await rows(`SELECT s.status FROM conversation_summaries s JOIN rooms r ON r.id = s.room_id AND r.agent_id = s.agent_id
        WHERE r.channel_id = '${conversation.channelId}'`);
      expect(jobs).toEqual([{ status: 'done' }]);
    });

    it('summarises nothing with the offline responder', async () => {
      Object.assign(test.model, { provider: 'offline' });
      const { say, channelId } = await talk();
      for (let said = 0; said < 12; said++) await say(`w${said} ${FILLER}`);
      expect(summaries()).toEqual([]);
      expect((await summaryOf(channelId)).body.error.code).toBe('SUMMARY_NOT_FOUND');
    });

    it('cuts a long message in the middle, and shows the message to reply to whole', async () => {
      const { say } = await talk();
      const long = `begin ${'word '.repeat(700)}end`;
      expect((await say(long))?.messages.at(-1)?.content).toBe(long);
      const cut = (await say('And?'))?.messages[1]?.content ?? '';
      expect(cut).toMatch(/^begin .*\n\[… \d+ characters left out …\]\n.* end$/);
      expect(cut.length).toBeLessThan(1500);
    });

    // A regression test: recall left out every message that was read, also those that did not fit in the conversation.
    it('recalls a message that no longer fits in the conversation', async () => {
      Object.assign(test.model, { provider: 'offline' });
      const { say } = await talk();
      await say('My cat is called Otto.');
      for (let said = 0; said < 9; said++) await say(`w${said} ${FILLER}`);
      const request = await say('How is my cat called?');
      expect(saidIn(request)).not.toContain('My');
      expect(systemOf(request)).toMatch(/# What you remember[^]*My cat is called Otto\./);
    });

    it('retries with half of the window when the prompt is too long for the model, and starts with it the next time', async () => {
      const conversation = await talk();
      for (let said = 0; said < 4; said++) await conversation.say(`w${said} ${FILLER}`);
      test.model.fail(tooLong());
      const request = await conversation.say('short');
      const [whole, half] = test.model.requests.slice(-2);
      expect(half).toBe(request);
      expect(saidIn(whole)).toEqual(['w0', 'w1', 'w2', 'w3', 'short']);
      expect(saidIn(half)).toEqual(['w1', 'w2', 'w3', 'short']);
      const calls = test.model.requests.length;
      expect(saidIn(await conversation.say('again')).slice(-3)).toEqual(['w3', 'short', 'again']);
      expect(test.model.requests.slice(calls).filter((each) => !isSummary(each))).toHaveLength(1);
      await idle(conversation.channelId);
    });

    it('fails with the first error when a shorter prompt is too long too, or impossible', async () => {
      const { say, channelId } = await talk();
      test.model.fail(tooLong());
      const sessionless = await talk();
      await expect(sessionless.say('alone')).rejects.toThrow();
      expect(test.model.requests).toHaveLength(1);
      for (let said = 0; said < 4; said++) await say(`w${said} ${FILLER}`);
      test.model.fail(tooLong()).fail(tooLong()).fail(tooLong()).fail(tooLong());
      await expect(say('short')).rejects.toThrow();
      await idle(channelId);
    });

    // The last: the application keeps what it has learned.
    it("measures the window in the model's tokens, as its service reports them", async () => {
      const conversation = await talk();
      test.model.usage = { inputTokens: 1 };
      await conversation.say(`w0 ${'long words '.repeat(300)}`);
      test.model.usage = {};
      const other = await talk();
      for (let said = 0; said < 7; said++) await other.say(`w${said} ${FILLER}`);
      // Twice as many as the test of the retry found to fit.
      expect(saidIn(test.model.requests.findLast((request) => !isSummary(request)))).toHaveLength(7);
      expect(summaries()).toEqual([]);
    });
  });
}
