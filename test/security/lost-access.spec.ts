// What HTTP refuses, a stream, a socket and a waiting request lose within a second: every credential, each way of losing access, every transport.
import { afterEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { newId } from '../../src/core/ids/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { eventually } from '../support/memory-app.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import type { SocketClient } from '../support/socket-client.js';
import { serverEvents } from '../support/sse-client.js';
import { ADMIN, guardedApp, OTHER } from './support/guarded-app.js';

const SECRET = 'the secret that the backend of the app has';
const SESSIONS = '/api/messaging/sessions';
const CHANNELS = '/api/messaging/channels';
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const app = guardedApp({ env: { USER_TOKEN_SECRET: SECRET } });
const { api, clock } = app;
const speech = scriptedSpeech(() => app.test);

/** A conversation that a row of the table is about. */
interface Place {
  readonly agentId: string;
  readonly userId: string;
  readonly channelId: string;
  readonly sessionId?: string;
  readonly token?: string;
}

interface Credential {
  readonly token: string;
  readonly keyId?: string;
}

/** Something that is open, and what HTTP answers to its caller instead. */
interface Open {
  readonly name: string;
  readonly oracle: string;
  /** Whether it has been closed or cut. */
  isClosed(): boolean;
  /** Whether it hears of all messages, not of one answer only. */
  readonly hearsAll: boolean;
  /** The texts that it has heard. */
  readonly heard: () => string[];
  close(): void;
}

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

async function aKey(body: object): Promise<Credential> {
  const { key, token } = app.data(await api.post('/api/keys', { name: 'a key', ...body }, app.as()));
  return { token, keyId: key.id };
}

async function userToken(userId: string, lifeMs: number): Promise<Credential> {
  const exp = Math.floor((clock.now() + lifeMs) / SECOND);
  return { token: await new SignJWT({ sub: userId, exp }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET)) };
}

const CREDENTIALS: Record<string, (place: Place, lifeMs: number) => Promise<Credential>> = {
  "the administrator's key": async () => ({ token: ADMIN }),
  'an API key': (_, lifeMs) => aKey({ scope: 'write', expiresAt: new Date(clock.now() + lifeMs).toISOString() }),
  'a key of one agent': ({ agentId }, lifeMs) =>
    aKey({ scope: 'write', agents: [agentId], expiresAt: new Date(clock.now() + lifeMs).toISOString() }),
  'a user token': ({ userId }, lifeMs) => userToken(userId, lifeMs),
  'a session token': async ({ token = '' }) => ({ token }),
  "a user token's session token": async ({ token = '' }) => ({ token }),
};

const WAYS: Record<string, (place: Place, credential: Credential) => Promise<unknown>> = {
  'nothing happens': async () => undefined,
  'its key is revoked': async (_, { keyId }) => keyId !== undefined && api.delete(`/api/keys/${keyId}`, app.as()),
  'its time is over': async () => clock.advance(MINUTE),
  'another agent joins': ({ channelId, agentId }) =>
    api.post(`${CHANNELS}/${channelId}/agents`, { agentId: agentId === BOB.id ? ADA.id : BOB.id }, app.as()),
  'the agent leaves': ({ channelId, agentId }) => api.delete(`${CHANNELS}/${channelId}/agents/${agentId}`, app.as()),
  'another user joins': ({ channelId, agentId, userId }) =>
    api.patch(`${CHANNELS}/${channelId}`, { participantCentralUserIds: [agentId, userId, OTHER] }, app.as()),
  'the user is removed': ({ channelId, agentId }) =>
    api.patch(`${CHANNELS}/${channelId}`, { participantCentralUserIds: [agentId] }, app.as()),
  'the participants are replaced': ({ channelId }) =>
    api.patch(`${CHANNELS}/${channelId}`, { participantCentralUserIds: [BOB.id, OTHER] }, app.as()),
  'the session ends': async ({ sessionId }) => sessionId !== undefined && api.delete(`${SESSIONS}/${sessionId}`, app.as()),
  'the session expires': async ({ sessionId }) => sessionId !== undefined && clock.advance(HOUR),
  'the channel is deleted': ({ channelId }) => api.delete(`${CHANNELS}/${channelId}`, app.as()),
  'the agent is deleted': ({ agentId }) => api.delete(`/api/agents/${agentId}`, app.as()),
  'the user is forgotten': async ({ userId }) => {
    const { requestId } = app.data(await api.post(`/api/users/${userId}/forget`, {}, app.as()));
    const path = `/api/users/${userId}/forget/${requestId}`;
    await eventually(async () => app.data(await api.get(path, app.as())).status === 'done');
  },
};

