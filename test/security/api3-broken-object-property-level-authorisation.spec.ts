// OWASP API3:2023. Properties that a caller must not set, and those that it must not see.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AgentsService } from '../../src/modules/agents/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { guardedApp, NOBODY, OTHER, USER } from './support/guarded-app.js';
import { routesOf } from '../contract/support/routes.js';

type Data = ReturnType<typeof JSON.parse>;

const SECRETS = [
  'canary-of-own-secrets',
  'canary-of-settings',
  'canary-deep-inside',
  'canary-in-a-list',
  'canary-in-an-address',
  'canary-of-a-patch',
];
const app = guardedApp({
  env: { ANTHROPIC_API_KEY: 'canary-of-the-model-service', SECRET_KEY: 'canary-of-the-installation-0123456789' },
  characters: [
    {
      name: ADA.name,
      bio: 'An agent.',
      secrets: { OWN: SECRETS[0] },
      settings: {
        secrets: { TOKEN: SECRETS[1] },
        database: { inner: { password: SECRETS[2] } },
        accounts: [{ name: 'one', apiKey: SECRETS[3] }, [{ token: SECRETS[3] }]],
        store: `postgres://ada:${SECRETS[4]}@host/db`,
      },
    },
    { name: BOB.name, bio: 'Another.' },
  ],
});
const { api } = app;

describe('a caller sets', () => {
  const FORGED = {
    id: NOBODY,
    createdAt: '2001-01-01T00:00:00.000Z',
    created_at: 1,
    updatedAt: 1,
    seq: 99,
    offset: 99,
    agentStatus: 'active',
    isAgent: true,
    authorKind: 'agent',
    author_kind: 'agent',
    __proto__: { polluted: true },
  };

  it("a session's parties, metadata and timeouts only", async () => {
    const session = await created('/api/messaging/sessions', {
      agentId: ADA.id,
      userId: USER,
      ...FORGED,
      sessionId: NOBODY,
      channelId: NOBODY,
      status: 'ended',
      renewalCount: 9,
      expiresAt: '2099-01-01T00:00:00Z',
      token: 'mine',
    });
    expect(session).toMatchObject({
      agentId: ADA.id,
      userId: USER,
      renewalCount: 0,
      status: 'active',
      createdAt: new Date(app.clock.now()).toISOString(),
    });
    expect([session.sessionId, session.channelId, session.expiresAt, session.token]).not.toEqual(expect.arrayContaining([NOBODY]));
    expect(session.expiresAt < '2099').toBe(true);
  });

  it("a key's declared fields only", async () => {
    const { key, token } = await created('/api/keys', {
      name: 'x',
      ...FORGED,
      hash: 'x',
      token: 'mine',
      lastUsedAt: '2001-01-01T00:00:00Z',
      revokedAt: null,
    });
    expect([key.id === NOBODY, token === 'mine', key.lastUsedAt, key.createdAt]).toEqual([
      false,
      false,
      null,
      new Date(app.clock.now()).toISOString(),
    ]);
    expect(Object.keys(key).sort()).toEqual([
      'agents',
      'createdAt',
      'expiresAt',
      'id',
      'lastUsedAt',
      'name',
      'revokedAt',
      'scope',
      'users',
    ]);
  });

  it('no id, times or origin of a channel', async () => {
    const channel = await created('/api/messaging/channels', { name: 'x', ...FORGED, sourceType: 'discord', sourceId: 'x' });
    expect(channel).toMatchObject({ sourceType: null, sourceId: null, createdAt: new Date(app.clock.now()).toISOString() });
    expect(channel.id).not.toBe(NOBODY);
    const patched = app.data(
      await api.patch(`/api/messaging/channels/${channel.id}`, { ...FORGED, serverId: NOBODY, type: 'DM' }, app.as()),
    );
    expect(patched).toMatchObject({ id: channel.id, serverId: channel.serverId, createdAt: channel.createdAt });
  });

  it('no author, time or kind of author of a message', async () => {
    const { sessionId, channelId, token } = await app.session();
    const asUser = await api.post(
      `/api/messaging/sessions/${sessionId}/messages`,
      { content: 'Hi', ...FORGED, author_id: USER, authorId: USER, userId: USER },
      app.as(token),
    );
    expect(asUser.status).toBe(201);
    await created(`/api/messaging/channels/${channelId}/messages`, { content: 'Hi', ...FORGED, author_id: OTHER });
    const { messages } = app.data(await api.get(`/api/messaging/channels/${channelId}/messages`, app.as()));
    expect(messages.map(({ authorId, isAgent, id, seq }: Data) => [authorId, isAgent, id === NOBODY, seq === 99])).toEqual([
      [OTHER, false, false, false],
      [USER, false, false, false],
    ]);
    const changed = await api.patch(
      `/api/messaging/messages/${messages[0].id}`,
      { content: 'Ho', ...FORGED, author_id: ADA.id, authorId: ADA.id, channelId: NOBODY },
      app.as(),
    );
    expect(app.data(changed)).toMatchObject({ id: messages[0].id, authorId: OTHER, channelId, content: 'Ho' });
  });

  it("an agent's character only", async () => {
    const patched = app.data(
      await api.patch(
        `/api/agents/${BOB.id}`,
        { ...FORGED, status: 'inactive', secretNames: [], sourceHash: 'x', agentId: NOBODY, system: 'New' },
        app.as(),
      ),
    );
    expect(patched).toMatchObject({ id: BOB.id, name: BOB.name, status: 'active', system: 'New' });
    expect(JSON.stringify(patched)).not.toMatch(/9999-9999|2001-01-01|polluted/);
  });

  it('no owner of a memory, a room or a world', async () => {
    const memories = await api.get(`/api/agents/${BOB.id}/memories`, app.as());
    expect(memories.status).toBe(200);
    const room = await created(`/api/agents/${BOB.id}/rooms`, { name: 'x', ...FORGED, agentId: ADA.id, agent_id: ADA.id });
    const patchedRoom = app.data(
      await api.patch(
        `/api/agents/${BOB.id}/rooms/${room.id}`,
        { name: 'y', agentId: ADA.id, worldId: NOBODY, channelId: NOBODY },
        app.as(),
      ),
    );
    expect([room.agentId ?? BOB.id, patchedRoom.id, patchedRoom.worldId]).toEqual([BOB.id, room.id, room.worldId]);
    const { world } = await created(`/api/agents/${BOB.id}/worlds`, { name: 'x', ...FORGED, agentId: ADA.id });
    const patched = app.data(
      await api.patch(`/api/agents/${BOB.id}/worlds/${world.id}`, { name: 'y', agentId: ADA.id, id: NOBODY }, app.as()),
    ).world;
    expect([world.id === NOBODY, patched.agentId, patched.id]).toEqual([false, BOB.id, world.id]);
  });
});

