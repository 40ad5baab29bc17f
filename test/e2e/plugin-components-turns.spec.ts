// What plugins bring into turns: providers, actions as recorded steps, evaluators.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { STORE, type Store } from '../../src/core/database/index.js';
import { idForAgent } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { HELD, PluginApp } from '../plugins/support/plugin-app.js';
import { eventually } from '../support/memory-app.js';
import { serverEvents } from '../support/sse-client.js';

const USER = '11111111-1111-1111-1111-111111111111';
const CHARACTERS = [
  { ...ADA, bio: ['Ada is an agent of the tests.'], settings: { actionTimeoutMs: 500, maxToolRounds: 2 } },
  { ...BOB, bio: 'Bob is the other agent.' },
];

let app: PluginApp;

async function start(parts: string, characters: readonly object[] = CHARACTERS): Promise<void> {
  app = await new PluginApp().start({ 'fixture.mjs': `${HELD}\nexport default { name: 'fixture', ${parts} };\n` }, { characters });
}

beforeEach(() => {
  app = new PluginApp();
});
afterEach(async () => {
  app.test.model.assertDone();
  await app.close();
});

const model = (): PluginApp['test']['model'] => app.test.model;

async function session(agentId = ADA.id): Promise<{ sessionId: string; channelId: string }> {
  return (await app.api.post('/api/messaging/sessions', { agentId, userId: USER })).body.data;
}

async function say(sessionId: string, content: string, transport = 'http'): ReturnType<PluginApp['api']['post']> {
  return app.api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport });
}

async function history(channelId: string): Promise<{ id: string; content: string; inReplyTo: string | null }[]> {
  const { body } = await app.api.get(`/api/messaging/channels/${channelId}/messages`);
  return body.data.messages.reverse();
}

/** What can go on without the clock has done so. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const texts = async (channelId: string): Promise<string[]> => (await history(channelId)).map(({ content }) => content);

async function steps(): Promise<{ step: number; kind: string; payload: Record<string, unknown> }[]> {
  const store = app.test.app.get<Store>(STORE, { strict: false });
  const rows = await store.readSource.query<{ step: number; kind: string; payload: string }[]>(
    'SELECT step, kind, payload FROM turn_steps ORDER BY message_id, step',
  );
  return rows.map((row) => ({ ...row, payload: JSON.parse(row.payload) as Record<string, unknown> }));
}

/** As SIGTERM while turns run: what they wait for is not waited for. */
async function restart(): Promise<void> {
  const restarting = app.test.restart();
  app.clock.advance(0);
  await restarting;
}

async function ended(channelId: string): Promise<void> {
  const signal = AbortSignal.timeout(60_000);
  const stream = await fetch(`${app.test.url}/api/messaging/channels/${channelId}/events?lastEventId=0`, { signal });
  for await (const { event } of serverEvents(stream)) if (event === 'turn.finished' || event === 'turn.failed') break;
}

const resultsIn = (request = model().requests.at(-1)): unknown[] =>
  (request?.messages ?? []).flatMap(({ role, content }) => (role === 'tool' ? [JSON.parse(content) as unknown] : []));

const COUNT = `{ name: 'COUNT', similes: ['TALLY_UP'], description: 'Counts.', parameters: { type: 'object', properties: { to: { type: 'integer' } }, required: ['to'] },
  async handler(runtime, message, state, options, callback) {
    tell('count', { agentId: runtime.agentId, text: message.content.text, state: state.text, parameters: options.parameters, to: options.to,
      previous: options.actionContext.previousResults.length, key: options.idempotencyKey });
    await callback({ text: 'Counting to ' + options.to });
    return { success: true, text: 'counted', values: { reached: options.to }, data: { big: 1n } };
  } }`;

