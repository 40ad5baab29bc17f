// The runtime that handlers get: settings, messages, the store, and the server itself.
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { newId } from '../../src/core/ids/index.js';
import { Log } from '../../src/core/logging/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { pluginApp, PluginApp, withRoutes } from './support/plugin-app.js';

const CONFIG = `{
  IN_ALL: 'plugin', IN_SETTINGS: 'plugin', FROM_ENV: 'default', DEFAULTED: 'default', NUMBER: 7, FLAG: true, NOTHING: null, NO_VALUE: null,
  PORT_NUMBER: { type: 'number', default: 1 }, SWITCH: { type: 'boolean' }, SECRET_FIELD: { secret: true, required: true }, EMPTY: 'default',
}`;

const PLUGIN = withRoutes(
  'tools',
  `[
    { type: 'GET', path: '/tools/setting', handler: (q, r, runtime) => r.json({ value: runtime.getSetting(q.query.key) }) },
    { type: 'GET', path: '/tools/character', handler: (q, r, { character }) => { const shown = structuredClone(character); character.name = 'Changed'; character.bio = []; r.json(shown); } },
    { type: 'POST', path: '/tools/send', async handler(q, r, runtime) {
      try { r.json(await runtime.sendMessage(q.body)); } catch (error) { r.status(422).json({ error: error.message }); }
    } },
    { type: 'POST', path: '/tools/submit', async handler(q, r, runtime) {
      const answer = await fetch(runtime.getSetting('SERVER_URL') + '/api/messaging/submit', {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(q.body) });
      r.status(answer.status).json(await answer.json());
    } },
    { type: 'POST', path: '/tools/store', async handler(q, r, { store }) {
      try { r.json({ value: (await store[q.body.call](...q.body.args)) ?? null }); } catch (error) { r.status(422).json({ error: error.message }); }
    } },
    { type: 'POST', path: '/tools/store-undefined', async handler(q, r, { store }) {
      await store.set('x', undefined).then(() => r.json({}), (error) => r.status(422).json({ error: error.message }));
    } },
    { type: 'GET', path: '/tools/logs', handler: (q, r, { logger }) => { for (const level of ['debug', 'info', 'warn', 'error']) logger[level]('a line', { a: 1 }); r.json({}); } },
    { type: 'GET', path: '/tools/logs-of-others', handler: (q, r, { logger }) => {
      logger.info({ src: 'plugin:tools' }, 'a line'); logger.warn('a line', 'and more'); logger.error('a line', new Error('broken')); r.json({});
    } },
  ]`,
  `config: ${CONFIG}, init(config, runtime) { tell('init', { config, agentId: runtime.agentId, serverUrl: runtime.getSetting('SERVER_URL') }); }`,
);

const OTHER = withRoutes(
  'other',
  `[{ type: 'GET', path: '/other', handler: async (q, r, { store }) => r.json({ value: await store.get('shared'), keys: await store.keys() }) }]`,
);

const CHARACTERS = [
  {
    ...ADA,
    bio: 'a',
    secrets: { IN_ALL: 'own secret' },
    settings: {
      IN_ALL: 'settings',
      IN_SETTINGS: 'settings',
      OBJECT: { a: 1 },
      ZERO: 0,
      NOTHING: null,
      TEXT_TRUE: 'true',
      secrets: { IN_ALL: 'settings secret', ONLY_SECRET: 'hush-hush' },
    },
  },
  { ...BOB, bio: 'b' },
];

const ENV = {
  FROM_ENV: 'env',
  IN_ALL: 'env',
  IN_SETTINGS: 'env',
  UNDECLARED: 'not yours',
  PORT_NUMBER: '42',
  SWITCH: 'true',
  SECRET_FIELD: 'hidden',
  EMPTY: '',
  OPENAI_API_KEY: 'sk-not-yours',
};

const app = pluginApp({ 'tools.mjs': PLUGIN, 'other.mjs': OTHER }, { env: ENV, characters: CHARACTERS });
const { api } = app;

