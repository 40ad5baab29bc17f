// Every operation that changes something: the audit log has the change, or the table says why not. A new operation fails here until it
// is in one of the two.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STORE, UnitOfWork, type Store } from '../../src/core/database/index.js';
import { DEFAULT_SERVER_ID, newId } from '../../src/core/ids/index.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { apiDocument } from '../support/api-document.js';
import { ADA, BOB, createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';
import { contractApp } from './support/contract-app.js';
import { OperationFixtures, type GoodRequest } from './support/every-operation.js';
import { requestOf } from './support/bad-requests.js';
import { until } from './support/until.js';

const KEEPER = `export default {
  name: 'keeper',
  description: 'Takes webhooks.',
  routes: [{ type: 'POST', path: '/hook', public: true, webhook: { verify: () => true, mode: 'ack' }, handler: () => undefined }],
};`;

type Good = (world: OperationFixtures) => GoodRequest | Promise<GoodRequest>;
type Audited = readonly [operation: string, actions: readonly string[], good: Good];

const body = (value: unknown) => (): GoodRequest => ({ body: value });
const character = (): GoodRequest => ({ body: { characterJson: { name: `Agent ${newId()}`, bio: 'New.' } } });
const onAgent =
  (value?: unknown): Good =>
  async (world) => ({ params: { agentId: await world.agent() }, body: value });
const onRunningAgent: Good = async (world) => {
  const agentId = await world.agent();
  await world.data('POST', `/api/agents/${agentId}/start`);
  return { params: { agentId } };
};
const onMemory =
  (value?: unknown): Good =>
  (world) => ({ params: { memoryId: world.memory() }, body: value });
const onEditedMemory: Good = async (world) => {
  const memoryId = world.memory();
  await world.data('PATCH', `/api/memory/${ADA.id}/memories/${memoryId}`, { content: 'Coffee.' });
  return { params: { memoryId }, body: {} };
};
const roomWithMemory = async (world: OperationFixtures): Promise<string> => {
  const { sessionId, channelId } = await world.app.newSession();
  await world.data('POST', `/api/messaging/sessions/${sessionId}/messages`, { content: 'Tea?', transport: 'http' });
  const room = (await world.data('GET', `/api/memory/${ADA.id}/rooms?channelId=${channelId}`)).rooms[0].id;
  await until(async () => (await world.data('GET', `/api/memory/${ADA.id}/memories?roomId=${room}`)).memories.length >= 2);
  return room;
};
const inRoomWithMemory: Good = async (world) => ({ params: { roomId: await roomWithMemory(world) } });
const inRoom: Good = async (world) => ({ params: { roomId: await world.room() } });
const inChannel: Good = async (world) => ({ params: { channelId: await world.channel() } });
const inServer: Good = async (world) => {
  const messageServerId = await world.server();
  await world.data('POST', '/api/messaging/channels', { name: 'Tea', serverId: messageServerId });
  return { params: { messageServerId } };
};
const emptyGroup: Good = async (world) => {
  const messageServerId = await world.server();
  await world.data('POST', `/api/memory/groups/${messageServerId}`, { agentIds: [ADA.id] });
  return { params: { messageServerId } };
};
const document = async (world: OperationFixtures): Promise<string> => {
  const { documentId, id } = await world.data('POST', `/api/agents/${ADA.id}/knowledge`, { text: 'Tea is hot.', name: `${newId()}.txt` });
  return documentId ?? id;
};
const onDocument =
  (value?: unknown): Good =>
  async (world) => ({ params: { documentId: await document(world) }, body: value });
const onKey =
  (value?: unknown): Good =>
  async (world) => ({
    params: { keyId: (await world.data('POST', '/api/keys', { name: 'app' })).key.id },
    body: value,
  });
const onDelivery: Good = async (world) => {
  await world.app.api.post('/keeper/hook', { event: newId() });
  const done = async (): Promise<{ id: string }[]> => (await world.data('GET', '/api/plugins/keeper/deliveries?status=done')).deliveries;
  await until(async () => (await done()).length > 0);
  return { params: { name: 'keeper', id: (await done())[0]!.id } };
};
const backupsDone = (world: OperationFixtures): Promise<void> =>
  until(async () => {
    const { backups } = await world.data('GET', '/api/server/backups');
    return !backups.some(({ state }: { state: string }) => state === 'running');
  });
const afterBackup: Good = async (world) => {
  await backupsDone(world);
  world.app.clock.advance(1);
  return {};
};
const madeBackup: Good = async (world) => {
  await afterBackup(world);
  const { name } = (await world.data('POST', '/api/server/backups')).backup;
  await backupsDone(world);
  return { params: { name } };
};
const newVariable: Good = () => ({ body: { content: { OPENAI_SPEECH_VOICE: newId() } } });
const newUser: Good = () => ({ params: { userId: newId() }, body: {} });

const AUDITED: Audited[] = [
  ['POST /api/keys', ['key.created'], body({ name: 'app', scope: 'write' })],
  ['DELETE /api/keys/{keyId}', ['key.revoked'], onKey()],
  ['POST /api/agents', ['agent.created'], character],
  ['PATCH /api/agents/{agentId}', ['agent.updated'], onAgent({ bio: 'Changed.' })],
  ['POST /api/agents/{agentId}/start', ['agent.started'], onAgent()],
  ['POST /api/agents/{agentId}/stop', ['agent.stopped'], onRunningAgent],
  ['DELETE /api/agents/{agentId}', ['agent.deleted', 'agent.stopped'], onRunningAgent],
  ['PATCH /api/agents/{agentId}/memories/{memoryId}', ['memory.updated'], onMemory({ content: 'Tea.' })],
  ['PATCH /api/memory/{agentId}/memories/{memoryId}', ['memory.updated'], onMemory({ content: 'Tea.' })],
  ['POST /api/agents/{agentId}/memories/{memoryId}/undo', ['memory.restored'], onEditedMemory],
  ['POST /api/memory/{agentId}/memories/{memoryId}/undo', ['memory.restored'], onEditedMemory],
  ['DELETE /api/agents/{agentId}/memories/{memoryId}', ['memory.deleted'], onMemory()],
  ['DELETE /api/memory/{agentId}/memories/{memoryId}', ['memory.deleted'], onMemory()],
  ['DELETE /api/agents/{agentId}/memories/all/{roomId}', ['memories.deleted'], inRoomWithMemory],
  ['DELETE /api/memory/{agentId}/memories/all/{roomId}', ['memories.deleted'], inRoomWithMemory],
  ['DELETE /api/agents/{agentId}/rooms/{roomId}', ['room.deleted'], inRoom],
  ['DELETE /api/memory/{agentId}/rooms/{roomId}', ['room.deleted'], inRoom],
  ['DELETE /api/memory/groups/{messageServerId}', ['room.deleted'], emptyGroup],
  ['POST /api/agents/{agentId}/knowledge', ['document.added'], () => ({ body: { text: 'Tea.', name: `${newId()}.txt` } })],
  ['PUT /api/agents/{agentId}/knowledge/{documentId}', ['document.replaced'], onDocument({ text: 'Tea is cold.' })],
  ['DELETE /api/agents/{agentId}/knowledge/{documentId}', ['document.deleted'], onDocument()],
  ['DELETE /api/messaging/channels/{channelId}', ['channel.deleted'], inChannel],
  ['DELETE /api/messaging/central-channels/{channelId}', ['channel.deleted'], inChannel],
  ['DELETE /api/messaging/message-servers/{messageServerId}', ['channel.deleted', 'message-server.deleted'], inServer],
  ['DELETE /api/messaging/central-servers/{messageServerId}', ['channel.deleted', 'message-server.deleted'], inServer],
  ['DELETE /api/messaging/servers/{messageServerId}', ['channel.deleted', 'message-server.deleted'], inServer],
  ['DELETE /api/agents/{agentId}/logs/{logId}', ['log.deleted'], async (world) => ({ params: { logId: await world.log() } })],
  ['DELETE /api/server/logs', ['logs.cleared'], () => ({})],
  ['POST /api/plugins/{name}/deliveries/{id}/replay', ['delivery.replayed'], onDelivery],
  ['POST /api/users/{userId}/forget', ['user.forgotten'], newUser],
  ['POST /api/system/env/local', ['environment.updated'], newVariable],
  ['POST /api/system/environment/local', ['environment.updated'], newVariable],
  ['PUT /api/server/model', ['server-model.updated'], body({ provider: 'openai', model: 'a-model', key: 'of the model' })],
  ['DELETE /api/server/model', ['server-model.removed'], () => ({})],
  ['POST /api/server/stop', ['server.stopped'], () => ({})],
  ['DELETE /api/server/backups/{name}', ['backup.deleted'], madeBackup],
  ['POST /api/server/backups', ['backup.started'], afterBackup],
  // Last, because they leave little to the others.
  ['DELETE /api/agents/{agentId}/memories', ['memories.deleted'], async (world) => (await roomWithMemory(world), {})],
  ['DELETE /api/memory/{agentId}/memories', ['memories.deleted'], async (world) => (await roomWithMemory(world), {})],
];

const UNAUDITED: readonly (readonly [why: string, operations: RegExp])[] = [
  ['reads', / \/api\/server\/model\/trial$/],
  ['reads', / \/api\/(messaging\/messages\/search|memory\/\{agentId\}\/recall|tee\/attestation)$/],
  ['conversation', / \/api\/messaging\/(submit|action(\/\{messageId\})?|complete|ingest-external|external-messages|jobs)$/],
  ['conversation', / \/api\/messaging\/sessions/],
  ['conversation', / \/api\/messaging\/messages\/\{messageId\}$/],
  ['conversation', / \/api\/messaging\/(central-)?channels\/\{channelId\}\/(messages|generate-title|upload-media)/],
  ['conversation', / \/api\/(audio|media)\//],
  ['answers and stores nothing', / \/v1\/(audio|embeddings)(\/|$)/],
  ['conversation', / \/v1\/(messages|chat|responses|conversations)(\/|$)/],
  ['conversation', / \/api\/agents\/\{agent\}\/chat$/],
  [
    'makes or changes places for conversation',
    /^(POST|PATCH) \/api\/messaging\/(central-channels|channels|group-channels)(\/\{channelId\})?$/,
  ],
  [
    'makes places for conversation',
    /^POST \/api\/messaging\/(central-servers|message-servers|servers)(\/\{messageServerId\}\/sync-channels)?$/,
  ],
  ['participants', / \/api\/messaging\/(\w+-)?(channels|servers)\/\{\w+\}\/agents(\/\{agentId\})?$/],
  ['makes or changes places for memories', /^(POST|PATCH) \/api\/(agents|memory)\/\{agentId\}\/(rooms|worlds)(\/\{\w+\})?$/],
  ['makes places for memories', /^POST \/api\/memory\/groups\//],
  ['adds lines to the log', /^POST \/api\/server\/logs$/],
  // The memories of rooms, by the same code as the operations above.
  ['in the entry of each room', /^DELETE \/api\/memory\/groups\/\{messageServerId\}\/memories$/],
];

const STATE = ['agents', 'api_keys', 'documents', 'channels', 'message_servers', 'webhook_deliveries'];
// Grow by themselves after messages.
const REMEMBERED = ['memories', 'rooms'];
const ENTRY_FAILS = `CREATE TRIGGER entry_fails BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'no entry'); END`;

describe('the audit log', () => {
  const app = contractApp({ RATE_LIMIT: 'off' }, { plugins: { 'keeper.mjs': KEEPER } });
  const world = new OperationFixtures(app);
  const store = (): Store => app.test.app.get<Store>(STORE, { strict: false });
  const execute = (sql: string): Promise<unknown> => app.test.app.get(UnitOfWork).commit([{ sql, params: [] }]);
  const send = (operation: string, good: GoodRequest, headers: Record<string, string> = {}): Promise<ApiResponse> => {
    const { method, path, ...rest } = requestOf(operation, good, world.ids);
    return app.api.send(method, path, rest.body, { headers: { ...rest.headers, ...headers } });
  };
  const idsIn = async (tables: readonly string[]): Promise<string[]> => {
    const found = await Promise.all(
      tables.map((table) => store().readSource.query<{ id: string }[]>(`SELECT id FROM ${table} ORDER BY id`)),
    );
    return found.flat().map(({ id }) => id);
  };
  const entriesOf = async (requestId: string): Promise<ApiResponse['body'][]> =>
    (await app.api.get('/api/audit?limit=1000')).body.data.entries.filter((entry: ApiResponse['body']) => entry.requestId === requestId);

  beforeAll(async () => {
    await world.fill();
    app.test.model.always(() => 'Noon.');
  });

  it('covers every operation other than GET', () => {
    const writing = apiDocument().operations.filter((operation) => !operation.startsWith('GET '));
    const audited = new Set(AUDITED.map(([operation]) => operation));
    const reasons = (operation: string): number => UNAUDITED.filter(([, pattern]) => pattern.test(operation)).length;
    expect(writing.filter((operation) => Number(audited.has(operation)) + reasons(operation) !== 1)).toEqual([]);
    expect([...audited].filter((operation) => !writing.includes(operation))).toEqual([]);
  });

  describe.each(AUDITED)('%s', (operation, actions, good) => {
    it('has its entry', async () => {
      app.test.model.always(() => 'Noon.');
      const request = await good(world);
      const requestId = newId();
      const { status } = await send(operation, request, { 'x-request-id': requestId });
      expect(status).toBeLessThan(300);
      const entries = await entriesOf(requestId);
      expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(actions));
      expect(entries).toHaveLength(actions.length);
      for (const entry of entries) {
        expect(entry.actor).toEqual({ id: 'everybody', kind: 'everybody', name: null });
        expect(entry.address).toMatch(/127\.0\.0\.1/);
        expect(entry.summary).toMatch(/^[A-Z].*\.$/);
        expect(entry.target).toEqual({ kind: expect.stringMatching(/./), id: expect.stringMatching(/./) });
      }
      const about = operation.includes('{agentId}') ? (request.params?.['agentId'] ?? ADA.id) : undefined;
      if (about !== undefined) expect(entries.map(({ agentId }) => agentId)).toEqual(entries.map(() => about));
    });

    it('changes nothing when its entry cannot be stored', async () => {
      app.test.model.always(() => 'Noon.');
      const request = await good(world);
      const before = await idsIn(STATE);
      const remembered = await idsIn(REMEMBERED);
      await execute(ENTRY_FAILS);
      try {
        expect((await send(operation, request)).status).toBeGreaterThanOrEqual(500);
      } finally {
        await execute('DROP TRIGGER entry_fails');
      }
      expect(await idsIn(STATE)).toEqual(before);
      expect(await idsIn(REMEMBERED)).toEqual(expect.arrayContaining(remembered));
    });
  });

  it.each([
    ['DELETE /api/keys/{keyId}', { params: { keyId: newId() } }, 404],
    ['PATCH /api/agents/{agentId}', { body: { bio: 7 } }, 400],
    ['PATCH /api/agents/{agentId}', { body: { bio: ['Ada is an agent of the tests.'] } }, 200],
    ['DELETE /api/agents/{agentId}/memories/{memoryId}', { params: { memoryId: newId() } }, 404],
    ['DELETE /api/messaging/message-servers/{messageServerId}', { params: { messageServerId: DEFAULT_SERVER_ID } }, 409],
    ['POST /api/system/env/local', { body: { content: { PLUGINS: 'x' } } }, 403],
    ['POST /api/agents/{agentId}/start', {}, 200],
  ] as const)('has no entry for a request that changed nothing: %s', async (operation, request, status) => {
    const requestId = newId();
    expect((await send(operation, request, { 'x-request-id': requestId })).status).toBe(status);
    expect(await entriesOf(requestId)).toEqual([]);
  });

  it('names changed fields, and never a secret', async () => {
    const agentId = await world.agent();
    const requestId = newId();
    const change = {
      bio: 'Other.',
      settings: { model: 'tea-1', secrets: { KEY: 'value-of-a-secret' } },
      secrets: { TOKEN: 'another-secret' },
    };
    await send('PATCH /api/agents/{agentId}', { params: { agentId }, body: change }, { 'x-request-id': requestId });
    const [entry] = await entriesOf(requestId);
    expect(entry.fields).toEqual(['bio', 'secrets.TOKEN', 'settings.model', 'settings.secrets.KEY']);
    const variables = { MODEL_PROVIDER: 'offline' };
    await send('POST /api/system/env/local', { body: { content: variables } }, { 'x-request-id': `${requestId}-env` });
    expect((await entriesOf(`${requestId}-env`))[0]).toMatchObject({ fields: ['MODEL_PROVIDER'] });
    const { body: all } = await app.api.get('/api/audit?limit=1000');
    expect(JSON.stringify(all)).not.toMatch(/value-of-a-secret|another-secret|tea-1/);
  });

  it('includes agents imported from character files', async () => {
    const { entries } = (await app.api.get(`/api/audit?actor=server&target=${ADA.id}`)).body.data;
    expect(entries).toMatchObject([{ action: 'agent.created', actor: { kind: 'server' }, address: null, requestId: null }]);
  });

  describe('as a list', () => {
    const list = async (query: string): Promise<ApiResponse['body']> => (await app.api.get(`/api/audit?${query}`)).body.data;

    it('is filtered by action, actor, target, agent and time', async () => {
      app.clock.advance(1000);
      const at = app.clock.now();
      const agentId = await world.agent();
      await world.data('POST', `/api/agents/${agentId}/start`);
      app.clock.advance(1000);
      await world.data('POST', `/api/agents/${agentId}/stop`);
      const actions = async (query: string): Promise<string[]> =>
        (await list(query)).entries.map(({ action }: { action: string }) => action);
      expect(await actions(`agentId=${agentId.toUpperCase()}&action=agent.started`)).toEqual(['agent.started']);
      expect(await actions(`target=${agentId}&to=${at}`)).toHaveLength(2);
      expect(await actions(`target=${agentId}&from=${new Date(at + 1).toISOString()}`)).toEqual(['agent.stopped']);
      expect(await actions(`target=${agentId}&actor=everybody`)).toHaveLength(3);
      expect(await actions(`target=${agentId}&actor=administrator`)).toEqual([]);
      expect(await actions(`agentId=${newId()}`)).toEqual([]);
    });

    it('is paged, newest first', async () => {
      const all = (await list('limit=1000')).entries;
      const seen: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: ApiResponse['body'] = await list(`limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`);
        expect(page.entries.length).toBeLessThanOrEqual(7);
        seen.push(...page.entries);
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(all);
      expect(all.map(({ at }: { at: string }) => at)).toEqual(
        all
          .map(({ at }: { at: string }) => at)
          .toSorted()
          .toReversed(),
      );
    });

    it.each([
      'action=agent.forgotten',
      'action=',
      'actor=',
      'target=',
      `target=${'x'.repeat(256)}`,
      'agentId=ada',
      'from=yesterday',
      'to=tomorrow',
      'limit=0',
      'limit=1001',
      'limit=x',
      'cursor=abc',
    ])('refuses %s', async (query) => {
      expectError(await app.api.get(`/api/audit?${query}`), 400, 'VALIDATION_ERROR');
    });
  });
});

describe('the audit log of a server with keys', () => {
  const ADMIN = 'administrator-key-of-the-tests';
  const api = new ApiClient(() => test.url);
  const as = (key: string): { headers: Record<string, string> } => ({ headers: { 'x-api-key': key } });
  let test: TestApp;

  beforeAll(async () => (test = await createTestApp({ env: { API_KEY: ADMIN } })));
  afterAll(() => test.close());

  it('names the administrator, and a key by id and name', async () => {
    const { key, token } = (await api.post('/api/keys', { name: 'night shift', scope: 'write' }, as(ADMIN))).body.data;
    await api.post(`/api/agents/${BOB.id}/stop`, {}, as(token));
    const { entries } = (await api.get('/api/audit?limit=2', as(ADMIN))).body.data;
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'agent.stopped', actor: { id: `key:${key.id}`, kind: 'key', name: 'night shift' } }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'key.created', actor: { id: 'administrator', kind: 'administrator', name: null } }),
    );
    expect(JSON.stringify(entries)).not.toContain(token);
  });

  it('shows a restricted key only the entries of its agents', async () => {
    const { token } = (await api.post('/api/keys', { name: 'of Ada', scope: 'admin', agents: [ADA.id] }, as(ADMIN))).body.data;
    await api.post(`/api/agents/${ADA.id}/start`, {}, as(ADMIN));
    await api.post(`/api/agents/${BOB.id}/start`, {}, as(ADMIN));
    const { entries } = (await api.get('/api/audit', as(token))).body.data;
    expect(new Set(entries.map(({ agentId }: { agentId: string }) => agentId))).toEqual(new Set([ADA.id]));
    expectError(await api.get(`/api/audit?agentId=${BOB.id}`, as(token)), 403, 'FORBIDDEN');
  });
});