describe('providers', () => {
  it('add their texts by position; dynamic, private, failing and slow ones are left out [plugins.providers]', async () => {
    await start(`providers: [
      { name: 'LATER', position: 10, get: async () => ({ text: 'It is noon.', values: { time: 12 }, data: { zone: 'UTC' } }) },
      { name: 'FIRST', position: -1, get: (runtime, message) => ({ text: 'Asked: ' + message.content.text + ' by ' + message.entityId }) },
      { name: 'DYNAMIC', dynamic: true, get: () => ({ text: 'never' }) },
      { name: 'PRIVATE', private: true, get: () => ({ text: 'never' }) },
      { name: 'BROKEN', get: () => { throw new Error('no weather') } },
      { name: 'SILENT', get: () => undefined },
      { name: 'SLOW', get: (runtime) => { tell('slow', runtime.abortSignal); return new Promise(() => {}) } },
    ]`);
    model().reply('Noon.');
    const { sessionId } = await session();
    const answer = say(sessionId, 'What time?');
    const signal = await app.heard<AbortSignal>('slow');
    await settled();
    app.clock.advance(1000);
    expect((await answer).body.data.agentResponse.text).toBe('Noon.');
    expect(signal.aborted).toBe(true);
    const [request] = model().requests;
    expect(request?.messages[1]).toEqual({ role: 'system', content: `# What is the case now\nAsked: What time? by ${USER}\nIt is noon.` });
    expect(request?.tools).toBeUndefined();
    expect((await app.listed())['fixture']).toMatchObject({
      problems: [
        { component: 'provider BROKEN', count: 1 },
        { component: 'provider SLOW', count: 1 },
      ],
    });
    const health = await fetch(`${app.test.url}/health`).then((response) => response.json() as Promise<{ checks: object }>);
    expect(health.checks).toMatchObject({
      plugins: { loaded: 1, failed: [], problems: [{ plugin: 'fixture', component: 'provider BROKEN' }, { component: 'provider SLOW' }] },
    });
  });
});

