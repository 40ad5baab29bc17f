// What a plugin asks of its runtime: members of elizaOS that are there work, the others are refused by name; what a part lacks is listed.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Log } from '../../src/core/logging/index.js';
import { unsupportedReason } from '../../src/modules/plugins/unsupported-members.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { HELD, PluginApp } from './support/plugin-app.js';

const USER = '11111111-1111-1111-1111-111111111111';

/** `IAgentRuntime` and `IDatabaseAdapter` of @elizaos/core 1.7.2, as published. */
const MEMBERS = `agentId character initPromise messageService providers actions evaluators plugins services events fetch routes logger
  stateCache elizaOS registerPlugin initialize getConnection getService getServicesByType getAllServices registerService
  getServiceLoadPromise getRegisteredServiceTypes hasService hasElizaOS registerDatabaseAdapter setSetting getSetting
  getConversationLength processActions getActionResults evaluate registerProvider registerAction registerEvaluator ensureConnections
  ensureConnection ensureParticipantInRoom ensureWorldExists ensureRoomExists composeState useModel generateText registerModel getModel
  registerEvent getEvent emitEvent registerTaskWorker getTaskWorker stop addEmbeddingToMemory queueEmbeddingGeneration getAllMemories
  clearAllAgentMemories updateMemory createRunId startRun endRun getCurrentRunId getEntityById getRoom createEntity createRoom
  addParticipant getRooms registerSendHandler sendMessageToTarget updateWorld db init runPluginMigrations runMigrations isReady close
  withEntityContext getAgent getAgents createAgent updateAgent deleteAgent ensureEmbeddingDimension getEntitiesByIds getEntitiesForRoom
  createEntities updateEntity getComponent getComponents createComponent updateComponent deleteComponent getMemories getMemoryById
  getMemoriesByIds getMemoriesByRoomIds getCachedEmbeddings log getLogs deleteLog getAgentRunSummaries searchMemories createMemory
  deleteMemory deleteManyMemories deleteAllMemories countMemories createWorld getWorld removeWorld getAllWorlds getRoomsByIds createRooms
  deleteRoom deleteRoomsByWorldId updateRoom getRoomsForParticipant getRoomsForParticipants getRoomsByWorld removeParticipant
  getParticipantsForEntity getParticipantsForRoom isRoomParticipant addParticipantsRoom getParticipantUserState setParticipantUserState
  createRelationship updateRelationship getRelationship getRelationships getCache setCache deleteCache createTask getTasks getTask
  getTasksByName updateTask deleteTask getMemoriesByWorldId`.split(/\s+/);
/** Optional in the interface, and absent. */
const ABSENT = ['fetch', 'elizaOS'];

let app: PluginApp;
afterEach(() => app.close());

/** A plugin that shows the test its runtime. */
const SHOWS = `init(config, runtime) { tell('runtime', { runtime }); }`;
async function start(parts: string, options: Parameters<PluginApp['start']>[1] = {}, files: Record<string, string> = {}): Promise<void> {
  app = await new PluginApp().start({ 'fixture.mjs': `${HELD}\nexport default { name: 'fixture', ${parts} };\n`, ...files }, options);
}
type Any = Record<string, (...given: unknown[]) => Promise<unknown>> & Record<string, unknown>;
const runtime = async (): Promise<Any> => (await app.heard<{ runtime: Any }>('runtime')).runtime;
const problems = async (name = 'fixture'): Promise<unknown[]> => (await app.listed())[name].problems;

