// Tokens that an app's backend signs for its users: which are accepted, and what they open.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { base64url, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose';
import { userId } from 'parley-client';
import { idFromText } from '../../src/core/ids/index.js';
import { GENERAL_CHANNEL_ID } from '../../src/modules/messaging/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { eventually } from '../support/memory-app.js';
import { SocketClient } from '../support/socket-client.js';
import { allEvents } from '../support/sse-client.js';
import { guardedApp, OTHER, USER } from './support/guarded-app.js';

const SECRET = 'the secret that the backend of the app has';
const FORMER = 'the secret that the backend had until now';
const DAY = 86_400;
const SESSIONS = '/api/messaging/sessions';
const DIRECT = '/api/messaging/dm-channel';

const app = guardedApp({ env: { USER_TOKEN_SECRET: SECRET, USER_TOKEN_SECRET_PREVIOUS: `${FORMER},${'x'.repeat(32)}` } });
const { api } = app;
const now = (): number => Math.floor(app.clock.now() / 1000);
const claims = (): JWTPayload => ({ sub: USER, exp: now() + 3600 });

function signed(
  payload: JWTPayload,
  secret = SECRET,
  header: { alg: string; [name: string]: unknown } = { alg: 'HS256' },
): Promise<string> {
  return new SignJWT(payload).setProtectedHeader(header).sign(Buffer.from(secret));
}