describe('actions', () => {
  it('are offered as tools, run once with their arguments, and pass their results to the next call [plugins.actions]', async () => {
    await start(`providers: [{ name: 'NOW', get: () => ({ text: 'now' }) }], actions: [${COUNT},
      { name: 'HIDDEN', description: 'x', validate: async () => false, handler() {} },
      { name: 'UNSURE', description: 'x', validate() { throw new Error('hm') }, handler() {} },
      { name: 'Odd name!', description: 'x', validate: () => true, handler() {} }]`);
    model()
      .calls([{ id: 'c1', name: 'COUNT', input: { to: 3 } }], 'Let me count. ')
      .reply('Done.');
    const { sessionId, channelId } = await session();
    const { body } = await say(sessionId, 'Count!');
    expect(body.data.agentResponse).toMatchObject({ text: 'Done.' });
    const [first, second] = model().requests;
    expect(first?.tools?.map(({ name }) => name)).toEqual(['COUNT', 'Odd_name_']);
    expect(first?.tools?.[0]).toMatchObject({ description: 'Counts.', parameters: { required: ['to'] } });
    const seen = await app.heard<object>('count');
    expect(seen).toMatchObject({ agentId: ADA.id, text: 'Count!', state: 'now', parameters: { to: 3 }, to: 3, previous: 0 });
    expect(second?.messages.slice(-2)).toEqual([
      { role: 'assistant', content: 'Let me count. ', toolCalls: [{ id: 'c1', name: 'COUNT', input: { to: 3 } }] },
      expect.objectContaining({ role: 'tool', toolCallId: 'c1', toolName: 'COUNT' }),
    ]);
    expect(resultsIn()).toEqual([{ success: true, text: 'counted', values: { reached: 3 }, data: { big: '1' } }]);
    const stored = await history(channelId);
    expect(stored.map(({ content }) => content)).toEqual(['Count!', 'Counting to 3', 'Done.']);
    expect(stored[1]?.id).toBe(idForAgent(ADA.id, `action:${stored[0]?.id ?? ''}:1:0`));
    expect(stored[2]).toMatchObject({ rawMessage: { text: 'Done.', actions: ['COUNT'], providers: ['NOW'] } });
    expect((await steps()).map(({ kind }) => kind)).toEqual(['model', 'action', 'model']);
    expect(app.told.filter(({ event }) => event === 'count')).toEqual([]);
  });

  it('post their messages, even when another message already has their id', async () => {
    await start(`actions: [{ name: 'SAY', description: 'x', async handler(runtime, message, state, options, callback) {
      await new Promise((go) => tell('asked', { id: message.id, go }));
      await callback({ text: 'Said.' });
      return true;
    } }]`);
    model()
      .calls([{ name: 'SAY', input: {} }])
      .reply('Done.');
    const { sessionId, channelId } = await session();
    const answer = say(sessionId, 'Say!');
    const { id, go } = await app.heard<{ id: string; go: () => void }>('asked');
    const elsewhere = (await session()).channelId;
    const messageId = idForAgent(ADA.id, `action:${id}:1:0`);
    const taken = { channel_id: elsewhere, author_id: ADA.id, content: 'Mine', messageId };
    expect((await app.api.post('/api/messaging/submit', taken)).status).toBe(201);
    go();
    expect((await answer).body.data.agentResponse.text).toBe('Done.');
    expect(await texts(channelId)).toEqual(['Say!', 'Said.', 'Done.']);
    expect(await texts(elsewhere)).toEqual(['Mine']);
  });

  it('get earlier results; a simile finds them; unknown names, errors, refusals and time-outs are failed results [plugins.actions]', async () => {
    await start(`actions: [${COUNT},
      { name: 'THROW', description: 'x', handler() { throw new Error('broken') } },
      { name: 'NO', description: 'x', handler: async () => false },
      { name: 'TEXT', description: 'x', handler: () => 'just text' },
      { name: 'HANG', description: 'x', handler(r, m, s, { abortSignal }) { tell('hang', abortSignal); return new Promise(() => {}) } }]`);
    const call = (name: string, input: unknown = {}): { name: string; input: unknown } => ({ name, input });
    model()
      .calls([
        call('THROW'),
        call('tally up', { to: 1 }),
        call('COUN', { to: 2 }),
        call('NO'),
        call('TEXT'),
        call('COUNT', '{"to":'),
        call('HANG'),
      ])
      .reply('Well.');
    const { sessionId } = await session();
    const answer = say(sessionId, 'Go.');
    const hanging = await app.heard<AbortSignal>('hang');
    app.clock.advance(500);
    expect((await answer).body.data.agentResponse.text).toBe('Well.');
    expect(hanging.aborted).toBe(true);
    expect(await app.heard('count')).toMatchObject({ previous: 1 });
    expect(resultsIn()).toEqual([
      { success: false, error: expect.stringContaining('broken') },
      expect.objectContaining({ success: true, text: 'counted' }),
      { success: false, error: 'action COUN does not exist; available actions: COUNT, THROW, NO, TEXT, HANG' },
      { success: false },
      { success: true, text: 'just text' },
      { success: false, error: expect.stringContaining('the arguments are not valid JSON') },
      { success: false, error: 'it did not end within 500 ms' },
    ]);
  });

  it('run in a limited number of rounds [plugins.rounds]', async () => {
    await start(`actions: [${COUNT}]`);
    const again = [{ name: 'COUNT', input: { to: 1 } }];
    model().calls(again).calls(again).calls(again, 'Enough.');
    const { sessionId, channelId } = await session();
    expect((await say(sessionId, 'For ever!')).body.data.agentResponse.text).toBe('Enough.');
    expect(model().requests.map(({ toolChoice }) => toolChoice)).toEqual([undefined, undefined, 'none']);
    expect(await texts(channelId)).toEqual(['For ever!', 'Counting to 1', 'Counting to 1', 'Enough.']);
  });

  it('stream only the text of the last call [plugins.stream]', async () => {
    await start(`actions: [{ name: 'WAIT', description: 'x', async handler() { await held('wait') } }]`);
    model()
      .calls([{ name: 'WAIT', input: {} }], 'One moment. ')
      .reply('Here.');
    const { sessionId, channelId } = await session();
    await say(sessionId, 'Hm?', 'websocket');
    const release = await app.heard<() => void>('held wait');
    app.clock.advance(50);
    release();
    await ended(channelId);
    let shown = '';
    const signal = AbortSignal.timeout(60_000);
    const stream = await fetch(`${app.test.url}/api/messaging/channels/${channelId}/events?lastEventId=0`, { signal });
    for await (const { event, data } of serverEvents(stream)) {
      if (event === 'message.chunk') shown = data.reset === true ? data.text : shown + data.text;
      if (event === 'turn.finished') break;
    }
    expect(shown).toBe('Here.');
    expect(await texts(channelId)).toEqual(['Hm?', 'Here.']);
  });

  it('are not repeated when a turn resumes after a recorded one, and the interrupted one posts only once [plugins.once]', async () => {
    await start(`actions: [${COUNT},
      { name: 'PAUSE', description: 'x', async handler(r, m, s, { idempotencyKey }, callback) {
          await callback({ text: 'Pausing' }); tell('key', idempotencyKey); await held('pause'); return { text: 'paused' } } }]`);
    model().calls([
      { id: 'a', name: 'COUNT', input: { to: 2 } },
      { id: 'b', name: 'PAUSE', input: {} },
    ]);
    const { sessionId, channelId } = await session();
    await say(sessionId, 'Go.', 'websocket');
    await app.heard('held pause');
    const key = await app.heard('key');
    model().assertDone();
    await restart();
    model().reply('All done.');
    await app.release('pause');
    expect(await app.heard('key')).toBe(key);
    await ended(channelId);
    expect(app.told.filter(({ event }) => event === 'count')).toHaveLength(1);
    expect(resultsIn()).toEqual([expect.objectContaining({ text: 'counted' }), { success: true, text: 'paused' }]);
    expect(await texts(channelId)).toEqual(['Go.', 'Counting to 2', 'Pausing', 'All done.']);
    expect((await steps()).map(({ kind }) => kind)).toEqual(['model', 'action', 'action', 'model']);
    const heard: unknown[] = [];
    const stream = await fetch(`${app.test.url}/api/messaging/channels/${channelId}/events?lastEventId=0`, {
      signal: AbortSignal.timeout(60_000),
    });
    for await (const { event, data } of serverEvents(stream)) {
      if (event.startsWith('action.')) heard.push([event, data.action, data.step]);
      if (event === 'turn.finished') break;
    }
    expect(heard).toEqual([
      ['action.started', 'COUNT', 1],
      ['action.completed', 'COUNT', 1],
      ['action.started', 'PAUSE', 2],
      ['action.completed', 'PAUSE', 2],
    ]);
  });

  it('are not repeated when the model failed after them and the server stopped', async () => {
    await start(`actions: [${COUNT}]`);
    model()
      .calls([{ name: 'COUNT', input: { to: 2 } }])
      .stall();
    const { sessionId, channelId } = await session();
    await say(sessionId, 'Go.', 'websocket');
    await model().called(2);
    await restart();
    model().reply('Yes.');
    await ended(channelId);
    expect(app.told.filter(({ event }) => event === 'count')).toHaveLength(1);
    expect(resultsIn()).toHaveLength(1);
  });

  it('disappear with their plugin, also from a running turn', async () => {
    await start(`actions: [${COUNT}, { name: 'PAUSE', description: 'x', async handler() { await held('pause') } }]`);
    model()
      .calls([
        { name: 'PAUSE', input: {} },
        { name: 'COUNT', input: { to: 1 } },
      ])
      .reply('Gone.')
      .reply('Nothing.');
    const { sessionId } = await session();
    const answer = say(sessionId, 'Go.');
    const release = await app.heard<() => void>('held pause');
    await app.host.unload('fixture');
    release();
    expect((await answer).body.data.agentResponse.text).toBe('Gone.');
    expect(resultsIn()[1]).toEqual({ success: false, error: 'action COUNT does not exist' });
    await say(sessionId, 'And now?');
    expect(model().requests.at(-1)?.tools).toBeUndefined();
  });

  it('apply to agents whose characters list the plugin [plugins.agents]', async () => {
    const [ada, bob] = CHARACTERS;
    await start(`actions: [${COUNT}]`, [ada ?? {}, { ...bob, plugins: ['fixture'] }]);
    model().reply('a').reply('b');
    await say((await session(ADA.id)).sessionId, 'Hi');
    await say((await session(BOB.id)).sessionId, 'Hi');
    expect(model().requests.map(({ tools }) => tools?.length ?? 0)).toEqual([0, 1]);
  });
});