describe('a setting', () => {
  it.each([
    ["is the agent's secret before all", 'IN_ALL', ADA, 'own secret'],
    ['is the setting of the agent before the plugin and the environment', 'IN_SETTINGS', ADA, 'settings'],
    ['is a secret among the settings of the agent', 'ONLY_SECRET', ADA, 'hush-hush'],
    ['of another agent is not that', 'ONLY_SECRET', BOB, null],
    ['that the agent has not is the environment’s, where the plugin declares it', 'IN_ALL', BOB, 'env'],
    ['is the environment’s before the default', 'FROM_ENV', ADA, 'env'],
    ['is the default', 'DEFAULTED', ADA, 'default'],
    ['is the default where the environment is empty', 'EMPTY', ADA, 'default'],
    ['may be a number', 'NUMBER', ADA, 7],
    ['may be a flag', 'FLAG', ADA, true],
    ['may be a number out of the environment', 'PORT_NUMBER', ADA, 42],
    ['may be a flag out of the environment', 'SWITCH', ADA, true],
    ['may be an object', 'OBJECT', ADA, { a: 1 }],
    ['may be zero', 'ZERO', ADA, 0],
    ['written as true is true', 'TEXT_TRUE', ADA, true],
    ['that is null everywhere is null', 'NO_VALUE', ADA, null],
    ['that nobody has is null', 'NOBODY_HAS_THIS', ADA, null],
    ['of the environment that the plugin did not declare is null', 'UNDECLARED', ADA, null],
    ['of the server is null', 'OPENAI_API_KEY', ADA, null],
    ['of the process is null', 'PATH', ADA, null],
    ['named like what every object has is null', 'constructor', ADA, null],
    ['named like the prototype is null', '__proto__', ADA, null],
  ])('%s', async (_name, key, { id }, value) => {
    expect((await api.get(`/tools/setting?key=${key}&agentId=${id}`)).body).toEqual({ value });
  });

  it('SERVER_URL is this server', async () => {
    expect((await api.get('/tools/setting?key=SERVER_URL')).body).toEqual({ value: app.test.url });
  });

  it('SERVER_URL is the public address when there is one', async () => {
    const other = await new PluginApp().start({ 'tools.mjs': PLUGIN }, { env: { ...ENV, SERVER_URL: 'https://agents.example.org' } });
    try {
      expect((await other.api.get('/tools/setting?key=SERVER_URL')).body).toEqual({ value: 'https://agents.example.org' });
    } finally {
      await other.close();
    }
  });

  it.each([
    ['one that is missing', { ...ENV, SECRET_FIELD: '' }, 'SECRET_FIELD must be set'],
    ['one that is no number', { ...ENV, PORT_NUMBER: 'many' }, 'PORT_NUMBER must be a number'],
    ['one that is no flag', { ...ENV, SWITCH: 'perhaps' }, 'SWITCH must be a boolean'],
    ['several', { ...ENV, SWITCH: '1', PORT_NUMBER: ' x' }, 'PORT_NUMBER must be a number; SWITCH must be a boolean'],
  ])('%s prevents loading the plugin, and the reason names it', async (_name, env, reason) => {
    const other = await new PluginApp().start({ 'tools.mjs': PLUGIN, 'other.mjs': OTHER }, { env });
    try {
      const { tools, other: fine } = await other.listed();
      expect(tools).toMatchObject({ state: 'failed', reason: expect.stringContaining(reason) });
      expect(fine.state).toBe('loaded');
    } finally {
      await other.close();
    }
  });
});

describe('init', () => {
  it('runs once for each agent, with the configuration as text', async () => {
    const told = [
      await app.heard<{ agentId: string; config: object }>('init'),
      await app.heard<{ agentId: string; config: object }>('init'),
    ];
    expect(told.map(({ agentId }) => agentId).sort()).toEqual([ADA.id, BOB.id].sort());
    expect(told[0]?.config).toEqual({
      IN_ALL: 'env',
      IN_SETTINGS: 'env',
      FROM_ENV: 'env',
      DEFAULTED: 'default',
      NUMBER: '7',
      FLAG: 'true',
      PORT_NUMBER: '42',
      SWITCH: 'true',
      SECRET_FIELD: 'hidden',
      EMPTY: 'default',
    });
  });
});

describe('the character', () => {
  it("is available without its secrets, and a plugin's changes to it stay in the plugin", async () => {
    for (let time = 0; time < 2; time += 1) {
      const { body } = await api.get('/tools/character');
      expect(body).toMatchObject({ name: 'Ada', bio: 'a' });
      expect(JSON.stringify(body)).not.toMatch(/secret|hush-hush/);
    }
    expect((await api.get('/api/agents')).body.data.agents[0].name).toBe('Ada');
  });
});

