// The logs of agents and of the server.
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../src/core/errors/index.js';
import { idForAgent } from '../../src/core/ids/index.js';
import { Log } from '../../src/core/logging/index.js';
import type { ApiResponse } from '../support/api-client.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError, expectHybrid } from '../support/expect-envelope.js';
import { contractApp, HOUR, NOBODY } from './support/contract-app.js';
import { describePathId } from './support/describe-operation.js';
import { AgentLogRetention } from '../../src/modules/logs/agent-log-retention.js';
import { AgentLogs } from '../../src/modules/logs/agent-logs.service.js';

type Data = ApiResponse['body'];

const BAKERY = `export default {
  name: 'bakery',
  actions: [{ name: 'BAKE', description: 'Bakes.', handler: async (runtime, m, s, { loaves }) => {
    runtime.logger.warn('baking', { loaves, apiKey: 'x-123' });
    if (loaves > 9) throw new Error('too many');
    return { text: 'baked with sesame-secret' };
  } }],
};`;

const SERVER = '/api/server/logs';

describe('the log of an agent [logs.agents]', () => {
  const app = contractApp(
    { AGENT_LOG_LIMIT: '100' },
    {
      plugins: { 'bakery.mjs': BAKERY },
      characters: [
        { name: ADA.name, bio: 'x', plugins: ['bakery'], settings: { secrets: { SPICE: 'sesame-secret' } } },
        { name: BOB.name, bio: 'x' },
      ],
    },
  );
  const { api } = app;
  const path = (agentId: string, rest = ''): string => `/api/agents/${agentId}/logs${rest}`;
  const list = async (query = '', agentId = ADA.id): Promise<Data[]> => expectData(await api.get(path(agentId, query)));
  let channel: Data;
  let second: number;

  beforeAll(async () => {
    app.useScriptedModel();
    channel = await app.newChannel();
    app.test.model
      .calls([
        { name: 'BAKE', input: { loaves: 2 } },
        { name: 'BAKE', input: { loaves: 99 } },
      ])
      .reply('Done.');
    const { id } = await app.say(channel.id, 'Two loaves');
    await app.entry(channel.id, 'turn.finished', (entry) => entry.type === 'turn.finished' && entry.payload.messageId === id);
    await list();
    app.clock.advance(1000);
    second = app.clock.now();
    app.test.model.fail(new AppError('MODEL_UNAVAILABLE', 'It is away.'));
    await app.say(channel.id, 'Are you there?');
    await app.entry(channel.id, 'turn.failed');
  });

  const types = (logs: Data[]): string[] => logs.map(({ type }) => type).sort((a, b) => a.localeCompare(b));
  const FIRST = ['action', 'action', 'log', 'log', 'run_event', 'useModel:TEXT_LARGE', 'useModel:TEXT_LARGE'];
  const SECOND = ['log', 'run_event'];

  it('contains its events, newest first, without secrets', async () => {
    const logs = await list();
    expect(types(logs)).toEqual([...FIRST, ...SECOND].sort());
    const [newest] = logs;
    expect(newest).toEqual({
      id: expect.any(String),
      agentId: ADA.id,
      entityId: ADA.id,
      roomId: newest.type === 'log' ? null : idForAgent(ADA.id, channel.id),
      type: expect.stringMatching(/^(run_event|log)$/),
      level: expect.any(Number),
      body: expect.any(Object),
      createdAt: second,
      cursor: expect.any(String),
    });
    const bodies = logs.map(({ type, body }) => [type, body]);
    expect(bodies).toContainEqual([
      'run_event',
      expect.objectContaining({ status: 'error', error: expect.objectContaining({ code: 'MODEL_UNAVAILABLE' }) }),
    ]);
    expect(bodies).toContainEqual([
      'useModel:TEXT_LARGE',
      expect.objectContaining({ provider: 'scripted', executionTime: 0, runId: expect.any(String) }),
    ]);
    expect(bodies).toContainEqual([
      'action',
      expect.objectContaining({ actionName: 'BAKE', success: true, result: { text: 'baked with [hidden]' } }),
    ]);
    expect(bodies).toContainEqual(['log', expect.objectContaining({ message: 'baking', apiKey: '[hidden]', loaves: 2 })]);
    expect(JSON.stringify(logs)).not.toMatch(/sesame|x-123/);
    expect(await list('', BOB.id)).toEqual([]);
  });

  it.each<[query: string, expected: () => string[]]>([
    ['type=action', () => ['action', 'action']],
    ['type=nothing', () => []],
    ['excludeTypes=log&excludeTypes=text_large', () => ['action', 'action', 'run_event', 'run_event']],
    ['level=error', () => ['action', 'run_event']],
    ['level=warn', () => FIRST.filter((type) => type === 'log').concat('log')],
    ['search=MODEL_unavailable', () => SECOND],
    ['search=%25', () => []],
    ['color=red', () => [...FIRST, ...SECOND].sort()],
  ])('is filtered by %s', async (query, expected) => {
    expect(types(await list(`?${query}`))).toEqual(expected());
  });

  it.each([
    ['limit=3', 3],
    ['count=3', 3],
    ['limit=4&page=3', 1],
    ['limit=4&offset=8', 1],
  ])('is paged by %s', async (query, length) => expect(await list(`?${query}`)).toHaveLength(length));

  it('is filtered by room and time', async () => {
    expect(types(await list(`?roomId=${idForAgent(ADA.id, channel.id)}&from=${second}`))).toEqual(['run_event']);
    expect(types(await list(`?since=${second}`))).toEqual(SECOND);
    expect(types(await list(`?until=${new Date(second - 1).toISOString()}`))).toEqual(FIRST);
    expect(await list(`?roomId=${NOBODY}`)).toEqual([]);
  });

  it("is paged by an entry's cursor", async () => {
    const all = (await list()).map(({ id }) => id);
    const seen: string[] = [];
    for (let cursor = ''; seen.length < all.length;) {
      const page = await list(`?limit=3${cursor}`);
      seen.push(...page.map(({ id }) => id));
      cursor = `&before=${page.at(-1).cursor}`;
    }
    expect(seen).toEqual(all);
  });

  it.each([
    ['roomId', 'x'],
    ['level', 'loud'],
    ['limit', '0'],
    ['limit', '1001'],
    ['count', 'x'],
    ['offset', '-1'],
    ['page', '0'],
    ['from', 'x'],
    ['to', 'x'],
    ['since', 'x'],
    ['until', 'x'],
    ['before', 'x'],
    ['search', ''],
    ['type', ''],
    ['excludeTypes', ''],
  ])('refuses %s=%s', async (name, value) => {
    const answer = await api.get(path(ADA.id, `?${name}=${value}`));
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.message).toContain(name);
  });

  it('omits a deleted entry', async () => {
    const [{ id }] = (await list()) as [Data];
    expectError(await api.delete(path(BOB.id, `/${id}`)), 404, 'LOG_NOT_FOUND');
    const answer = await api.delete(path(ADA.id, `/${id}`));
    expect([answer.status, answer.body]).toEqual([204, '']);
    expectError(await api.delete(path(ADA.id, `/${id}`)), 404, 'LOG_NOT_FOUND');
  });

  it('keeps a limited number of entries, for a limited time', async () => {
    const logs = app.test.app.get(AgentLogs);
    for (let count = 0; count < 150; count += 1) {
      app.clock.advance(1);
      logs.add({ agentId: BOB.id, type: 'log', level: 30, body: { count } });
    }
    await list('', BOB.id);
    await app.test.app.get(AgentLogRetention, { strict: false }).sweep();
    const kept = await list('?limit=1000', BOB.id);
    expect(kept.map(({ body }) => body.count)).toEqual(Array.from({ length: 100 }, (_, index) => 149 - index));
    app.clock.advance(168 * HOUR);
    await app.test.app.get(AgentLogRetention, { strict: false }).sweep();
    expect(await list('', BOB.id)).toEqual([]);
  });

  it('accepts entries of a deleted agent and drops them', async () => {
    app.test.app.get(AgentLogs).add({ agentId: NOBODY, type: 'log', level: 30, body: {} });
    app.test.app.get(AgentLogs).add({ agentId: BOB.id, type: 'log', level: 30, body: { kept: true } });
    expect((await list('', BOB.id)).map(({ body }) => body)).toEqual([{ kept: true }]);
  });

  it('keeps the first of several entries with the same id', async () => {
    const id = idForAgent(BOB.id, 'twice');
    for (const time of [1, 2]) app.test.app.get(AgentLogs).add({ id, agentId: BOB.id, type: 'twice', level: 30, body: { time } });
    expect((await list('?type=twice', BOB.id)).map(({ body }) => body)).toEqual([{ time: 1 }]);
  });

  it('drops NUL characters and nothing else', async () => {
    const [odd, long] = ['a\0b \\u0000 \\\0\0c \'"? \ud800 ☕', 'long text '.repeat(1000)];
    for (const text of [odd, long]) app.test.app.get(AgentLogs).add({ agentId: BOB.id, type: 'odd', level: 30, body: { text } });
    const bodies = (await list('?type=odd', BOB.id)).map(({ body }) => JSON.stringify(body)).sort();
    expect(bodies).toEqual([{ leftOut: '10011 characters' }, { text: odd.replaceAll('\0', '') }].map((each) => JSON.stringify(each)));
  });

  it('survives a restart, including pending entries', async () => {
    app.test.app.get(AgentLogs).add({ agentId: BOB.id, type: 'log', level: 30, body: { last: true } });
    await app.test.restart();
    expect((await list('?search=last', BOB.id)).length).toBe(1);
  });

  describePathId('agentId', { send: (id) => api.get(path(id)), unknown: 'AGENT_NOT_FOUND' });
  describePathId('logId', { send: (id) => api.delete(path(ADA.id, `/${id}`)), unknown: 'LOG_NOT_FOUND' });
});