describe('evaluators', () => {
  it('run after the reply, which does not wait; a failed one is named, and their effect is a step [plugins.evaluators]', async () => {
    await start(`actions: [{ name: 'IGNORE', description: 'Says nothing.', handler: async () => ({ success: true }) }], evaluators: [
      { name: 'REFLECT', description: 'x', validate: async () => true, examples: [],
        async handler(runtime, message, state, options, callback, responses) {
          tell('reflect', { asked: message.content.text, said: responses.map((each) => each.content.text), options }); await held('reflect') } },
      { name: 'BROKEN', description: 'x', handler() { throw new Error('no') } },
      { name: 'UNWANTED', description: 'x', validate: () => false, handler() { tell('unwanted') } },
      { name: 'ALWAYS', description: 'x', alwaysRun: true, handler() { tell('always') } }]`);
    model()
      .reply('Hello.')
      .calls([{ name: 'IGNORE', input: {} }])
      .reply('');
    const { sessionId } = await session();
    expect((await say(sessionId, 'Hi')).body.data.agentResponse.text).toBe('Hello.');
    expect(await app.heard('reflect')).toMatchObject({ asked: 'Hi', said: ['Hello.'], options: { didRespond: true } });
    await app.heard('always');
    await say(sessionId, 'Say nothing.');
    await app.heard('always');
    await app.release('reflect');
    const evaluations = async (): Promise<unknown[]> =>
      (await steps()).filter(({ kind }) => kind === 'evaluators').map(({ payload }) => payload['evaluations']);
    await eventually(async () => (await evaluations()).length === 2);
    const timed = { startedAt: expect.any(Number), durationMs: expect.any(Number) };
    expect(await evaluations()).toContainEqual([
      { ...timed, evaluator: 'REFLECT', success: true },
      { ...timed, evaluator: 'BROKEN', success: false, error: expect.stringContaining('no') },
      { ...timed, evaluator: 'ALWAYS', success: true },
    ]);
    expect(app.told).toEqual([]);
  });
});