describe('every member of the runtime of elizaOS 1.7', () => {
  it('exists, or is refused by name with the remedy', async () => {
    await start(SHOWS);
    const shown = await runtime();
    for (const name of MEMBERS) {
      const refused = unsupportedReason(name);
      if (ABSENT.includes(name)) expect([name, shown[name]]).toEqual([name, undefined]);
      else if (refused === undefined) expect([name, name in shown, typeof shown[name]]).not.toEqual([name, true, 'undefined']);
      else {
        expect(name in shown).toBe(false);
        const use = async (): Promise<unknown> => (typeof shown[name] === 'function' ? shown[name]() : shown[name]);
        await expect(use()).rejects.toThrow(`it uses runtime.${name}, which Parley does not support: `);
      }
    }
    expect(shown['somethingElse']).toBeUndefined();
    expect(shown['then']).toBeUndefined();
  });

  it("works with Parley's own features", async () => {
    await start(
      `${SHOWS}, models: { OWN: async (runtime, params) => params.n + 1 },
      services: [class { static serviceType = 'clock'; static start = async () => ({ now: () => 12, stop() {} }) }],
      providers: [{ name: 'NOW', get: () => ({ text: 'now' }) }]`,
      { characters: [{ ...ADA, bio: 'x' }] },
    );
    const shown = await runtime();
    expect(await shown['getService']?.('clock')).toMatchObject({ now: expect.any(Function) });
    expect([shown['hasService']?.('clock'), shown['hasService']?.('none'), shown['getRegisteredServiceTypes']?.()]).toEqual([
      true,
      false,
      ['clock'],
    ]);
    expect(await shown['getServiceLoadPromise']?.('clock')).toBe(shown['getService']?.('clock'));
    const model = shown['getModel']?.('OWN') as unknown as (runtime: unknown, params: unknown) => Promise<unknown>;
    expect([await model({}, { n: 1 }), shown['getModel']?.('NONE')]).toEqual([2, undefined]);
    expect(await shown['getCache']?.('a')).toBeUndefined();
    expect(await shown['setCache']?.('a', { b: 1 })).toBe(true);
    expect(await shown['getCache']?.('a')).toEqual({ b: 1 });
    expect(await shown['deleteCache']?.('a')).toBe(true);
    expect(await shown['getCache']?.('a')).toBeUndefined();
    const id = await shown['createMemory']?.({ content: { text: 'Tea at four.' } }, 'facts');
    expect(await shown['getMemoryById']?.(id)).toMatchObject({ id, content: { text: 'Tea at four.' } });
    expect(await shown['getMemoriesByRoomIds']?.({ roomIds: [ADA.id], tableName: 'facts' })).toMatchObject([{ id }]);
    await shown['deleteMemory']?.(id);
    expect(await shown['getMemoryById']?.(id)).toBeNull();
    expect((await shown['getRooms']?.(ADA.id)) as unknown[]).toMatchObject([{ id: ADA.id }]);
    expect(await shown['getParticipantsForRoom']?.(ADA.id)).toContain(ADA.id);
    expect((shown['providers'] as unknown as { name: string }[]).map(({ name }) => name)).toEqual(['NOW']);
    expect(typeof shown['getConversationLength']?.()).toBe('number');
    await shown['log']?.({ type: 'tea', body: { cups: 2 }, entityId: ADA.id, roomId: ADA.id });
  });

  it('lets a running plugin register parts for its agent, once even when repeated', async () => {
    await start(
      `init(config, runtime) {
        for (let i = 0; i < 2; i += 1) {
          runtime.registerAction({ name: 'LATE', description: 'x', handler: () => 'late' });
          runtime.registerProvider({ name: 'WHO', get: () => ({ text: 'for ' + runtime.character.name }) });
        }
        try { runtime.registerAction({ name: 'BAD' }) } catch (error) { tell('bad', error.message) }
      }`,
    );
    expect(await app.heard('bad')).toMatch(/its action is not valid: description .*; handler must be a function/);
    app.test.model.calls([{ name: 'LATE', input: {} }]).reply('Done.');
    const { sessionId } = (await app.api.post('/api/messaging/sessions', { agentId: BOB.id, userId: USER })).body.data;
    await app.api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Go.', transport: 'http' });
    const [request] = app.test.model.requests;
    expect(request?.tools?.map(({ name }) => name)).toEqual(['LATE']);
    expect(request?.messages[1]?.content).toBe('# What is the case now\nfor Bob');
    await app.host.unload('fixture');
    app.test.model.reply('Nothing.');
    await app.api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Go.', transport: 'http' });
    expect(app.test.model.requests.at(-1)?.tools).toBeUndefined();
  });
});

