// What plugins bring beside turns - services, events, models - and what the runtime gives them; a plugin of elizaOS as it stands.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idForAgent } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { eventually } from '../support/memory-app.js';
import { HELD, PluginApp, TELL } from '../plugins/support/plugin-app.js';

const USER = '11111111-1111-1111-1111-111111111111';

let app: PluginApp;
beforeEach(() => {
  app = new PluginApp();
});
afterEach(async () => {
  app.test.model.assertDone();
  await app.close();
});

const ASK = `{ type: 'POST', path: '/ask', async handler({ body }, response, runtime) {
  try { const of = body.on ? runtime[body.on] : runtime; response.json({ answer: (await of[body.call](...body.args)) ?? null }); }
  catch (error) { response.status(422).json({ error: error.message }); }
} }`;

async function ask(call: string, args: unknown[] = [], on?: string, agentId = ADA.id): Promise<unknown> {
  const { status, body } = await app.api.post(`/ask?agentId=${agentId}`, { call, args, on });
  if (status !== 200) throw new Error(body.error);
  return body.answer;
}

async function say(content: string): Promise<{ channelId: string; text: string | undefined }> {
  const { sessionId, channelId } = (await app.api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
  const { body } = await app.api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
  return { channelId, text: body.data.agentResponse?.text };
}

const plugin = (name: string, parts: string): Record<string, string> => ({
  [`${name}.mjs`]: `${HELD}\nexport default { name: '${name}', ${parts} };\n`,
});

describe('services', () => {
  const SERVICE = (type: string, start: string): string => `class {
    static serviceType = '${type}';
    capabilityDescription = 'x';
    static async start(runtime) { const it = new this(); it.agent = runtime.agentId; tell('start ${type}'); ${start} return it; }
    hello() { return 'hello ' + this.agent; }
    async stop() { tell('stop ${type}'); }
  }`;

  it('start for each running agent after init, are found by type, and stop with the plugin; a failed one is named', async () => {
    await app.start(
      plugin(
        'fixture',
        `init() { tell('init') }, services: [${SERVICE('greeter', '')}, ${SERVICE('broken', `throw new Error('no key');`)}],
         routes: [{ type: 'GET', path: '/greet', handler: (q, r, runtime) => r.json({ said: runtime.getService('greeter')?.hello(), none: runtime.getService('broken') }) }]`,
      ),
    );
    expect(app.told.map(({ event }) => event)).toEqual([
      'init',
      'init',
      ...['start greeter', 'start greeter', 'start broken', 'start broken'],
    ]);
    expect((await app.api.get(`/greet?agentId=${BOB.id}`)).body).toEqual({ said: `hello ${BOB.id}`, none: null });
    expect((await app.listed())['fixture'].problems).toEqual([
      { plugin: 'fixture', component: 'service broken', reason: 'no key', count: 2 },
    ]);
    const health = await fetch(`${app.test.url}/health`).then((response) => response.json() as Promise<{ checks: object }>);
    expect(health).toMatchObject({ status: 'OK', checks: { plugins: { problems: [{ plugin: 'fixture', component: 'service broken' }] } } });
    expect(JSON.stringify(health)).not.toContain('no key');
    await app.host.unload('fixture');
    expect(app.told.filter(({ event }) => event === 'stop greeter')).toHaveLength(2);
    expect(app.host.problems()).toEqual([]);
  });

  it('that do not start within 30 seconds are abandoned, and stopped if they start later', async () => {
    const starting = app.start(plugin('fixture', `services: [${SERVICE('slow', `await held('slow');`)}]`));
    const releases = [await app.heard<() => void>('held slow'), await app.heard<() => void>('held slow')];
    app.clock.advance(30_000);
    await starting;
    expect(app.host.problems()).toMatchObject([{ component: 'service slow', reason: 'it did not end within 30000 ms' }]);
    for (const release of releases) release();
    await app.heard('stop slow');
  });
});

describe('events', () => {
  it('of a turn reach the agent they are about, with the runtime [plugins.events]', async () => {
    await app.start(
      plugin(
        'fixture',
        `actions: [{ name: 'NOTHING', description: 'x', handler() {} }], events: Object.fromEntries(
          ['RUN_STARTED', 'RUN_ENDED', 'ACTION_STARTED', 'ACTION_COMPLETED', 'MESSAGE_RECEIVED', 'MESSAGE_SENT'].map((name) =>
            [name, [({ runtime, ...payload }) => tell('heard', { name, agentId: runtime.agentId, payload }), () => { throw new Error('no') }]]))`,
      ),
    );
    app.test.model.calls([{ name: 'NOTHING', input: {} }]).reply('Done.');
    const { channelId } = await say('Go.');
    await eventually(() => app.told.length === 6);
    const heard = app.told.map(({ data }) => data as { name: string; agentId: string; payload: Record<string, unknown> });
    expect(heard.map(({ name }) => name).sort()).toEqual([
      'ACTION_COMPLETED',
      'ACTION_STARTED',
      'MESSAGE_RECEIVED',
      'MESSAGE_SENT',
      'RUN_ENDED',
      'RUN_STARTED',
    ]);
    expect(new Set(heard.map(({ agentId }) => agentId))).toEqual(new Set([ADA.id]));
    const payloadOf = (name: string): unknown => heard.find((each) => each.name === name)?.payload;
    expect(payloadOf('MESSAGE_RECEIVED')).toMatchObject({
      source: 'runtime',
      message: { entityId: USER, roomId: idForAgent(ADA.id, channelId), channelId, content: { text: 'Go.' } },
    });
    expect(payloadOf('MESSAGE_SENT')).toMatchObject({ message: { entityId: ADA.id, content: { text: 'Done.' } } });
    expect(payloadOf('ACTION_COMPLETED')).toMatchObject({ action: 'NOTHING', success: true, channelId });
    expect(payloadOf('RUN_ENDED')).toMatchObject({ status: 'completed', channelId });
  });

  it('pass between plugins of one agent, fail for their emitter, and end with their plugin', async () => {
    await app.start({
      ...plugin('asks', `routes: [${ASK}]`),
      ...plugin(
        'fixture',
        `init(config, runtime) { runtime.on('PING', ({ runtime, source, n }) => { tell('ping', [runtime.agentId, source, n]); if (n === 2) throw new Error('two') }) }`,
      ),
    });
    await ask('emit', ['PING', { n: 1 }]);
    await expect(ask('emitEvent', ['PING', { n: 2, source: 'me' }], undefined, BOB.id)).rejects.toThrow('two');
    await ask('emit', ['OTHER']);
    await app.host.unload('fixture');
    await ask('emit', ['PING', { n: 3 }]);
    expect(app.told.map(({ data }) => data)).toEqual([
      [ADA.id, 'runtime', 1],
      [BOB.id, 'me', 2],
    ]);
  });
});

describe('models', () => {
  it('of the plugin with the highest priority answer, then the server; none is an error [plugins.models]', async () => {
    const models = (name: string, priority: number): Record<string, string> =>
      plugin(
        name,
        `priority: ${priority}, models: { OBJECT_SMALL: async (runtime, { prompt }) => ({ by: '${name}', prompt, name: runtime.character.name }) }`,
      );
    await app.start({ ...plugin('asks', `routes: [${ASK}]`), ...models('low', 1), ...models('high', 2) });
    expect(await ask('useModel', ['OBJECT_SMALL', { prompt: 'p' }])).toEqual({ by: 'high', prompt: 'p', name: 'Ada' });
    await app.host.unload('high');
    expect(await ask('useModel', ['OBJECT_SMALL', { prompt: 'p' }])).toMatchObject({ by: 'low' });
    await app.host.unload('low');
    await expect(ask('useModel', ['OBJECT_SMALL', {}])).rejects.toThrow('No handler found for delegate type: OBJECT_SMALL');
    await expect(ask('useModel', ['TEXT_EMBEDDING', { text: 'x' }])).rejects.toThrow('No handler found');
    app.test.model.reply('Fine.');
    expect(await ask('useModel', ['TEXT_LARGE', { prompt: 'How?', maxTokens: 9, temperature: 0.1 }])).toBe('Fine.');
    expect(app.test.model.requests[0]).toMatchObject({
      messages: [{ role: 'user', content: 'How?' }],
      maxOutputTokens: 9,
      temperature: 0.1,
    });
  });
});

describe("an agent's memory", () => {
  it('is created, found, listed and changed per agent; rooms and entities are readable', async () => {
    await app.start(plugin('asks', `routes: [${ASK}]`));
    const id = await ask('create', [{ content: { text: 'The harbour opens at seven.' }, metadata: { from: 'test' } }], 'memories');
    expect(await ask('search', ['harbour'], 'memories')).toMatchObject([
      { id, agentId: ADA.id, roomId: ADA.id, content: { text: 'The harbour opens at seven.' } },
    ]);
    expect(await ask('search', ['harbour'], 'memories', BOB.id)).toEqual([]);
    await ask('updateMemory', [{ id, content: { text: 'The harbour opens at eight.' } }]);
    expect(await ask('getMemories', [{ tableName: 'facts' }])).toMatchObject([
      { id, type: 'facts', content: { text: 'The harbour opens at eight.' }, metadata: { type: 'custom', from: 'test' } },
    ]);
    await expect(ask('updateMemory', [{ id, content: { text: 'x' } }], undefined, BOB.id)).rejects.toThrow('no memory');
    const again = await ask('createMemory', [{ content: { text: 'A note.' }, roomId: BOB.id }, 'notes']);
    expect(await ask('searchMemories', [{ query: 'note harbour', count: 1, roomId: BOB.id }])).toMatchObject([{ id: again }]);

    app.test.model.reply('Hello.');
    const { channelId } = await say('Hi.');
    const roomId = idForAgent(ADA.id, channelId);
    expect(await ask('getRoom', [roomId])).toMatchObject({ id: roomId, agentId: ADA.id, channelId });
    expect(await ask('getRoom', [roomId], undefined, BOB.id)).toBeNull();
    expect(((await ask('list', [], 'rooms')) as { id: string }[]).map(({ id: room }) => room).sort()).toEqual([ADA.id, roomId].sort());
    expect(((await ask('entities', [roomId], 'rooms')) as { id: string }[]).map(({ id: entity }) => entity).sort()).toEqual(
      [USER, ADA.id].sort(),
    );
    expect(await ask('getEntityById', [USER])).toMatchObject({ id: USER, agentId: ADA.id });
    expect(((await ask('list', [], 'entities')) as unknown[]).length).toBe(2);
  });
});

describe('a plugin in the documented form of elizaOS', () => {
  it('loads and works unchanged: CommonJS, one named export, actions without XML, state, services', async () => {
    const source = `${TELL.replace(/import \{ channel \} from 'node:diagnostics_channel';/, `const { channel } = require('node:diagnostics_channel');`)}
      class WeatherService {
        constructor(runtime) { this.runtime = runtime; this.capabilityDescription = 'Knows the weather'; }
        static async start(runtime) { return new WeatherService(runtime); }
        async stop() {}
        in(city) { return city + ': sunny, ' + this.runtime.getSetting('UNIT'); }
      }
      WeatherService.serviceType = 'weather';
      const getWeather = {
        name: 'GET_WEATHER', similes: ['WEATHER', 'FORECAST'], description: 'Tells the weather',
        validate: async (runtime, message, state) => message.content.text.includes('weather'),
        handler: async (runtime, message, state, options, callback, responses) => {
          state = await runtime.composeState(message, ['CITIES'], true);
          const text = runtime.getService('weather').in(state.values.city);
          await runtime.createMemory({ entityId: message.entityId, agentId: runtime.agentId, roomId: message.roomId, content: { text } }, 'facts');
          if (callback) await callback({ text, actions: ['GET_WEATHER'], source: message.content.source });
          return { success: true, text, data: { state: state.text } };
        },
        examples: [[{ name: '{{user1}}', content: { text: 'weather?' } }, { name: '{{agent}}', content: { text: 'Sunny', actions: ['GET_WEATHER'] } }]],
      };
      const cities = { name: 'CITIES', description: 'Cities', dynamic: true, get: async (runtime, message, state) => ({ text: 'Rome', values: { city: 'Rome' }, data: {} }) };
      const reflection = { name: 'REFLECTION', similes: ['R'], description: 'x', alwaysRun: true, examples: [], validate: async () => true,
        handler: async (runtime, message, state, options, callback, responses) => { tell('reflected', responses.length); return true; } };
      exports.weatherPlugin = {
        name: 'weather', description: 'Weather', config: { UNIT: 'C', UNSET: null },
        init: async (config, runtime) => { tell('config', config); },
        actions: [getWeather], providers: [cities], evaluators: [reflection], services: [WeatherService],
        models: { TEXT_SMALL: async (runtime, params) => 'small: ' + params.prompt },
        events: { MESSAGE_SENT: [async (payload) => { tell('sent', payload.message.content.text); }] },
        routes: [{ type: 'GET', path: '/weather', handler: async (req, res, runtime) => { res.json({ small: await runtime.useModel('TEXT_SMALL', { prompt: 'hi' }) }); } }],
      };`;
    await app.start({ 'weather.cjs': source });
    expect(app.host.failed()).toEqual([]);
    expect(await app.heard('config')).toEqual({ UNIT: 'C' });
    app.test.model.calls([{ name: 'GET_WEATHER', input: {} }]).reply('It is sunny.');
    const { channelId, text } = await say('How is the weather?');
    expect(text).toBe('It is sunny.');
    const { body } = await app.api.get(`/api/messaging/channels/${channelId}/messages`);
    expect(body.data.messages.map(({ content }: { content: string }) => content).reverse()).toEqual([
      'How is the weather?',
      'Rome: sunny, C',
      'It is sunny.',
    ]);
    expect(await app.heard('reflected')).toBe(1);
    expect([await app.heard('sent'), await app.heard('sent')]).toEqual(['Rome: sunny, C', 'It is sunny.']);
    expect((await app.api.get('/weather')).body).toEqual({ small: 'small: hi' });
    app.test.model.reply('No.');
    await say('Something else?');
    expect(app.test.model.requests.at(-1)?.tools).toBeUndefined();
  });
});

describe('an invalid plugin', () => {
  it.each([
    ['actions: [{ name: "A", description: "x" }]', 'actions.0.handler must be a function'],
    ['providers: [{ name: "P" }]', 'providers.0.get must be a function'],
    ['services: [class {}]', 'services.0 must be a class with a static serviceType and a static start'],
    ['events: { A: [1] }', 'events.A.0 must be a function'],
    ['models: { A: 1 }', 'models.A must be a function'],
  ])('with %s is refused with its reason, and named in the health report', async (parts, reason) => {
    await app.start(plugin('fixture', parts));
    expect(app.host.failed()).toMatchObject([{ reason: expect.stringContaining(reason) }]);
    const health = await fetch(`${app.test.url}/health`).then((response) => response.json() as Promise<{ checks: object }>);
    expect(health.checks).toMatchObject({ plugins: { loaded: 0, failed: ['fixture.mjs'] } });
  });

  it('that fails in init leaves nothing behind', async () => {
    await app.start({
      ...plugin('asks', `routes: [${ASK}]`),
      ...plugin(
        'fixture',
        `init(config, runtime) { runtime.on('PING', () => tell('ping')); throw new Error('no') }, actions: [{ name: 'A', description: 'x', handler() {} }]`,
      ),
    });
    await ask('emit', ['PING']);
    app.test.model.reply('Hello.');
    await say('Hi.');
    expect(app.test.model.requests[0]?.tools).toBeUndefined();
    expect(app.told).toEqual([]);
  });
});