type Kind = 'a session' | 'a direct channel';

/** @param token of the user, when the user begins the session */
async function aPlace(kind: Kind, agentId: string, userId: string, token?: string): Promise<Place> {
  if (kind === 'a session') {
    const body = { agentId, userId, timeoutConfig: { timeoutMinutes: 60, autoRenew: false } };
    const created = app.data(await api.post(SESSIONS, body, token === undefined ? {} : app.as(token)));
    return { agentId, userId, channelId: created.channelId, sessionId: created.sessionId, token: created.token };
  }
  const query = `currentUserId=${userId}&targetUserId=${agentId}`;
  return { agentId, userId, channelId: app.data(await api.get(`/api/messaging/dm-channel?${query}`, app.as())).id };
}

async function stream(name: string, oracle: string, path: string, credential: Credential): Promise<Open> {
  const reading = new AbortController();
  const response = await fetch(app.test.url + path, { ...app.as(credential.token), signal: reading.signal });
  expect([name, response.status]).toEqual([name, 200]);
  const texts: string[] = [];
  let closed = false;
  void (async () => {
    for await (const { event, data } of serverEvents(response)) if (event === 'message.created') texts.push(data.content);
  })()
    .catch(() => undefined)
    .finally(() => (closed = true));
  const hearsAll = path.endsWith('/events') && !path.includes('/messages/');
  return { name, oracle, hearsAll, isClosed: () => closed, heard: () => texts, close: () => reading.abort() };
}