describe('a missing member', () => {
  it('prevents loading a plugin whose init needs it [plugins.refused]', async () => {
    await start(`async init(config, runtime) { runtime.registerTaskWorker({ name: 'x' }); }`);
    expect((await app.listed())['fixture']).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('it uses runtime.registerTaskWorker, which Parley does not support'),
    });
  });

  it.each([
    ['catches and logs', `try { await runtime.getTasks({}) } catch (error) { runtime.logger.error('Error checking tasks', { error }) }`],
    ['catches nothing', `await runtime.getTasks({})`],
    ['waits for nothing', `void runtime.getTasks({}).catch(() => runtime.logger.warn('no tasks'))`],
  ])('stops a service that uses it on a timer and %s: one log line, and a reason', async (_how, body) => {
    const lines: string[] = [];
    const write = jest.spyOn(Log.prototype, 'write').mockImplementation((level, message) => {
      if (level === 'error' || level === 'warn') lines.push(message);
    });
    await start(
      `services: [class { static serviceType = 'tasks'; static async start(runtime) {
        const tick = async () => { ${body} };
        runtime.on('TICK', () => { tell('ticked'); void tick().catch(() => undefined); });
        return { stop() { tell('stopped'); } };
      } }]`,
      { characters: [{ ...ADA, bio: 'x' }] },
      {
        'bell.mjs': `export default { name: 'bell', routes: [{ type: 'POST', path: '/tick', handler: async (q, r, runtime) => { await runtime.emit('TICK'); r.json({}); } }] };`,
      },
    );
    expect(await problems()).toEqual([]);
    for (let i = 0; i < 3; i += 1) {
      await app.api.post('/tick', {});
      await app.heard('ticked');
    }
    await app.heard('stopped');
    expect(await problems()).toEqual([
      {
        plugin: 'fixture',
        component: 'service tasks',
        reason: expect.stringContaining('it uses runtime.getTasks, which Parley does not support'),
        count: 1,
      },
    ]);
    expect(lines).toEqual([expect.stringContaining('service tasks failed: it uses runtime.getTasks')]);
    expect((await app.api.get('/api/agents')).status).toBe(200);
    write.mockRestore();
  });

  it('stops a service that used it during its start and hid the error', async () => {
    await start(
      `services: [class { static serviceType = 'hides'; static async start(runtime) { try { runtime.registerSendHandler('x', () => {}) } catch {} return { stop() { tell('stopped') } } } }]`,
      { characters: [{ ...ADA, bio: 'x' }] },
    );
    await app.heard('stopped');
    expect(await problems()).toMatchObject([{ component: 'service hides', reason: expect.stringContaining('runtime.sendMessage(') }]);
  });
});

describe('the settings of a package', () => {
  const declares = (name: string, parameters: object, handler: string): Record<string, string> => ({
    [`${name}/package.json`]: JSON.stringify({ name, main: 'index.mjs', agentConfig: { pluginParameters: parameters } }),
    [`${name}/index.mjs`]: `export default { name: '${name}', routes: [{ type: 'GET', path: '/${name}', handler: ${handler} }] };`,
  });
  const READ = `(q, r, runtime) => r.json(Object.fromEntries(q.query.names.split(',').map((name) => [name, runtime.getSetting(name)])))`;
  const NAMES = 'A_KEY,A_MODEL,A_LIMIT,A_OTHER,SHARED,B_SECRET,UNNAMED,API_KEY,SECRET_KEY,DATABASE_URL,PATH';
  const read = async (name: string, agentId = ADA.id): Promise<object> =>
    (await app.api.get(`/${name}?names=${NAMES}&agentId=${agentId}`)).body;

  it('come from the agent, then from the declared environment variables, then from the defaults', async () => {
    const parameters = {
      A_KEY: { type: 'string', required: true, sensitive: true },
      A_MODEL: { default: 'small' },
      A_LIMIT: { type: 'number', default: 5 },
      A_OTHER: 'odd',
      API_KEY: { required: true },
      SECRET_KEY: {},
    };
    const env = { A_KEY: 'from-env', A_LIMIT: '7', B_SECRET: 'b-secret', SHARED: 'shared', UNNAMED: 'unnamed', SECRET_KEY: 'x'.repeat(40) };
    await start(
      `name: 'fixture'`,
      {
        env: { ...env, PLUGIN_ENV: 'SHARED, B_SECRET, SECRET_KEY, API_KEY, DATABASE_URL' },
        characters: [
          { ...ADA, bio: 'x', settings: { A_MODEL: 'large' }, secrets: { A_KEY: 'of-ada' } },
          { ...BOB, bio: 'x' },
        ],
      },
      { ...declares('a', parameters, READ), ...declares('b', { B_SECRET: { sensitive: true }, B_NEEDED: { required: true } }, READ) },
    );
    const nothing = { A_OTHER: null, UNNAMED: null, API_KEY: null, SECRET_KEY: null, DATABASE_URL: null, PATH: null };
    expect(await read('a')).toEqual({ ...nothing, A_KEY: 'of-ada', A_MODEL: 'large', A_LIMIT: '7', SHARED: 'shared', B_SECRET: null });
    expect(await read('a', BOB.id)).toEqual({
      ...nothing,
      A_KEY: 'from-env',
      A_MODEL: 'small',
      A_LIMIT: '7',
      SHARED: 'shared',
      B_SECRET: null,
    });
    expect(await read('b')).toMatchObject({ ...nothing, A_LIMIT: null, SHARED: 'shared', B_SECRET: 'b-secret' });
    expect(await problems('b')).toEqual([
      { plugin: 'b', component: 'setting B_NEEDED', reason: expect.stringContaining('no value for Ada, Bob: '), count: 2 },
    ]);
    await app.api.patch(`/api/agents/${ADA.id}`, { settings: { B_NEEDED: 1 } });
    expect(await problems('b')).toMatchObject([{ reason: expect.stringContaining('for Bob: '), count: 1 }]);
    await app.api.patch(`/api/agents/${BOB.id}`, { settings: { B_NEEDED: 1 } });
    expect(await problems('b')).toEqual([]);
  });

  it("are never the server's own, even when a plugin object declares them", async () => {
    await start(`config: { SECRET_KEY: { description: 'x' } }`, { env: { SECRET_KEY: 'x'.repeat(40) } });
    expect((await app.listed())['fixture']).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('SECRET_KEY is reserved for the server'),
    });
  });
});