describe('a response', () => {
  beforeAll(async () => {
    app.test.model.always(() => 'Yes.');
    const { sessionId } = await app.session();
    app.data(await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hi', transport: 'http' }, app.as()));
    app.data(await api.patch(`/api/agents/${ADA.id}`, { settings: { more: [{ secret: SECRETS[5] }] } }, app.as()));
  });

  it('contains no secret, for any operation [agents.secrets]', async () => {
    const ids: Record<string, string> = { agentId: ADA.id, ...(await app.session()) };
    const read = routesOf(app.test).filter(({ method, path }) => method === 'GET' && path !== '' && !/events$|\/docs|openapi/.test(path));
    expect(read.length).toBeGreaterThan(30);
    for (const { path } of read) {
      const { body } = await api.get(
        path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? NOBODY),
        app.as(),
      );
      expect([path, /canary-[\w-]+/.exec(JSON.stringify(body))?.[0]]).toEqual([path, undefined]);
    }
  });

  it('masks secrets in lists too, and a mask that is sent back changes nothing', async () => {
    const shown = app.data(await api.get(`/api/agents/${ADA.id}`, app.as())).settings;
    expect(shown.accounts).toEqual([{ name: 'one', apiKey: '********' }, [{ token: '********' }]]);
    const back = { settings: { accounts: [{ ...shown.accounts[0], name: 'renamed' }, shown.accounts[1]] } };
    app.data(await api.patch(`/api/agents/${ADA.id}`, back, app.as()));
    const { settings } = app.test.app.get(AgentsService).require(ADA.id).character;
    expect(settings?.['accounts']).toEqual([{ name: 'renamed', apiKey: SECRETS[3] }, [{ token: SECRETS[3] }]]);
  });

  it('contains no secret in errors, the log or sockets', async () => {
    const socket = await app.socket('the administrator of the tests', { entityId: USER });
    await socket.ask('subscribe_logs');
    const { channelId } = await app.session();
    await socket.ask('request-world-state', { channelId });
    const refused = await Promise.all([
      api.patch(`/api/agents/${ADA.id}`, { settings: { secrets: { TOKEN: 1 } }, bio: 7 }, app.as()),
      api.post('/api/agents', { characterJson: { name: 'x', bio: 7, secrets: { A: 'canary-of-a-refusal' } } }, app.as()),
      api.send('POST', '/api/agents', '{"characterJson":{"secrets":{"A":"canary-of-a-refusal"}', {
        headers: { ...app.as().headers, 'content-type': 'application/json' },
      }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(JSON.stringify([refused.map(({ body }) => body), socket.received])).not.toContain('canary');
  });
});

async function created(path: string, body: object): Promise<Data> {
  return app.data(await api.post(path, body, app.as()));
}