describe('sendMessage', () => {
  let channelId: string;
  beforeAll(async () => {
    const body = { name: 'c', serverId: '00000000-0000-0000-0000-000000000000', participantCentralUserIds: [ADA.id] };
    channelId = (await api.post('/api/messaging/channels', body)).body.data.id;
  });
  const stored = async (id: string): Promise<Record<string, unknown>> =>
    (await api.get(`/api/messaging/channels/${channelId}/messages?limit=100`)).body.data.messages.find(
      (one: { id: string }) => one.id === id,
    );

  it('posts as the agent', async () => {
    const { status, body } = await api.post('/tools/send', { channelId, text: 'Hello' });
    expect({ status, body }).toEqual({ status: 200, body: { id: expect.any(String), channelId, createdAt: app.clock.now() } });
    expect(await stored(body.id)).toMatchObject({
      content: 'Hello',
      authorId: ADA.id,
      isAgent: true,
      sourceType: 'agent_response',
      raw_message: { text: 'Hello', actions: [] },
      metadata: { agent_id: ADA.id, agentName: 'Ada' },
    });
  });

  it('posts as the agent of the request', async () => {
    const { body } = await api.post(`/tools/send?agentId=${BOB.id}`, { channelId, text: 'Hello' });
    expect(await stored(body.id)).toMatchObject({ authorId: BOB.id });
  });

  it('passes on thought, actions, attachments, metadata and the message that it replies to', async () => {
    const attachments = [{ filename: 'a.pdf', size: 3, mimeType: 'application/pdf' }];
    const inReplyTo = newId();
    const { body } = await api.post('/tools/send', {
      channelId,
      text: 'Hello',
      thought: 'hm',
      actions: ['REPLY'],
      attachments,
      metadata: { ticket: 7 },
      inReplyTo,
    });
    expect(await stored(body.id)).toMatchObject({
      raw_message: { text: 'Hello', thought: 'hm', actions: ['REPLY'], attachments },
      metadata: { ticket: 7, attachments, agentName: 'Ada' },
      in_reply_to_message_id: inReplyTo,
    });
  });

  it('posts once per id', async () => {
    const message = { channelId, text: 'Once', id: newId() };
    const first = await api.post('/tools/send', message);
    expect(first).toMatchObject({ status: 200, body: { id: message.id } });
    app.clock.advance(1);
    expect((await api.post('/tools/send', message)).body).toEqual(first.body);
    expect((await api.post('/tools/send', { ...message, text: 'Twice' })).status).toBe(422);
  });

  it.each([
    ['the channel is not there', { channelId: newId(), text: 'x' }, /channel/i],
    ['the channel is no id', { channelId: 'x', text: 'x' }, /channel/i],
    ['there is no channel', { channelId: undefined, text: 'x' }, /channelId/],
    ['there is no text', {}, /text must be/],
    ['the text is empty', { text: ' ' }, /text must be/],
    ['the text is a number', { text: 7 }, /text must be/],
    ['the text is too long', { text: 'x'.repeat(100_001) }, /text must be/],
    ['the text has a NUL', { text: 'a\0b' }, /NUL/],
    ['the id is none', { text: 'x', id: '7' }, /id must be/],
  ])('rejects with a message when %s', async (_name, message, words) => {
    expect(await api.post('/tools/send', { channelId, ...message })).toMatchObject({
      status: 422,
      body: { error: expect.stringMatching(words) },
    });
  });

  it('has an HTTP equivalent inside a handler', async () => {
    const body = { channel_id: channelId, author_id: ADA.id, content: 'Over HTTP' };
    const answer = await api.post('/tools/submit', body);
    expect(answer.status).toBe(201);
    expect(await stored(answer.body.data.id)).toMatchObject({ content: 'Over HTTP' });
  });
});

describe('the store', () => {
  const call = async (name: string, ...args: unknown[]): Promise<unknown> =>
    (await api.post('/tools/store', { call: name, args })).body.value;

  it.each([
    ['text', 'x'],
    ['a number', 1.5],
    ['null', null],
    ['false', false],
    ['a list', [1, [2]]],
    ['an object', { a: { b: 'ü 👋' } }],
    ['empty text', ''],
  ])('keeps %s', async (_name, value) => {
    await call('set', 'kept', value);
    expect(await call('get', 'kept')).toEqual(value);
  });

  it('overwrites, deletes, and lists by prefix in order', async () => {
    for (const key of ['list/b', 'list/a', 'list/%', 'List/c', 'other']) await call('set', key, key);
    await call('set', 'list/a', 'again');
    expect(await call('get', 'list/a')).toBe('again');
    expect(await call('keys', 'list/')).toEqual(['list/%', 'list/a', 'list/b']);
    await call('delete', 'list/a');
    await call('delete', 'list/a');
    expect(await call('get', 'list/a')).toBeNull();
    expect(await call('keys', 'list/')).toEqual(['list/%', 'list/b']);
  });

  it.each([
    ['an empty key', '/tools/store', { call: 'set', args: ['', 1] }, 'a key has 1 to 255 characters'],
    ['a long key', '/tools/store', { call: 'set', args: ['x'.repeat(256), 1] }, 'a key has 1 to 255 characters'],
    ['a large value', '/tools/store', { call: 'set', args: ['x', 'x'.repeat(1_000_000)] }, 'a value has at most'],
    ['no value', '/tools/store-undefined', {}, 'a value must be JSON'],
  ])('refuses %s', async (_name, path, body, words) => {
    expect(await api.post(path, body)).toMatchObject({ status: 422, body: { error: expect.stringContaining(words) } });
  });

  it('is private to the plugin, and survives a restart', async () => {
    await call('set', 'shared', 'mine');
    expect((await api.get('/other')).body).toEqual({ keys: [] });
    await app.test.restart();
    expect(await call('get', 'shared')).toBe('mine');
  });
});

it('the logger accepts every level', async () => {
  expect((await api.get('/tools/logs')).status).toBe(200);
});

it('the logger accepts the argument order of other servers: fields first, an error or more texts after', async () => {
  const written = jest.spyOn(Log.prototype, 'write');
  await api.get(`/tools/logs-of-others?agentId=${ADA.id}`);
  const lines = written.mock.calls.filter(([, message]) => message.startsWith('a line'));
  expect(lines).toEqual([
    ['info', 'a line', { agentId: ADA.id, src: 'plugin:tools' }],
    ['warn', 'a line and more', { agentId: ADA.id }],
    ['error', 'a line', { agentId: ADA.id, err: expect.objectContaining({ message: 'broken' }) }],
  ]);
  written.mockRestore();
});
