// OWASP API1:2023. Cases outside the authorisation matrix: resources named outside the path, resources that do not exist yet, and resources
// whose owner changes while a client follows them.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID, newId } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { serverEvents } from '../support/sse-client.js';
import { form, storedFiles, png } from '../support/uploads.js';
import { guardedApp, OTHER, USER } from './support/guarded-app.js';

const FORBIDDEN = [403, 'FORBIDDEN'];

describe('a key restricted to one agent', () => {
  const app = guardedApp();
  const { api } = app;
  let key: string;
  beforeAll(async () => {
    key = await app.key({ scope: 'admin', agents: [ADA.id] });
  });

  it('receives nothing of a channel that it joined before its creation, once another agent is in it', async () => {
    const channelId = newId();
    const [spy, owner] = [await app.socket(key, { entityId: USER }), await app.socket('the administrator of the tests')];
    expect((await spy.ask('join', { channelId })).ok).toBe(true);
    await spy.ask('2', { channelId, message: 'Is anybody there?' });
    await owner.ask('join', { channelId });
    const message = { author_id: OTHER, content: 'Between us', message_server_id: DEFAULT_SERVER_ID, metadata: { targetAgentId: BOB.id } };
    app.data(await api.post(`/api/messaging/channels/${channelId}/messages`, message, app.as()));
    await owner.waitFor('messageBroadcast');
    // A later message on the same connection arrives after all earlier ones.
    expect((await spy.ask('join', { channelId })).ok).toBe(false);
    expect(spy.received.filter(({ payload }) => JSON.stringify(payload).includes('Between us'))).toEqual([]);
  });

  it('receives nothing more of a channel that another agent has joined, on a socket and on a stream', async () => {
    const channelId = await app.channel(ADA.id, USER);
    const spy = await app.socket(key, { entityId: USER });
    expect((await spy.ask('join', { channelId })).ok).toBe(true);
    const stream = serverEvents(await fetch(`${app.test.url}/api/messaging/channels/${channelId}/events`, app.as(key)));
    expect((await stream.next()).value).toMatchObject({ event: 'ready' });
    app.data(await api.post(`/api/messaging/channels/${channelId}/agents`, { agentId: BOB.id }, app.as()));
    const message = { author_id: OTHER, content: 'Between us' };
    app.data(await api.post(`/api/messaging/channels/${channelId}/messages`, message, app.as()));
    expect(await spy.ask('join', { channelId })).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
    expect(spy.received.filter(({ payload }) => JSON.stringify(payload).includes('Between us'))).toEqual([]);
    expect(await stream.next()).toMatchObject({ done: true });
  });

  it("neither joins nor changes another agent's world, and does not learn its name", async () => {
    const world = app.data(await api.post(`/api/agents/${BOB.id}/worlds`, { name: 'Of Bob alone' }, app.as())).world;
    const answers = [
      api.post(`/api/agents/${ADA.id}/worlds`, { worldId: world.id }, app.as(key)),
      api.patch(`/api/agents/${ADA.id}/worlds/${world.id}`, { name: 'Mine' }, app.as(key)),
      api.post(`/api/agents/${ADA.id}/rooms`, { name: 'Spy', worldId: world.id }, app.as(key)),
      api.get(`/api/agents/${ADA.id}/rooms?worldId=${world.id}`, app.as(key)),
    ];
    expect(await Promise.all(answers.map((answer) => app.outcome(answer)))).toEqual(answers.map(() => FORBIDDEN));
    const own = app.data(await api.post(`/api/agents/${ADA.id}/worlds`, { name: 'Of Ada' }, app.as(key))).world;
    expect((await api.patch(`/api/agents/${ADA.id}/worlds/${own.id}`, { name: 'Renamed' }, app.as(key))).status).toBe(200);
    const shared = app.data(await api.post(`/api/agents/${BOB.id}/worlds`, { worldId: own.id }, app.as())).world;
    expect(await app.outcome(api.patch(`/api/agents/${ADA.id}/worlds/${shared.id}`, { name: 'Again' }, app.as(key)))).toEqual(FORBIDDEN);
  });

  it("does not delete another agent's file by attaching it and deleting the message", async () => {
    const upload = app.data(await api.post(`/api/media/agents/${BOB.id}/upload-media`, form(png()), app.as()));
    const channelId = await app.channel(ADA.id, USER);
    const message = { author_id: USER, content: 'Look', attachments: [{ url: upload.url }] };
    const posted = app.data(await api.post(`/api/messaging/channels/${channelId}/messages`, message, app.as(key)));
    expect((await api.delete(`/api/messaging/channels/${channelId}/messages/${posted.id}`, app.as(key))).status).toBe(204);
    app.clock.advance(20 * 60_000);
    await app.test.restart();
    expect(await storedFiles(app.test)).toHaveLength(1);
    expect((await fetch(app.test.url + upload.url)).status).toBe(200);
  });

  it.each<[string, (ids: Record<string, string>) => [string, string, unknown?]]>([
    [
      'a message of another channel by its path',
      ({ mine, foreignMessage }) => ['DELETE', `/api/messaging/channels/${mine}/messages/${foreignMessage}`],
    ],
    [
      "a message's answers in another channel",
      ({ mine, foreignMessage }) => ['GET', `/api/messaging/channels/${mine}/messages/${foreignMessage}/events`],
    ],
    ["another agent's memory under its own agent", ({ foreignMemory }) => ['GET', `/api/agents/${ADA.id}/memories/${foreignMemory}`]],
    [
      "another agent's memory, to change it",
      ({ foreignMemory }) => ['PATCH', `/api/agents/${ADA.id}/memories/${foreignMemory}`, { content: 'x' }],
    ],
    ["another agent's room", ({ foreignRoom }) => ['GET', `/api/agents/${ADA.id}/rooms/${foreignRoom}/memories`]],
    ["another agent's run", ({ foreignRun }) => ['GET', `/api/agents/${ADA.id}/runs/${foreignRun}`]],
    ["another agent's log", ({ foreignLog }) => ['DELETE', `/api/agents/${ADA.id}/logs/${foreignLog}`]],
  ])('does not find %s', async (_what, request) => {
    const [method, path, body] = request(await things());
    expect((await api.send(method, path, body, app.as(key))).status).toBe(404);
  });

  let made: Promise<Record<string, string>> | undefined;
  function things(): Promise<Record<string, string>> {
    return (made ??= make());
  }
  async function make(): Promise<Record<string, string>> {
    app.test.model.always(() => 'Yes.');
    const session = await app.session(BOB.id);
    const said = { content: 'Hi', transport: 'http' };
    const foreignMessage = app.data(await api.post(`/api/messaging/sessions/${session.sessionId}/messages`, said, app.as())).userMessage.id;
    const list = async (path: string): Promise<ReturnType<typeof JSON.parse>> => app.data(await api.get(path, app.as()));
    const [memory] = (await list(`/api/agents/${BOB.id}/memories`)).memories;
    return {
      mine: await app.channel(ADA.id, USER),
      foreignMessage,
      foreignMemory: memory.id,
      foreignRoom: memory.roomId,
      foreignRun: (await list(`/api/agents/${BOB.id}/runs`)).runs[0].runId,
      foreignLog: (await list(`/api/agents/${BOB.id}/logs`))[0].id,
    };
  }

  it("does not reach another agent's resources through a repeated name", async () => {
    const foreign = await app.session(BOB.id);
    const twice = (name: string, id: string): string => `${name}=${id}&${name}=${id}`;
    const statuses = await Promise.all(
      [
        `/api/agents?${twice('agentId', BOB.id)}`,
        `/api/agents/${ADA.id}/rooms?${twice('channelId', foreign.channelId)}`,
        `/api/messaging/sessions?${twice('agentId', BOB.id)}`,
      ].map(async (path) => (await api.get(path, app.as(key))).status),
    );
    expect(statuses.every((status) => status === 400 || status === 403)).toBe(true);
  });
});