const say = async (content: string): Promise<void> => {
  const { sessionId } = (await app.api.post('/api/messaging/sessions', { agentId: ADA.id, userId: USER })).body.data;
  app.test.model.reply('Well.');
  await app.api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport: 'http' });
};

describe('a result', () => {
  it('with keys that Parley ignores is a problem that names them', async () => {
    await start(
      `actions: [
        { name: 'TYPO', description: 'x', handler: () => ({ sucess: true, text: 'done' }) },
        { name: 'OTHER', description: 'x', handler: () => ({ message: 'done' }) },
        { name: 'ELIZA', description: 'x', handler: () => ({ success: true, text: 'done', actionName: 'ELIZA' }) }],
      providers: [
        { name: 'TYPO', get: () => ({ txt: 'sunny' }) },
        { name: 'RIGHT', get: () => ({ text: 'sunny', values: {}, data: {} }) }]`,
      { characters: [{ ...ADA, bio: 'x' }] },
    );
    const calls = ['TYPO', 'OTHER', 'ELIZA'].map((name) => ({ name, input: {} }));
    app.test.model.calls(calls);
    await say('Hi');
    const unread = 'its result has keys that Parley does not read: ';
    const found = (await problems()) as { component: string }[];
    expect(found.sort((one, other) => one.component.localeCompare(other.component))).toMatchObject([
      { component: 'action OTHER', reason: `${unread}message` },
      { component: 'action TYPO', reason: `${unread}sucess (did you mean success?)` },
      { component: 'provider TYPO', reason: `${unread}txt (did you mean text?)` },
    ]);
  });
});

describe('missing features of a part', () => {
  it('are listed while the part lacks them', async () => {
    await start(
      `actions: [
        { name: 'GIF', description: 'x', validate: async (runtime) => Boolean(runtime.getSetting('GIF_KEY')), handler() {} },
        { name: 'NEVER', description: 'x', validate: () => false, handler() {} }],
      providers: [
        { name: 'FORECAST', get: (runtime) => ({ text: runtime.getService('weather').today() }) },
        { name: 'SILENT', get: (runtime) => ({ text: runtime.getService('weather')?.today() ?? '', values: {}, data: null }) }],
      services: [class { static serviceType = 'weather'; static async start(runtime) {
        if (!runtime.getSetting('GIF_KEY')) throw new Error('no key');
        return { today: () => 'sunny', stop() {} };
      } }]`,
      { characters: [{ ...ADA, bio: 'x' }] },
    );
    await say('Hi');
    expect(await problems()).toEqual(
      expect.arrayContaining([
        { plugin: 'fixture', component: 'service weather', reason: 'no key', count: 1 },
        expect.objectContaining({
          component: 'provider FORECAST',
          reason: expect.stringMatching(/null.* \(service weather is not running\)$/),
        }),
        expect.objectContaining({ component: 'provider SILENT', reason: 'it contributes nothing for Ada: service weather is not running' }),
        expect.objectContaining({ component: 'action GIF', reason: 'it contributes nothing for Ada: setting GIF_KEY has no value' }),
      ]),
    );
    expect(await problems()).toHaveLength(4);
    await app.api.patch(`/api/agents/${ADA.id}`, { settings: { GIF_KEY: 'k' } });
    await say('Again');
    expect((await problems()).map((each) => (each as { component: string }).component)).not.toContain('action GIF');
  });
});
