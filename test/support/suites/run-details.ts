// Why an answer is what it is: the stages of its run, what the prompt used and what it left out; while it happens and afterwards.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../../src/core/errors/index.js';
import type { Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, createTestApp, type TestApp } from '../create-test-app.js';
import { expectData } from '../expect-envelope.js';
import { FakeClock } from '../fake-clock.js';
import { eventually } from '../memory-app.js';
import { Gate } from '../scripted-model.js';

type Data = ApiResponse['body'];

const BAKERY = `export default {
  name: 'bakery',
  actions: [{ name: 'BAKE', description: 'Bakes.', handler: async (r, m, s, { loaves }) => { if (loaves > 9) throw new Error('too many'); return { text: 'baked ' + 'bread '.repeat(1000) }; } }],
  providers: [
    { name: 'OVEN', get: async () => ({ text: 'The oven is hot.' }) },
    { name: 'SMOKE', get: async () => { throw new Error('no smoke, with the key parley_0123456789abcdefghijklmnopqrst'); } },
  ],
  evaluators: [{ name: 'TASTE', description: 'x', handler: async () => undefined }],
};`;

/** @param engine of the database */
export function describeRunDetails(engine: Engine): void {
  describe(`the details of a run on ${engine}`, () => {
    const user = newId();
    let clock: FakeClock;
    let test: TestApp;
    let api: ApiClient;

    beforeEach(async () => {
      clock = new FakeClock();
      test = await createTestApp({
        ...{
          engine,
          clock,
          plugins: { 'bakery.mjs': BAKERY },
          env: { RECALL_TOKENS: '60', MODEL_PRICES: '{"scripted":{"input":1,"output":2}}' },
        },
        characters: [{ name: ADA.name, bio: 'Ada is an agent of the tests.', plugins: ['bakery'] }],
      });
      api = new ApiClient(() => test.url);
    });
    afterEach(() => test.close());

    /** Sends a message in a session of its own, and does not wait for the answer. */
    async function send(content: string): Promise<{ sent: Promise<ApiResponse>; runId: () => Promise<string>; channelId: string }> {
      clock.advance(1);
      const { sessionId, channelId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: user })).body.data;
      const sent = api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
      const newest = async (): Promise<Data> => expectData(await api.get(`/api/agents/${ADA.id}/runs?roomId=${channelId}`)).runs[0];
      const runId = async (): Promise<string> => {
        await eventually(async () => (await newest()) !== undefined);
        return (await newest()).runId;
      };
      return { sent, runId, channelId };
    }

    const read = async (runId: string): Promise<Data> => expectData(await api.get(`/api/agents/${ADA.id}/runs/${runId}`));

    /** The run of a message that has been answered. */
    async function runOf(content: string): Promise<Data> {
      const { sent, runId } = await send(content);
      await sent;
      return read(await runId());
    }
    const ofKind = ({ stages }: Data, kind: string): Data[] => stages.filter((stage: Data) => stage.kind === kind);

    it('contain each stage with its data', async () => {
      test.model.usage = { inputTokens: 12, outputTokens: 3 };
      test.model
        .calls(
          [
            { name: 'BAKE', input: { loaves: 2 } },
            { name: 'BAKE', input: { loaves: 99 } },
          ],
          'One moment.',
        )
        .replyWith(() => {
          clock.advance(30);
          return 'Done.';
        });
      const { sent, runId } = await send('Two loaves');
      await sent;
      await eventually(async () => ofKind(await read(await runId()), 'evaluator').length > 0);
      const run = await read(await runId());
      expect(run.stages.map(({ kind, name }: Data) => `${kind} ${name}`).sort()).toEqual(
        [
          ...['waiting waiting', 'attempt attempt', 'context context', 'recall recall', 'provider OVEN', 'provider SMOKE', 'offer offer'],
          ...['model scripted', 'action BAKE', 'action BAKE', 'model scripted', 'storing storing', 'evaluator TASTE'],
        ].sort(),
      );
      expect(run.stages.map(({ attempt }: Data) => attempt)).toEqual([0, ...Array(12).fill(1)]);
      const { startedAt } = run.summary;
      expect(run.stages[0]).toEqual({ kind: 'waiting', name: 'waiting', startedAt, durationMs: 0, attempt: 0 });
      expect(ofKind(run, 'attempt')).toMatchObject([{ startedAt, durationMs: 30 }]);
      expect(ofKind(run, 'provider')[1].error).toBe('no smoke, with the key [hidden]');
      const [asking, answering] = ofKind(run, 'model');
      const tokens = { provider: 'scripted', inputTokens: 12, outputTokens: 3, costUsd: 0.000018 };
      expect(asking).toMatchObject({ ...tokens, startedAt, durationMs: 0, finishReason: 'tool-calls' });
      expect(answering).toMatchObject({ ...tokens, startedAt, durationMs: 30, firstTokenMs: 30, finishReason: 'stop' });
      const [baked, burnt] = ofKind(run, 'action');
      expect(baked).toMatchObject({
        arguments: '{"loaves":2}',
        result: expect.stringMatching(/^baked bread .{1980,2000}…$/),
        durationMs: 0,
      });
      expect(baked).not.toHaveProperty('error');
      expect(burnt).toMatchObject({ arguments: '{"loaves":99}', error: 'too many' });
      expect(ofKind(run, 'storing')).toMatchObject([{ startedAt: startedAt + 30, durationMs: 0 }]);
      expect(ofKind(run, 'evaluator')).toMatchObject([{ startedAt: startedAt + 30, durationMs: 0 }]);
      expect(run.summary).toMatchObject({ inputTokens: 24, outputTokens: 6, costUsd: 0.000036 });
      expect(run).toMatchObject({ promptRecorded: false, promptSetting: 'RUN_PROMPTS', promptSettingOn: false });
    });

    it('are available during the reply', async () => {
      const gate = new Gate();
      test.model.deltas(['Well', ' done.'], { gate });
      const { sent, runId } = await send('Hello');
      await test.model.called();
      clock.advance(5);
      gate.release();
      await eventually(async () => ofKind(await read(await runId()), 'model')[0]?.firstTokenMs !== undefined);
      const run = await read(await runId());
      expect(run.summary).toMatchObject({ status: 'started', endedAt: null });
      expect(ofKind(run, 'model')).toMatchObject([{ name: 'scripted', durationMs: null, firstTokenMs: 5 }]);
      expect(ofKind(run, 'attempt')).toMatchObject([{ durationMs: null }]);
      expect(ofKind(run, 'storing')).toEqual([]);
      expect(run.context).toMatchObject({ memories: [], conversation: { messages: 0, leftOut: 0 } });
      gate.open();
      await sent;
      expect(ofKind(await read(await runId()), 'model')).toMatchObject([{ durationMs: 5, firstTokenMs: 5 }]);
    });

    it('name the failed model call and its reason', async () => {
      test.model.fail(new AppError('MODEL_UNAVAILABLE', 'It is away.'), { after: ['Well'] });
      const run = await runOf('Hello');
      expect(run.summary.status).toBe('error');
      expect(ofKind(run, 'model')).toMatchObject([{ name: 'scripted', provider: 'scripted', error: 'It is away.', durationMs: 0 }]);
      expect(run.context).not.toBeNull();
    });

    it('contain used and left-out memories in their current state', async () => {
      test.model.reply('Fine.').reply('Fine.').reply('Fine.');
      await runOf('My dog is called Rex and barks at trains.');
      await runOf('My cat is called Otto and sleeps on the sofa all day long, and at night too.');
      await runOf('My parrot is called Polly and says nothing at all to anybody, for reasons of its own.');
      test.model.reply('Rex.');
      const { summary, context } = await runOf('What is my dog called?');
      const [used] = context.memories;
      expect(used).toEqual({
        ...{ id: expect.any(String), roomId: expect.any(String), score: expect.any(Number), similarity: null },
        ...{ foundBy: expect.arrayContaining(['words', 'recency']), type: 'messages', authorName: null, createdAt: expect.any(Number) },
        text: 'My dog is called Rex and barks at trains.',
      });
      expect(context.leftOut).toContainEqual(expect.objectContaining({ reason: 'budget', type: 'messages', document: null }));
      expect(context).toMatchObject({
        ...{ documents: [], profile: [], summary: null, share: 1, byMeaning: { skipped: 'off' } },
        conversation: { messages: 0, leftOut: 0 },
        budgets: { recall: 60, documents: 2000, conversation: 6000 },
        tokens: { profile: 0, documents: 0, summary: 0, conversation: 0, message: expect.any(Number) },
      });
      for (const part of ['character', 'recall', 'providers', 'message']) expect(context.tokens[part]).toBeGreaterThan(3);
      expect(context.tokens.recall).toBeLessThanOrEqual(60);
      expect((await api.patch(`/api/memory/${ADA.id}/memories/${used.id}`, { content: { text: 'My dog is called Max.' } })).status).toBe(
        200,
      );
      expect((await read(summary.runId)).context.memories[0].text).toBe('My dog is called Max.');
      expect((await api.delete(`/api/memory/${ADA.id}/memories/${used.id}`)).status).toBe(200);
      expect((await read(summary.runId)).context.memories[0]).toMatchObject({ id: used.id, text: null, type: null, createdAt: null });
    });

    it('contain the pieces of documents with their places', async () => {
      const text = '# Warranty\n\nEvery kettle has a warranty of three years.\n\n# Returns\n\nReturns are free within thirty days.';
      await api.post(`/api/agents/${ADA.id}/knowledge`, { name: 'handbook.md', text });
      const documents = `/api/agents/${ADA.id}/knowledge`;
      await eventually(async () => (await api.get(documents)).body.data.documents[0]?.status === 'ready');
      test.model.reply('Three years [1].');
      const { context } = await runOf('How long is the warranty of a kettle?');
      expect(context.documents[0]).toMatchObject({
        ...{ number: 1, document: 'handbook.md', place: 'Warranty', url: null, similarity: null, foundBy: ['words'] },
        text: expect.stringContaining('three years'),
      });
      expect(context.tokens.documents).toBeGreaterThan(5);
    });

    it('count the messages of the conversation', async () => {
      const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: ADA.id, userId: user })).body.data;
      for (const content of ['Hello', 'How are you?']) {
        clock.advance(1);
        test.model.reply('Fine, thank you.');
        await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
      }
      const { runs } = expectData(await api.get(`/api/agents/${ADA.id}/runs`));
      const { context } = await read(runs[0].runId);
      expect(context.conversation).toEqual({ messages: 2, leftOut: 0 });
      expect(context.tokens.conversation).toBeGreaterThan(4);
    });
  });
}