describe('the log of the server [logs.server]', () => {
  const app = contractApp();
  const { api } = app;
  const log = new Log('tests');
  const query = async (text = ''): Promise<Data> => expectHybrid(await api.get(SERVER + text));
  const said = ({ logs }: Data): string[] => logs.filter(({ part }: Data) => part !== 'http').map(({ msg }: Data) => msg);

  beforeEach(async () => {
    expectHybrid(await api.delete(SERVER));
    log.info('one', { agentId: ADA.id });
    log.warn('two', { requestId: 'r-1', about: { inside: 'Nested Text' } });
    log.error('three', new Error('broken'));
  });

  it('is returned with its levels, oldest first, and without stacks', async () => {
    const data = await query();
    expect(said(data)).toEqual(['one', 'two', 'three']);
    expect(data).toMatchObject({
      count: data.logs.length,
      total: data.logs.length,
      requestedLevel: 'all',
      level: 'all',
      agentName: 'all',
      agentId: 'all',
    });
    expect(data.levels).toEqual(['fatal', 'error', 'warn', 'info', 'log', 'progress', 'success', 'debug', 'trace']);
    expect(data.logs[0]).toMatchObject({
      level: 30,
      time: expect.any(Number),
      msg: 'one',
      part: 'tests',
      agentId: ADA.id,
      agentName: ADA.name,
    });
    expect(data.logs.at(-1)).toMatchObject({ level: 50, err: { type: 'Error', message: 'broken' } });
    expect(JSON.stringify(data)).not.toContain('logs.spec');
  });

  it.each([
    ['level=warn', ['two']],
    ['level=all', ['one', 'two', 'three']],
    ['level=&agentName=&agentId=', ['one', 'two', 'three']],
    [`agentId=${ADA.id.toUpperCase()}`, ['one']],
    [`agentId=${NOBODY}`, []],
    ['agentId=all&agentName=all', ['one', 'two', 'three']],
    [`agentName=${ADA.name}`, ['one']],
    ['agentName=Nobody', []],
    ['minLevel=warn', ['two', 'three']],
    ['minLevel=all', ['one', 'two', 'three']],
    ['minLevel=fatal', []],
    ['requestId=r-1', ['two']],
    ['requestId=r-2', []],
    ['requestId=&search=', ['one', 'two', 'three']],
    ['search=ONE', ['one']],
    ['search=nested%20text', ['two']],
    ['search=one&minLevel=warn', []],
    ['limit=2', ['two', 'three']],
    [`since=${Date.UTC(2999, 0, 1)}`, []],
  ])('is filtered by %s, by GET as by POST', async (text, expected) => {
    expect(said(await query(`?${text}`))).toEqual(expected);
    expect(said(expectHybrid(await api.post(`${SERVER}?${text}`)))).toEqual(expected);
    expect(said(expectHybrid(await api.post(`${SERVER}?${text}`, { other: 1 })))).toEqual(expected);
  });

  it.each([
    ['level', 'loud'],
    ['minLevel', 'loud'],
    ['requestId', 'x'.repeat(201)],
    ['search', 'x'.repeat(201)],
    ['agentId', 'x'],
    ['limit', '0'],
    ['limit', '1001'],
    ['since', 'x'],
  ])('refuses %s=%s', async (name, value) => {
    for (const answer of [await api.get(`${SERVER}?${name}=${value}`), await api.post(`${SERVER}?${name}=${value}`)]) {
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(name);
    }
  });

  it('accepts lines with its own levels and others', async () => {
    const logs = [
      { level: 'error', message: 'from a client', source: 'web', metadata: { page: 'chat', password: 'x-9' } },
      { level: 'success', message: 'done', metadata: null },
    ];
    expect(expectHybrid(await api.post(SERVER, { logs }))).toEqual({ received: 2 });
    const { logs: all } = await query();
    expect(all.at(-2)).toMatchObject({ level: 50, msg: 'from a client', part: 'client web', page: 'chat', password: '[hidden]' });
    expect(all.at(-1)).toMatchObject({ level: 27, msg: 'done', part: 'client' });
    expect(said(await query('?level=success'))).toEqual(['done']);
  });

  it.each<[string, unknown]>([
    ['it is no list', { logs: 'x' }],
    ['it is null', { logs: null }],
    ['a line is no object', { logs: ['x'] }],
    ['a line has no message', { logs: [{ level: 'info' }] }],
    ['a line has an empty message', { logs: [{ level: 'info', message: ' ' }] }],
    ['a message is too long', { logs: [{ level: 'info', message: 'x'.repeat(10_001) }] }],
    ['a line has no level', { logs: [{ message: 'x' }] }],
    ['a level is unknown', { logs: [{ level: 'loud', message: 'x' }] }],
    ['metadata is no object', { logs: [{ level: 'info', message: 'x', metadata: 'x' }] }],
    ['a source is no text', { logs: [{ level: 'info', message: 'x', source: 7 }] }],
    ['there are too many', { logs: Array.from({ length: 1001 }, () => ({ level: 'info', message: 'x' })) }],
  ])('refuses lines when %s', async (_words, body) => {
    const answer = await api.post(SERVER, body);
    expectError(answer, 400, 'VALIDATION_ERROR');
    expect(answer.body.error.message).toContain('logs');
  });

  it('is cleared', async () => {
    const data = expectHybrid(await api.delete(SERVER));
    expect(data).toEqual({ status: 'success', message: 'Logs cleared successfully', cleared: expect.any(Number) });
    expect(data.cleared).toBeGreaterThanOrEqual(3);
    expect(said(await query())).toEqual([]);
  });
});