/** As `signed`, with a header that no library writes. */
function withHeader(header: object): string {
  const text = [header, claims()].map((part) => base64url.encode(JSON.stringify(part))).join('.');
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

const begin = (token: string, userId = USER, agentId = ADA.id): ReturnType<typeof api.post> =>
  api.post(SESSIONS, { agentId, userId }, app.as(token));

describe('a user token', () => {
  it.each<[name: string, make: () => Promise<string> | string, reason: RegExp]>([
    ['that is signed with another secret', () => signed(claims(), 'another secret of more than 32 characters'), /signature/],
    ['without a signature', () => new UnsecuredJWT(claims()).encode(), /HS256/],
    [
      'that says it has no signature',
      () => `${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify(claims()))}.AAAA`,
      /HS256/,
    ],
    ['of another algorithm', () => signed(claims(), SECRET.repeat(2), { alg: 'HS512' }), /HS256/],
    [
      'with a key pair of its own',
      async () => {
        const { privateKey } = await generateKeyPair('ES256');
        return new SignJWT(claims()).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
      },
      /HS256/,
    ],
    ['with a critical extension', () => withHeader({ alg: 'HS256', crit: ['x'], x: 1 }), /JSON Web Token/],
    ['that never ends', () => signed({ sub: USER }), /"exp"/],
    ['whose end is text', () => signed({ sub: USER, exp: 'tomorrow' as unknown as number }), /"exp"/],
    ['that has expired', () => signed({ sub: USER, exp: now() }), /expired/],
    ['that is not valid yet', () => signed({ ...claims(), nbf: now() + 60 }), /not valid yet/],
    ['that lives too long', () => signed({ sub: USER, exp: now() + DAY + 1 }), /24 hours/],
    ['that was made to live too long', () => signed({ sub: USER, iat: now() - 10 * DAY, exp: now() + 60 }), /24 hours/],
    ['for another audience', () => signed({ ...claims(), aud: ['billing', 'shop'] }), /audience/],
    ['without a user', () => signed({ exp: now() + 60 }), /"sub"/],
    ['whose user is empty', () => signed({ ...claims(), sub: '' }), /"sub"/],
    ['whose user is blank', () => signed({ ...claims(), sub: ' ' }), /"sub"/],
    ['whose user is an empty variable', () => signed({ ...claims(), sub: String(undefined) }), /"sub"/],
    ['whose user is a list', () => signed({ ...claims(), sub: [USER] as unknown as string }), /"sub"/],
    ['whose agents are text', () => signed({ ...claims(), agents: ADA.id }), /"agents"/],
    ['whose agents are none', () => signed({ ...claims(), agents: [] }), /"agents"/],
    ['that is no JSON', () => 'bm8.bm8.bm8', /JSON Web Token/],
    ['that is too long', () => signed({ ...claims(), filling: 'x'.repeat(4000) }), /4096/],
  ])('%s is refused, even where no credential is needed', async (_, make, reason) => {
    const token = await make();
    for (const answer of [await begin(token), await api.get(`${SESSIONS}/${USER}`, app.as(token))]) {
      expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(answer.body.error.message).toMatch(reason);
    }
    const socket = new SocketClient(app.test.url, { auth: { token } });
    await expect(socket.connected()).rejects.toMatchObject({ data: { code: 'UNAUTHORIZED' } });
    socket.close();
  });

  it.each<[name: string, make: () => Promise<string>]>([
    ['with a user and an end', () => signed(claims())],
    [
      'with everything that it may have',
      () => signed({ ...claims(), iat: now() - 5, nbf: now(), aud: 'parley', agents: [ADA.id.toUpperCase()] }),
    ],
    ['that a former secret has signed', () => signed(claims(), FORMER)],
    ['that lives for a day', () => signed({ sub: USER.toUpperCase(), iat: now(), exp: now() + DAY })],
  ])('%s is accepted, as a key and as a bearer token', async (_, make) => {
    const token = await make();
    expect((await begin(token)).status).toBe(201);
    const bearer = { headers: { authorization: `Bearer ${token}` } };
    expect((await api.post(SESSIONS, { agentId: ADA.id, userId: USER.toUpperCase() }, bearer)).status).toBe(201);
  });

  it('creates sessions for its own user only', async () => {
    expect(await app.outcome(begin(await signed(claims()), OTHER))).toEqual([403, 'FORBIDDEN']);
    expect(await app.outcome(begin(await signed({ ...claims(), agents: [BOB.id] })))).toEqual([403, 'FORBIDDEN']);
    expect((await begin(await signed({ ...claims(), agents: [BOB.id] }), USER, BOB.id)).status).toBe(201);
  });

  it('reads and writes in the sessions of its user, over HTTP and sockets', async () => {
    app.test.model.always(() => 'Hello.');
    const token = await signed(claims());
    const { sessionId, channelId } = app.data(await begin(token));
    const answer = app.data(await api.post(`${SESSIONS}/${sessionId}/messages`, { content: 'Hi', transport: 'http' }, app.as(token)));
    expect(answer.agentResponse.text).toBe('Hello.');
    const said = { author_id: USER, content: 'Hi again', transport: 'http' };
    expect((await api.post(`/api/messaging/channels/${channelId}/messages`, said, app.as(token))).status).toBe(201);
    const asOther = { ...said, author_id: OTHER };
    expect(await app.outcome(api.post(`/api/messaging/channels/${channelId}/messages`, asOther, app.as(token)))).toEqual([
      403,
      'FORBIDDEN',
    ]);
    for (const path of [`${SESSIONS}/${sessionId}`, `${SESSIONS}/${sessionId}/messages`, `/api/messaging/channels/${channelId}/messages`]) {
      expect((await api.get(path, app.as(token))).status).toBe(200);
    }
    expect((await api.post(`${SESSIONS}/${sessionId}/renew`, {}, app.as(token))).status).toBe(200);

    const socket = await app.socket(token);
    expect((await socket.waitFor('authenticated')).entityId).toBe(USER);
    expect(await socket.ask('message', { type: 1, payload: { channelId } })).toMatchObject({ ok: true });
    expect(await socket.ask('message', { type: 2, payload: { channelId, message: 'Hi there' } })).toMatchObject({ ok: true });
    await socket.waitFor('messageBroadcast', ({ text }) => text === 'Hello.');
    const state = await socket.ask('request-world-state', { roomId: sessionId });
    expect(state.agents).toEqual([expect.objectContaining({ id: ADA.id })]);
    await expect(app.socket(token, { entityId: OTHER })).rejects.toMatchObject({ data: { code: 'FORBIDDEN' } });
    expect(await app.outcome(api.get(`${SESSIONS}/${OTHER}`, app.as(token)))).toEqual([404, 'SESSION_NOT_FOUND']);
    expect((await api.delete(`${SESSIONS}/${sessionId}`, app.as(token))).status).toBe(200);
  });

  it('makes the user optional in requests, and an error names the field with another user', async () => {
    app.test.model.always(() => 'Hello.');
    const token = await signed({ ...claims(), sub: 'ann@example.com' });
    const ann = userId('ann@example.com');
    const { userId: owner, channelId } = app.data(await api.post(SESSIONS, { agentId: ADA.id }, app.as(token)));
    expect(owner).toBe(ann);
    const direct = app.data(await api.get(`${DIRECT}?targetUserId=${ADA.id}`, app.as(token)));
    expect(new Set(direct.metadata.participantCentralUserIds)).toEqual(new Set([ann, ADA.id]));
    for (const id of [channelId, direct.id]) {
      const said = await api.post(`/api/messaging/channels/${id}/messages`, { content: 'Hi', transport: 'http' }, app.as(token));
      expect(app.data(said).userMessage.authorId).toBe(ann);
    }
    const faults = await Promise.all([
      api.post(SESSIONS, { agentId: ADA.id, userId: OTHER }, app.as(token)),
      api.get(`${DIRECT}?targetUserId=${ADA.id}&currentUserId=${OTHER}`, app.as(token)),
      api.post(`/api/messaging/channels/${direct.id}/messages`, { content: 'Hi', author_id: OTHER }, app.as(token)),
    ]);
    expect(faults.map(({ status, body }) => [status, /(\w+) names another/.exec(body.error.message)?.[1], body.error.details])).toEqual(
      ['userId', 'currentUserId', 'author_id'].map((field) => [403, field, expect.stringContaining(ann)]),
    );
  });

  it('alone replaces the user: other credentials must name one', async () => {
    for (const options of [app.as(), {}]) {
      const { status, body } = await api.post(SESSIONS, { agentId: ADA.id }, options);
      expect([status, body.error.code, body.error.message]).toEqual([400, 'VALIDATION_ERROR', 'Missing required fields: agentId, userId']);
      expect(body.error.details).toMatch(/user token/);
    }
    const { status, body } = await api.get(`${DIRECT}?targetUserId=${ADA.id}`, app.as());
    expect([status, body.error.message]).toEqual([400, 'currentUserId is missing']);
  });

  it('names its user by any text, with the same id as in the client', async () => {
    const token = await signed({ ...claims(), sub: 'ann@example.com' });
    expect((await begin(token, userId('ann@example.com'))).status).toBe(201);
    expect(await app.outcome(begin(token, idFromText('ann@example.com')))).toEqual([403, 'FORBIDDEN']);
    expect(await app.outcome(begin(token, userId('bob@example.com')))).toEqual([403, 'FORBIDDEN']);
  });

  it('opens permanent channels of its user and an agent, and reads and writes there', async () => {
    app.test.model.always(() => 'Hello.');
    const token = await signed(claims());
    const open = (query: Record<string, string>, as = token): ReturnType<typeof api.get> =>
      api.get(`${DIRECT}?${new URLSearchParams(query).toString()}`, app.as(as));
    const mine = { currentUserId: USER, targetUserId: ADA.id };
    const { id } = app.data(await open(mine));
    expect(app.data(await open(mine)).id).toBe(id);
    const work = app.data(await open({ ...mine, name: 'work' }));
    expect(work).toMatchObject({ name: 'work', metadata: { participantCentralUserIds: [USER, ADA.id] } });
    expect(work.id).not.toBe(id);
    expect(app.data(await open({ ...mine, name: 'work' })).id).toBe(work.id);
    const messages = `/api/messaging/channels/${id}/messages`;
    const answer = app.data(await api.post(messages, { author_id: USER, content: 'Hi', transport: 'http' }, app.as(token)));
    expect(answer.agentResponse.text).toBe('Hello.');
    expect(app.data(await api.get(messages, app.as(token))).messages).toHaveLength(2);
    const socket = await app.socket(token);
    expect(await socket.ask('message', { type: 1, payload: { channelId: id } })).toMatchObject({ ok: true });

    const others = await signed({ ...claims(), sub: OTHER });
    expect(await app.outcome(api.get(messages, app.as(others)))).toEqual([403, 'FORBIDDEN']);
    for (const query of [mine, { currentUserId: OTHER, targetUserId: USER }, { targetUserId: USER }]) {
      expect(await app.outcome(open(query, others))).toEqual([403, 'FORBIDDEN']);
    }
    const limited = await signed({ ...claims(), agents: [BOB.id] });
    expect(await app.outcome(open(mine, limited))).toEqual([403, 'FORBIDDEN']);
    expect(await app.outcome(api.get(messages, app.as(limited)))).toEqual([403, 'FORBIDDEN']);
  });

  it('opens no resource of others, and lists nothing', async () => {
    const token = await signed(claims());
    const others = await app.session(ADA.id, OTHER);
    const limited = await signed({ ...claims(), agents: [BOB.id] });
    const own = app.data(await begin(token));
    const socket = await app.socket(token);
    for (const channelId of [others.channelId, others.sessionId, GENERAL_CHANNEL_ID]) {
      expect(await socket.ask('message', { type: 1, payload: { channelId } })).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
    }
    for (const path of [
      `${SESSIONS}/${others.sessionId}`,
      `/api/messaging/channels/${others.channelId}/messages`,
      `/api/messaging/channels/${GENERAL_CHANNEL_ID}`,
      SESSIONS,
      '/api/agents',
      '/api/keys',
      `/api/memory/${ADA.id}/memories`,
    ]) {
      expect([path, ...(await app.outcome(api.get(path, app.as(token))))]).toEqual([path, 403, 'FORBIDDEN']);
    }
    expect(await app.outcome(api.get(`${SESSIONS}/${own.sessionId}`, app.as(limited)))).toEqual([403, 'FORBIDDEN']);
  });

  it('expires with its connections, and not earlier because another token of its user expires', async () => {
    const [short, long] = [await signed({ sub: USER, exp: now() + 60 }), await signed({ sub: USER, exp: now() + 50_000 })];
    const { sessionId } = app.data(await begin(short));
    const sockets = [await app.socket(short), await app.socket(long)];
    let isCut = false;
    sockets[0]?.socket.once('disconnect', () => (isCut = true));
    const stream = await fetch(`${app.test.url}${SESSIONS}/${sessionId}/events`, app.as(short));
    const ended = expect(allEvents(stream)).rejects.toThrow();
    app.clock.advance(60_000);
    await eventually(() => {
      app.clock.advance(1000);
      return isCut;
    });
    await ended;
    expect(await app.outcome(api.get(`${SESSIONS}/${sessionId}`, app.as(short)))).toEqual([401, 'UNAUTHORIZED']);
    expect(await sockets[1]?.ask('message', { type: 1, payload: { channelId: sessionId } })).toMatchObject({ ok: true });
  });

  it('counts for its user, and an invalid key counts as none for the creation of a session', async () => {
    const revoked = app.data(await api.post('/api/keys', { name: 'a key' }, app.as()));
    await api.delete(`/api/keys/${revoked.key.id}`, app.as());
    for (const token of ['wrong', revoked.token, 'parley_session_wrong']) {
      expect((await begin(token)).status).toBe(201);
    }
    expect((await api.post(SESSIONS, { agentId: ADA.id, userId: USER })).status).toBe(201);
    const { sessionId, token } = await app.session();
    await api.delete(`${SESSIONS}/${sessionId}`, app.as(token));
    expect((await begin(token)).status).toBe(201);
  });
});
