// What an agent did, turn by turn.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import { Reader } from '../../src/core/database/index.js';
import { idForAgent } from '../../src/core/ids/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError } from '../support/expect-envelope.js';
import { CHANNELS, contractApp, NOBODY, USER } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';

type Data = ApiResponse['body'];

const ORDER = `export default {
  name: 'bakery',
  actions: [{ name: 'BAKE', description: 'Bakes.', parameters: { type: 'object', properties: { loaves: { type: 'number' } } }, handler: async (r, m, s, { loaves }) => { if (loaves > 9) throw new Error('too many'); return { text: 'baked ' + loaves }; } }],
  evaluators: [{ name: 'TASTE', description: 'x', handler: async () => undefined }],
};`;

describe('runs [runs.steps]', () => {
  const app = contractApp(
    {},
    {
      plugins: { 'bakery.mjs': ORDER },
      characters: [
        { name: ADA.name, bio: 'x', plugins: ['bakery'] },
        { name: BOB.name, bio: 'x' },
      ],
    },
  );
  const { api } = app;
  const path = (agentId: string, rest = ''): string => `/api/agents/${agentId}/runs${rest}`;
  const list = async (query = '', agentId = ADA.id): Promise<Data> => expectData(await api.get(path(agentId, query)));
  let channel: Data;
  let silent: Data;
  const runs: string[] = [];

  /** Lets Ada answer, and waits until her evaluators have been at it. */
  async function ask(channelId: string, content: string): Promise<string> {
    const { id } = await app.say(channelId, content);
    const ended = await app.entry(channelId, 'turn.finished', (entry) => entry.type === 'turn.finished' && entry.payload.messageId === id);
    const runId = ended.payload.replyId;
    for (;;) {
      const { events } = expectData(await api.get(path(ADA.id, `/${runId}`)));
      if (events.some(({ type }: Data) => type === 'EVALUATOR_COMPLETED')) break;
    }
    app.clock.advance(10);
    return runId;
  }

  beforeAll(async () => {
    app.useScriptedModel();
    channel = await app.newChannel();
    silent = await app.newChannel();
    app.test.model.reply('Hello.');
    runs.push(await ask(channel.id, 'Hi'));
    app.test.model
      .calls(
        [
          { name: 'BAKE', input: { loaves: 2 } },
          { name: 'BAKE', input: { loaves: 99 } },
        ],
        'One moment.',
      )
      .reply('Done.');
    runs.push(await ask(channel.id, 'Two loaves'));
    app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'It is away.'));
    const { id } = await app.say(silent.id, 'Are you there?');
    const failed = await app.entry(silent.id, 'turn.failed', (entry) => entry.type === 'turn.failed' && entry.payload.messageId === id);
    runs.push(failed.payload.replyId);
  });

  it('are listed, newest first, with their counts', async () => {
    const data = await list();
    expect(data).toMatchObject({ total: 3, hasMore: false, nextCursor: null });
    expect(data.runs.map(({ runId }: Data) => runId)).toEqual([...runs].reverse());
    expect(data.runs.map(({ status, counts }: Data) => [status, counts])).toEqual([
      ['error', { actions: 0, modelCalls: 0, errors: 1, evaluators: 0 }],
      ['completed', { actions: 2, modelCalls: 2, errors: 1, evaluators: 1 }],
      ['completed', { actions: 0, modelCalls: 1, errors: 0, evaluators: 1 }],
    ]);
    expect(data.runs[0]).toEqual({
      runId: runs[2],
      status: 'error',
      startedAt: expect.any(Number),
      endedAt: expect.any(Number),
      durationMs: 0,
      messageId: expect.any(String),
      roomId: idForAgent(ADA.id, silent.id),
      channelId: silent.id,
      entityId: USER,
      ...{ question: 'Are you there?', answer: null },
      ...{ agentId: ADA.id, agentName: ADA.name, createdAt: expect.any(Number) },
      ...{ inputTokens: null, outputTokens: null, costUsd: null, errorCode: 'MODEL_UNAVAILABLE' },
      metadata: { attempts: 1, error: { code: 'MODEL_UNAVAILABLE', message: 'It is away.', details: 'It is away.' } },
      counts: expect.any(Object),
    });
    expect(data.runs[1]).toMatchObject({ question: 'Two loaves', answer: expect.stringContaining('Done.') });
    expect((await list('', BOB.id)).runs).toEqual([]);
  });

  it('have their events, in order', async () => {
    const { summary, events } = expectData(await api.get(path(ADA.id, `/${runs[1]}`)));
    expect(summary).toEqual((await list()).runs[1]);
    expect(events.map(({ type }: Data) => type)).toEqual([
      'RUN_STARTED',
      'MEMORY_RECALLED',
      'MODEL_USED',
      ...['ACTION_STARTED', 'ACTION_COMPLETED', 'ACTION_STARTED', 'ACTION_COMPLETED'],
      'MODEL_USED',
      'RUN_ENDED',
      'EVALUATOR_COMPLETED',
    ]);
    const data = events.map((event: Data) => event.data);
    expect(data[0]).toEqual({ source: 'eliza_gui', messageId: summary.messageId });
    expect(data[1]).toMatchObject({ executionTime: 0, memories: [], byMeaning: { skipped: 'off' }, byWords: { durationMs: 0 } });
    expect(data[2]).toMatchObject({
      modelType: 'TEXT_LARGE',
      provider: 'scripted',
      model: 'scripted',
      executionTime: 0,
      response: 'One moment.',
      calls: ['BAKE', 'BAKE'],
    });
    expect(data[2]).toHaveProperty('inputTokens');
    expect(data[4]).toMatchObject({ actionName: 'BAKE', success: true, result: { text: 'baked 2' }, params: { loaves: 2 } });
    expect(data[6]).toMatchObject({ actionName: 'BAKE', success: false, result: { error: 'too many' } });
    expect(data[8]).toEqual({ runId: runs[1], status: 'completed', error: null, durationMs: 0 });
    expect(data[9]).toEqual({ evaluatorName: 'TASTE', success: true });
  });

  it.each<[string, () => string, number[]]>([
    ['a channel', () => `?roomId=${channel.id}`, [1, 0]],
    ["the agent's room", () => `?roomId=${idForAgent(ADA.id, silent.id).toUpperCase()}`, [2]],
    ['a room of nobody', () => `?roomId=${NOBODY}`, []],
    ['status completed', () => '?status=completed', [1, 0]],
    ['status error', () => '?status=error', [2]],
    ['status timeout', () => '?status=timeout', []],
    ['status started', () => '?status=started', []],
    ['any status', () => '?status=all', [2, 1, 0]],
    ['from a time on', () => `?from=${app.clock.now()}`, [2]],
    ['up to a time', () => `?to=${new Date(app.clock.now() - 1).toISOString()}`, [1, 0]],
    ['a number', () => '?limit=1', [2]],
    ['keys that are unknown', () => '?color=red', [2, 1, 0]],
  ])('are listed by %s', async (_words, query, expected) => {
    expect((await list(query())).runs.map(({ runId }: Data) => runs.indexOf(runId))).toEqual(expected);
  });

  it('are paged by a cursor that stays valid when newer ones are added', async () => {
    const first = await list('?limit=2');
    expect([first.hasMore, first.runs.length]).toEqual([true, 2]);
    app.test.model.reply('Again.');
    runs.push(await ask(channel.id, 'Hi again'));
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([second.hasMore, second.runs.map(({ runId }: Data) => runs.indexOf(runId))]).toEqual([false, [0]]);
  });

  it.each([
    ['roomId', 'x'],
    ['status', 'perhaps'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'x'],
    ['from', 'yesterday'],
    ['to', 'x'],
    ['cursor', 'x'],
    ['cursor', '1700000000000'],
  ])('refuse %s=%s', async (name, value) => {
    const answer = await api.get(path(ADA.id, `?${name}=${value}`));
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.message).toContain(name);
  });

  it('of another agent, another room or an unknown agent are 404', async () => {
    expectError(await api.get(path(BOB.id, `/${runs[0]}`)), 404, 'RUN_NOT_FOUND');
    expectError(await api.get(path(ADA.id, `/${runs[0]}?roomId=${silent.id}`)), 404, 'RUN_NOT_FOUND');
    expect((await api.get(path(ADA.id, `/${runs[0]}?roomId=${channel.id}`))).status).toBe(200);
    expectError(await api.get(path(ADA.id, `/${runs[0]}?roomId=x`)), 400, 'VALIDATION_ERROR');
  });

  it('are deleted with their message', async () => {
    const { summary } = expectData(await api.get(path(ADA.id, `/${runs[2]}`)));
    await api.delete(`${CHANNELS}/${silent.id}/messages/${summary.messageId}`);
    expectError(await api.get(path(ADA.id, `/${runs[2]}`)), 404, 'RUN_NOT_FOUND');
  });

  it('store no prompts unless RUN_PROMPTS is set', async () => {
    const { events } = expectData(await api.get(path(ADA.id, `/${runs[1]}`)));
    expect(events.map(({ type }: Data) => type)).not.toContain('PROMPT_SENT');
    const steps = await app.test.app.get(Reader).rows<{ payload: string }>('SELECT payload FROM turn_steps', []);
    expect(steps.filter(({ payload }) => payload.includes('"prompt"'))).toEqual([]);
  });

  describePathId('agentId', { send: (id) => api.get(path(id)), unknown: 'AGENT_NOT_FOUND' });
  describePathId('runId', { send: (id) => api.get(path(ADA.id, `/${id}`)), unknown: 'RUN_NOT_FOUND' });
});

