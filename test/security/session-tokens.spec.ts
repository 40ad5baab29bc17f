// What a session's token is worth, and what callers learn of things that are not theirs.
import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { fileOf } from '../../console/src/ui/address.js';
import { newId } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { guardedApp, USER } from './support/guarded-app.js';

const SECRET = 'the secret that the backend of the app has';
const SESSIONS = '/api/messaging/sessions';

describe("a session's token", () => {
  const app = guardedApp({ env: { RATE_LIMIT: 'on', RATE_LIMIT_SESSIONS: '2', RATE_LIMIT_REQUESTS: '4', USER_TOKEN_SECRET: SECRET } });
  const { api, clock } = app;
  const status = async (path: string, token: string): Promise<number> => (await api.get(path, app.as(token))).status;
  const userToken = (sub: string, seconds: number): Promise<string> =>
    new SignJWT({ sub, exp: Math.floor(clock.now() / 1000) + seconds }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));

  it('creates sessions as without a credential, and more sessions do not raise the limits of an address', async () => {
    const create = (token: string): ReturnType<typeof api.post> => api.post(SESSIONS, { agentId: ADA.id, userId: USER }, app.as(token));
    const first = await app.session();
    const second = app.data(await create(first.token));
    expect((await create(second.token)).status).toBe(429);
    const asked: number[] = [];
    for (const { sessionId, token } of [first, second, first, second, first]) asked.push(await status(`${SESSIONS}/${sessionId}`, token));
    expect(asked).toEqual([200, 200, 200, 200, 429]);
  });

  it('expires with the user token that created it, and its user has one limit over all sessions', async () => {
    const user = newId();
    const own = await userToken(user, 60);
    const { sessionId, token } = app.data(await api.post(SESSIONS, { agentId: ADA.id, userId: user }, app.as(own)));
    const path = `${SESSIONS}/${sessionId}`;
    expect(await status(path, token)).toBe(200);
    expect(await status(path, `${token}0`)).toBe(401);
    expect(await status(path, token.split('.')[0])).toBe(401);
    clock.advance(60_000);
    expect(await status(path, token)).toBe(401);
    const next = await userToken(user, 60);
    expect([await status(path, next), await status(path, next), await status(path, next)]).toEqual([200, 200, 429]);
  });

  it('cannot send as an agent, nor can a user token', async () => {
    const token = await userToken(BOB.id, 60);
    const asked = [
      await api.post(SESSIONS, { agentId: ADA.id }, app.as(token)),
      await api.get(`/api/messaging/dm-channel?targetUserId=${ADA.id}`, app.as(token)),
    ];
    expect(asked.map((answer) => answer.status)).toEqual([400, 403]);
  });
});

describe('a caller', () => {
  const app = guardedApp();
  const { api } = app;

  it('whose key is restricted to an agent counts only its sessions, and sees no checks of the installation', async () => {
    await Promise.all([app.session(ADA.id), app.session(BOB.id), app.session(BOB.id)]);
    const key = await app.key({ scope: 'admin', agents: [ADA.id] });
    expect(app.data(await api.get(SESSIONS, app.as(key))).stats).toEqual({ totalSessions: 1, activeSessions: 1, expiredSessions: 0 });
    expect(app.data(await api.get(SESSIONS, app.as())).stats).toMatchObject({ totalSessions: 3 });
    expect((await api.get('/health', app.as(key))).body.checks).toEqual({});
    expect((await api.get('/health', app.as())).body.checks).not.toEqual({});
  });

  it("that leaves another caller's session does not learn its channel", async () => {
    const [own, other] = [await app.session(), await app.session()];
    const socket = await app.socket(own.token);
    expect(await socket.ask('leave', { roomId: other.sessionId })).toEqual({
      ok: true,
      channelId: other.sessionId,
      roomId: other.sessionId,
    });
    await socket.ask('join', { roomId: own.sessionId });
    expect(await socket.ask('leave', { roomId: own.sessionId })).toMatchObject({ channelId: own.channelId });
  });

  it('cannot call an agent as a user', async () => {
    const job = await api.post('/api/messaging/jobs', { userId: BOB.id, content: 'Hi' }, app.as());
    const session = await api.post(SESSIONS, { agentId: ADA.id, userId: BOB.id }, app.as());
    expect([job.status, session.status]).toEqual([400, 400]);
  });

  it("cannot delete the data of an id that is not a user's", async () => {
    const { sessionId, channelId } = await app.session(ADA.id, newId());
    for (const id of [sessionId, channelId, ADA.id, '00000000-0000-0000-0000-000000000000']) {
      const { status, body } = await api.post(`/api/users/${id}/forget`, {}, app.as());
      expect([status, body.error?.message]).toEqual([400, 'userId must be the id of a user.']);
    }
    // A user whose id is also that of a channel is a user.
    const user = newId();
    const message = { author_id: user, content: 'Hi', message_server_id: '00000000-0000-0000-0000-000000000000' };
    app.data(await api.post(`/api/messaging/channels/${user}/messages`, message, app.as()));
    expect((await api.post(`/api/users/${user}/forget`, {}, app.as())).status).toBe(202);
  });
});

describe('the address of an attachment', () => {
  it.each([
    ['/media/uploads/a.png', true],
    ['https://parley.example/media/a.png', true],
    ['https://elsewhere.example/a.png', false],
    ['/media/../api/keys', false],
    ['/media/%2e%2e/api/keys', false],
    ['/media\\..\\..\\api/keys', false],
    ['/api/keys', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('%s is shown only when it is a file of the server: %s', (url, own) => {
    expect(fileOf('https://parley.example', url) !== undefined).toBe(own);
  });
});