describe("a session's token", () => {
  const app = guardedApp();
  const { api } = app;

  it('still reads its own channel when another agent joins', async () => {
    const { sessionId, channelId, token } = await app.session();
    const socket = await app.socket(token);
    expect((await socket.ask('join', { channelId: sessionId })).ok).toBe(true);
    app.data(await api.post(`/api/messaging/channels/${channelId}/agents`, { agentId: BOB.id }, app.as()));
    expect((await api.get(`/api/messaging/channels/${channelId}/messages`, app.as(token))).status).toBe(200);
    expect((await socket.ask('2', { channelId, message: 'Welcome' })).ok).toBe(true);
    await socket.waitFor('messageBroadcast', ({ text }) => text === 'Welcome');
  });

  it('reaches no other channel by a name in the body, and no other message by its path', async () => {
    const [own, other] = [await app.session(), await app.session()];
    const foreign = app.data(
      await api.post(`/api/messaging/sessions/${other.sessionId}/messages`, { content: 'Private' }, app.as(other.token)),
    );
    const path = `/api/messaging/sessions/${own.sessionId}`;
    expect((await api.get(`${path}/messages/${foreign.userMessage?.id ?? foreign.id}/events`, app.as(own.token))).status).toBe(404);
    const posted = await api.post(
      `${path}/messages`,
      { content: 'Hi', channelId: other.channelId, sessionId: other.sessionId },
      app.as(own.token),
    );
    const heard = app.data(await api.get(`/api/messaging/channels/${other.channelId}/messages`, app.as())).messages as {
      content: string;
    }[];
    expect([posted.status < 500, heard.map(({ content }) => content)]).toEqual([true, ['Private']]);
  });
});