describe('runs with RUN_PROMPTS', () => {
  const SECRETS = ['sk-configured-123456', 'agent-secret-1234', 'from-settings-5678', 'parley_0123456789abcdefghijklmnopqrst'];
  const USER_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0xMjM0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';
  const app = contractApp(
    { RUN_PROMPTS: 'true', OPENAI_API_KEY: SECRETS[0] as string },
    {
      plugins: { 'bakery.mjs': ORDER },
      characters: [
        {
          name: ADA.name,
          bio: 'x',
          plugins: ['bakery'],
          secrets: { BAKERY: SECRETS[1] },
          settings: { temperature: 0.5, secrets: { OVEN_TOKEN: SECRETS[2] } },
        },
      ],
    },
  );

  async function promptsOf(content: string, body: object = {}): Promise<{ events: Data[]; prompts: Data[] }> {
    const channel = await app.newChannel();
    const { id } = await app.say(channel.id, content, body);
    await app.ended(channel.id);
    const { runs } = expectData(await app.api.get(`/api/agents/${ADA.id}/runs?roomId=${channel.id}`));
    expect(runs).toMatchObject([{ messageId: id }]);
    const { events } = expectData(await app.api.get(`/api/agents/${ADA.id}/runs/${runs[0].runId}`));
    return { events, prompts: events.filter(({ type }: Data) => type === 'PROMPT_SENT').map(({ data }: Data) => data) };
  }

  it('have the prompt of each model call', async () => {
    app.test.model.calls([{ id: 'c', name: 'BAKE', input: { loaves: 2 } }], 'One moment.').reply('Done.');
    const { events, prompts } = await promptsOf('Two loaves');
    const order = events.map(({ type }) => type).filter((type: string) => ['PROMPT_SENT', 'MODEL_USED', 'ACTION_COMPLETED'].includes(type));
    expect(order).toEqual(['PROMPT_SENT', 'MODEL_USED', 'ACTION_COMPLETED', 'PROMPT_SENT', 'MODEL_USED']);
    const sent = app.test.model.requests.slice(-2);
    for (const [index, prompt] of prompts.entries()) {
      expect(prompt).toMatchObject({ provider: 'scripted', model: 'scripted', tools: ['BAKE'], omittedCharacters: 0 });
      expect(prompt.parameters).toEqual({ temperature: 0.5 });
      expect(prompt.messages.map(({ role, content }: Data) => [role, content])).toEqual(
        sent[index]?.messages.map(({ role, content }) => [role, content]),
      );
    }
    expect(prompts[1].messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'One moment.', toolCalls: [{ id: 'c', name: 'BAKE', input: '{"loaves":2}' }] },
      { role: 'tool', content: expect.stringContaining('baked 2'), toolCallId: 'c', toolName: 'BAKE' },
    ]);
  });

  it('include the prompt of a failed call', async () => {
    app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'It is away.'));
    const { events, prompts } = await promptsOf('Are you there?');
    expect(events.map(({ type }) => type)).not.toContain('MODEL_USED');
    expect(prompts).toMatchObject([{ messages: [{ role: 'system' }, { role: 'user', content: 'Are you there?' }] }]);
  });

  it('omit secrets from prompts, in texts and in tool calls', async () => {
    const told = [...SECRETS, USER_TOKEN].join(' and ');
    app.test.model.calls([{ name: 'BAKE', input: { loaves: 1, note: told, [SECRETS[1] as string]: 1 } }], told).reply('Done.');
    const { prompts } = await promptsOf(told);
    expect(app.test.model.requests.at(-1)?.messages.at(-1)).toBeDefined();
    expect(prompts[1].messages.find(({ role }: Data) => role === 'user').content).toBe(Array(5).fill('[hidden]').join(' and '));
    const steps = await app.test.app.get(Reader).rows<{ payload: string }>('SELECT payload FROM turn_steps', []);
    const stored = JSON.stringify(steps.map(({ payload }) => JSON.parse(payload).prompt ?? null));
    for (const secret of [...SECRETS, USER_TOKEN]) expect(stored).not.toContain(secret);
  });
});