/** A request that waits for the answer to a message. */
function waiting(name: string, oracle: string, path: string, body: object, credential: Credential): Open {
  const asking = new AbortController();
  let outcome: number | undefined;
  void fetch(app.test.url + path, {
    method: 'POST',
    headers: { ...app.as(credential.token).headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: asking.signal,
  })
    .then(async (response) => {
      await response.arrayBuffer();
      outcome = response.status;
    })
    .catch(() => (outcome = 0));
  const isClosed = (): boolean => outcome === 0 || (outcome ?? 0) >= 400;
  return { name, oracle, hearsAll: false, heard: () => [], isClosed, close: () => asking.abort() };
}

function room(socket: SocketClient, oracle: string): Open {
  let isOpen = true;
  socket.socket.once('disconnect', () => (isOpen = false));
  return {
    name: 'a socket',
    oracle,
    hearsAll: true,
    isClosed: () => !isOpen || socket.all('channel_left').length > 0,
    heard: () => socket.all('messageBroadcast').map(({ text }) => text as string),
    close: () => socket.close(),
  };
}

function voice(socket: SocketClient, oracle: string): Open {
  const isOver = (): boolean => socket.all('speechEnd').some(({ status }) => status !== 'completed');
  const isClosed = (): boolean => isOver() || !socket.socket.connected;
  return { name: 'an answer by voice', oracle, hearsAll: false, heard: () => [], isClosed, close: () => socket.close() };
}

/** Opens everything that the credential can open in a place, while its agent is answering a message. */
async function openAll({ agentId, userId, channelId, sessionId }: Place, credential: Credential, isKey: boolean): Promise<Open[]> {
  const [ofChannel, ofSession] = [`${CHANNELS}/${channelId}/messages`, `${SESSIONS}/${sessionId}/messages`];
  const asked = { author_id: userId, content: 'Hi', transport: 'http' };
  const first = app.data(await api.post(ofChannel, { author_id: userId, content: 'First' }, app.as()));
  const socket = await app.socket(credential.token, { entityId: userId });
  expect(await socket.ask('join', { channelId })).toMatchObject({ ok: true });
  const speaking = await app.socket(credential.token, { entityId: userId });
  speech.transcriber.hear('Hi');
  for (const [name, payload] of [
    ['audioStart', { channelId, agentId }],
    ['audioChunk', Buffer.from('sound')],
    ['audioEnd', {}],
  ] as const) {
    expect(await speaking.ask(name, payload)).toMatchObject({ ok: true });
  }
  const opened = [
    await stream('the stream of the channel', ofChannel, `${CHANNELS}/${channelId}/events`, credential),
    await stream('the stream of an answer', ofChannel, `${ofChannel}/${first.id}/events`, credential),
    waiting('a waiting request', ofChannel, ofChannel, asked, credential),
    room(socket, ofChannel),
    voice(speaking, ofChannel),
  ];
  if (sessionId !== undefined) {
    opened.push(
      await stream('the stream of the session', ofSession, `${SESSIONS}/${sessionId}/events`, credential),
      await stream('the stream of an answer in the session', ofSession, `${ofSession}/${first.id}/events`, credential),
      waiting('a waiting request in the session', ofSession, ofSession, { content: 'Hi', transport: 'http' }, credential),
    );
  }
  if (isKey) {
    const text = { text: 'Hi', channelId, userId };
    opened.push(waiting('a spoken answer', ofChannel, `/api/audio/${agentId}/speech/conversation`, text, credential));
  }
  ended.push(...opened.map(({ close }) => close));
  // The first message, the one by voice, and those of the requests that wait.
  const expected = 2 + opened.filter(({ hearsAll, name }) => !hearsAll && /request|spoken/.test(name)).length;
  const stored = async (): Promise<number> =>
    app.data(await api.get(ofChannel, app.as())).messages.filter(({ isAgent }: { isAgent: boolean }) => !isAgent).length;
  await eventually(async () => (await stored()) === expected);
  return opened;
}

/** What must take something away, so that the table cannot pass by losing nothing. */
const LOSSES: readonly RegExp[] = [
  /its key is revoked|its time is over|the session ends|the session expires|the channel is deleted/,
  /a user token in a direct channel: (the agent leaves|another user joins|the user is removed|the participants are replaced)/,
  /a key of one agent in .*: (another agent joins|the agent leaves|the participants are replaced)/,
];

type Row = readonly [credential: string, place: Kind, way: string];

const applies = ([credential, place, way]: Row): boolean =>
  (place === 'a session' || !(way.startsWith('the session') || credential.includes('session token'))) &&
  (way !== 'its key is revoked' || /^a.* key/.test(credential)) &&
  (way !== 'its time is over' || /^a.* key|user token/.test(credential));
const ROWS = Object.keys(CREDENTIALS)
  .flatMap((credential) =>
    (['a session', 'a direct channel'] as const).flatMap((place) => Object.keys(WAYS).map((way): Row => [credential, place, way])),
  )
  .filter(applies);

describe('an open connection', () => {
  it.each(ROWS)('with %s in %s closes when HTTP refuses its caller, and otherwise stays: %s', async (credentialName, kind, way) => {
    let answer = (): void => undefined;
    app.test.model.always(() => 'Done.', new Promise((resolve) => (answer = resolve)));
    speech.synthesizer.always();
    let agentId = ADA.id;
    if (way === 'the agent is deleted') {
      agentId = app.data(await api.post('/api/agents', { characterJson: { name: `Cleo ${newId()}`, bio: 'x' } }, app.as())).id;
      app.data(await api.post(`/api/agents/${agentId}/start`, {}, app.as()));
    }
    const userId = newId();
    const lifeMs = way === 'its time is over' ? MINUTE : 24 * HOUR;
    const own = credentialName.includes("token's") ? await userToken(userId, lifeMs) : undefined;
    const place = await aPlace(kind, agentId, userId, own?.token);
    const credential = await CREDENTIALS[credentialName]!(place, lifeMs);
    const calls = app.test.model.requests.length;
    const opened = await openAll(place, credential, / key/.test(credentialName));
    await app.test.model.called(calls + 1);
    try {
      await WAYS[way]!(place, credential);
      clock.advance(SECOND);
      const refused = new Set<string>();
      for (const oracle of new Set(opened.map((one) => one.oracle))) {
        if ((await api.get(oracle, app.as(credential.token))).status >= 400) refused.add(oracle);
      }
      const lost = opened.filter(({ oracle }) => refused.has(oracle));
      const row = `${credentialName} in ${kind}: ${way}`;
      expect([row, lost.length > 0 || !LOSSES.some((loss) => loss.test(row))]).toEqual([row, true]);
      const kept = opened.filter((one) => one.hearsAll && !lost.includes(one));
      const open = (): string[] => lost.filter(({ isClosed }) => !isClosed()).map(({ name }) => name);
      await eventually(async () => {
        clock.advance(SECOND / 10);
        // The server works between the steps of the clock, so that no credential that was kept runs out.
        await api.get('/healthz');
        return open().length === 0;
      }).catch(() => undefined);
      expect(open()).toEqual([]);
      const text = { author_id: place.userId, content: 'Afterwards' };
      const said = await api.post(`${CHANNELS}/${place.channelId}/messages`, text, app.as());
      if (said.status === 201) await eventually(() => kept.every(({ heard }) => heard().includes('Afterwards')));
      expect(lost.filter(({ heard }) => heard().includes('Afterwards')).map(({ name }) => name)).toEqual([]);
      expect(kept.filter(({ isClosed }) => isClosed()).map(({ name }) => name)).toEqual([]);
    } finally {
      answer();
    }
  });
});
