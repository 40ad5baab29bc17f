// An id that can be computed before there is anything with it: a key that is limited to one agent puts something of its own there first.
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID, idForAgent, idFromText, newId } from '../../src/core/ids/index.js';
import { GENERAL_CHANNEL_ID } from '../../src/modules/messaging/index.js';
import { wavFile } from '../../src/providers/speech/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { Gate } from '../support/scripted-model.js';
import { scriptedSpeech } from '../support/scripted-speech-app.js';
import { guardedApp, OTHER, USER } from './support/guarded-app.js';

const FORBIDDEN = [403, 'FORBIDDEN'];
const SECRET = 'My PIN is 4711';
const GUILD = newId();

const app = guardedApp();
const speech = scriptedSpeech(() => app.test);
const { api } = app;
let key: string;
beforeAll(async () => {
  key = await app.key({ scope: 'admin', agents: [ADA.id] });
});

type Json = ReturnType<typeof JSON.parse>;
const CHANNELS = '/api/messaging/channels';
const post = async (path: string, body: object, token?: string, headers: Record<string, string> = {}): Promise<Json> =>
  app.data(await api.post(path, body, { headers: { ...app.as(token).headers, ...headers } }));
const get = async (path: string, token?: string): Promise<Json> => app.data(await api.get(path, app.as(token)));
const channelOf = async (messageId: string): Promise<string> => (await get(`/api/messaging/messages/${messageId}`)).channelId;
const dm = (one: string, other: string): string => `/api/messaging/dm-channel?currentUserId=${one}&targetUserId=${other}`;

/** A channel with the limited key's own agent under an id of the attacker's choice. */
const occupy = (channelId: string, metadata: object = {}, source = 'eliza_gui'): Promise<Json> =>
  post(
    `${CHANNELS}/${channelId}/messages`,
    {
      author_id: OTHER,
      content: 'Mine',
      source_type: source,
      message_server_id: DEFAULT_SERVER_ID,
      metadata: { ...metadata, targetAgentId: ADA.id },
    },
    key,
  );

async function talk(agentId: string, body: object, token?: string): Promise<{ status: number; channelId: string; entityId: string }> {
  speech.synthesizer.always();
  const response = await fetch(`${app.test.url}/api/audio/${agentId}/speech/conversation`, {
    method: 'POST',
    headers: { ...app.as(token).headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return {
    status: response.status,
    channelId: response.headers.get('x-channel-id') ?? '',
    entityId: response.headers.get('x-entity-id') ?? '',
  };
}

/** A resource's formerly predictable id, and how its rightful owner reaches the resource: each returns the channel. */
const DERIVED: [what: string, occupied: string, channelType: string, comes: () => Promise<string>][] = [
  [
    'the direct channel of two users',
    idFromText(`direct:${DEFAULT_SERVER_ID}:${USER}:33333333-3333-3333-3333-333333333333`),
    'DM',
    async () => {
      const { id } = await get(dm(USER, '33333333-3333-3333-3333-333333333333'));
      await post(`${CHANNELS}/${id}/messages`, { author_id: USER, content: SECRET });
      return id;
    },
  ],
  [
    'a channel of another platform',
    idFromText('discord:channel:c1'),
    'GROUP',
    async () => {
      const messages = [{ id: newId(), authorId: 'u2', content: SECRET }];
      return channelOf((await post('/api/messaging/ingest-external', { platform: 'discord', channelId: 'c1', messages })).messageId);
    },
  ],
  [
    'a channel of another platform with an agent',
    idFromText('telegram:channel:room 7'),
    'GROUP',
    async () => {
      const body = { agentId: BOB.id, roomId: 'room 7', userId: 'ann', text: SECRET, sourceType: 'telegram' };
      return channelOf((await post('/api/messaging/ingest-external', body)).messageId);
    },
  ],
  [
    'a channel of another platform that is asked in',
    idFromText('sms:channel:+49'),
    'GROUP',
    async () => {
      const body = { platform: 'sms', messageId: newId(), channelId: '+49', userId: '+49', content: SECRET, agentId: BOB.id };
      return channelOf((await post('/api/messaging/external-messages', body)).messageId);
    },
  ],
  [
    'a spoken conversation',
    idForAgent(BOB.id, 'kitchen'),
    'VOICE_DM',
    async () => (await talk(BOB.id, { text: SECRET, roomId: 'kitchen', entityId: 'ann' })).channelId,
  ],
];

describe('an occupied predictable channel id', () => {
  beforeAll(() => {
    app.test.model.always(() => 'Noted.');
  });

  it.each(DERIVED)('gives its owner another id: %s', async (_what, occupied, channelType, comes) => {
    await occupy(occupied, { channelType }, 'discord');
    const channelId = await comes();
    expect(channelId).not.toBe(occupied);
    expect(await comes()).toBe(channelId);
    const heard = (await get(`${CHANNELS}/${channelId}/messages`)).messages as { content: string }[];
    expect(heard.map(({ content }) => content)).toContain(SECRET);
    expect(await app.outcome(api.get(`${CHANNELS}/${channelId}/messages`, app.as(key)))).toEqual(FORBIDDEN);
    const seen = (await get(`${CHANNELS}/${occupied}/messages`, key)).messages as { content: string }[];
    expect(seen.map(({ content }) => content)).not.toContain(SECRET);
  });

  it('leaves a mirrored server its own channel', async () => {
    const { id: server } = await post('/api/messaging/message-servers', { name: 'Guild', sourceType: 'discord', sourceId: GUILD });
    await occupy(idFromText(`synced:${server}:7`));
    const sync = (): Promise<Json> =>
      post(`/api/messaging/message-servers/${server}/sync-channels`, { channels: [{ sourceId: '7', name: 'news' }] });
    await sync();
    await sync();
    const channels = (await get(`/api/messaging/message-servers/${server}/channels`)) as { id: string; name: string }[];
    expect(channels.map(({ name }) => name)).toEqual(['news']);
    expect(channels[0]?.id).not.toBe(idFromText(`synced:${server}:7`));
  });

  it("leaves a question without a channel its asker's direct channel", async () => {
    const person = idFromText('ann');
    const [user1 = '', user2 = ''] = [person, BOB.id].sort();
    await occupy(idFromText(`direct:${DEFAULT_SERVER_ID}:${user1}:${user2}`), { isDm: true });
    const ask = { agentId: BOB.id, userId: 'ann', prompt: SECRET };
    expect((await post('/api/messaging/complete', ask)).response).toBe('Noted.');
    expect(JSON.stringify(app.test.model.requests.at(-1)?.messages)).not.toContain('Mine');
  });

  it('is not used by a request with an Idempotency-Key', async () => {
    const [idempotencyKey, body] = [newId(), { name: 'Board', participantCentralUserIds: [BOB.id, USER] }];
    const attempt = createHash('sha256')
      .update(JSON.stringify(['administrator', CHANNELS, idempotencyKey]))
      .digest('hex');
    await occupy(idFromText(attempt));
    const created = await post(CHANNELS, body, undefined, { 'idempotency-key': idempotencyKey });
    expect(created).toMatchObject({ name: 'Board' });
    expect(created.id).not.toBe(idFromText(attempt));
  });

  it('is not that of the channel which every agent joins, once that was deleted', async () => {
    expect((await api.delete(`${CHANNELS}/${GENERAL_CHANNEL_ID}`, app.as())).status).toBe(204);
    const answer = api.post(
      `${CHANNELS}/${GENERAL_CHANNEL_ID}/messages`,
      { author_id: OTHER, content: 'Mine', message_server_id: DEFAULT_SERVER_ID },
      app.as(key),
    );
    expect(await app.outcome(answer)).toEqual([404, 'CHANNEL_NOT_FOUND']);
  });
});

describe('a former channel of its owner, since changed', () => {
  it('stays with its participants: two users who wrote alone get a new channel [channels.direct]', async () => {
    const [one, other] = [newId(), newId()];
    const first = (await get(dm(one, other))).id;
    await api.patch(`${CHANNELS}/${first}`, { participantCentralUserIds: [one, other, OTHER] }, app.as());
    const second = (await get(dm(other, one))).id;
    expect(second).not.toBe(first);
    expect((await get(dm(one, other))).id).toBe(second);
    expect(await get(`${CHANNELS}/${second}/participants`)).toEqual(expect.arrayContaining([one, other]));
    // Former participants know the id of the deleted channel.
    expect((await api.delete(`${CHANNELS}/${first}`, app.as())).status).toBe(204);
    expect((await get(dm(one, other))).id).toBe(second);
    await occupy(first, { isDm: true });
    expect((await api.delete(`${CHANNELS}/${second}`, app.as())).status).toBe(204);
    await occupy(second, { isDm: true });
    const third = (await get(dm(one, other))).id;
    expect([first, second]).not.toContain(third);
    expect(await app.outcome(api.get(`${CHANNELS}/${third}/messages`, app.as(key)))).toEqual(FORBIDDEN);
  });

  it('is not found under a platform’s id on another server than the one that is named [external.ids]', async () => {
    const { id: server } = await post('/api/messaging/message-servers', { name: 'Elsewhere' });
    const message = { roomId: 'lobby', userId: 'ann', text: 'Hi', sourceType: 'irc' };
    const ingest = async (body: object): Promise<string> =>
      channelOf((await post('/api/messaging/ingest-external', { ...message, ...body })).messageId);
    const here = await ingest({});
    const there = await ingest({ message_server_id: server });
    expect(there).not.toBe(here);
    expect([await ingest({ message_server_id: server }), await ingest({})]).toEqual([there, here]);
    const wrong = api.post('/api/messaging/ingest-external', { ...message, roomId: here, message_server_id: server }, app.as());
    expect(await app.outcome(wrong)).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe("another agent's future room and world", () => {
  it('can be taken, which neither reveals, redirects nor loses them [rooms.existing]', async () => {
    const { id: serverId } = await post('/api/messaging/message-servers', { name: 'New' });
    const { id: channelId } = await post(CHANNELS, { name: 'a channel', serverId, participantCentralUserIds: [BOB.id, USER] });
    const [roomId, worldId] = [idForAgent(BOB.id, channelId), idForAgent(BOB.id, serverId)];
    const mine = `/api/agents/${ADA.id}/rooms`;
    const his = `/api/agents/${BOB.id}/rooms`;
    await post(mine, { name: 'Taken', roomId, worldId, entityId: OTHER }, key);
    const hisKey = await app.key({ scope: 'admin', agents: [BOB.id] });
    expect((await get(`${his}?worldId=${worldId}`, hisKey)).rooms).toEqual([]);

    await post(`${CHANNELS}/${channelId}/messages`, { author_id: USER, content: SECRET, transport: 'http' });
    expect(await get(`${his}/${roomId}`, hisKey)).toMatchObject({
      agentId: BOB.id,
      channelId,
      worldId,
      worldName: expect.stringContaining('Message server'),
    });
    expect(JSON.stringify(await get(`${his}/${roomId}/memories`, hisKey))).toContain(SECRET);
    expect(JSON.stringify((await get(`${his}/${roomId}`)).entities)).not.toContain(OTHER);

    expect(await get(`${mine}/${roomId}`, key)).toMatchObject({
      agentId: ADA.id,
      name: 'Taken',
      channelId: null,
      worldName: 'World for Taken',
    });
    expect((await get(`${mine}/${roomId}/memories`, key)).memories).toEqual([]);
    await api.patch(`${mine}/${roomId}`, { name: 'Steered' }, app.as(key));
    await api.patch(`/api/agents/${ADA.id}/worlds/${worldId}`, { name: 'Steered' }, app.as(key));
    expect((await api.delete(`/api/memory/${ADA.id}/memories/all/${roomId}`, app.as(key))).status).toBe(200);
    expect((await api.delete(`${mine}/${roomId}`, app.as(key))).status).toBe(204);
    const kept = await get(`${his}/${roomId}`, hisKey);
    expect([kept.name, kept.worldName].join()).not.toContain('Steered');
    expect((await get(`${his}/${roomId}/memories`, hisKey)).memories).toHaveLength(2);
    expect((await api.patch(`/api/agents/${BOB.id}/worlds/${worldId}`, { name: 'His' }, app.as(hisKey))).status).toBe(200);

    // The channel takes its own agent's room along, and nothing else.
    await post(mine, { name: 'Taken again', roomId }, key);
    expect((await api.delete(`${CHANNELS}/${channelId}`, app.as())).status).toBe(204);
    expect((await api.get(`${his}/${roomId}`, app.as(hisKey))).status).toBe(404);
    expect((await get(`${mine}/${roomId}`, key)).name).toBe('Taken again');
  });

  it('can be taken before the agent exists, which is created all the same', async () => {
    const id = newId();
    for (const future of [id, idFromText('Zoe')]) {
      await post(`/api/agents/${ADA.id}/rooms`, { name: 'Taken', roomId: future, worldId: future }, key);
    }
    for (const character of [
      { name: 'Zoe', bio: 'x' },
      { id, name: 'Yves', bio: 'x' },
    ]) {
      const agent = await post('/api/agents', { characterJson: character });
      const { rooms } = await get(`/api/agents/${agent.id}/rooms`);
      expect(rooms).toMatchObject([{ id: agent.id, type: 'SELF', worldId: agent.id }]);
      expect((await get(`/api/agents/${agent.id}/rooms/${agent.id}`)).worldName).toBe(`${character.name}'s World`);
    }
  });

  it('belong to a single agent when the id is not derived from a name', async () => {
    const roomId = newId();
    await post(`/api/agents/${ADA.id}/rooms`, { name: 'Hers', roomId }, key);
    expect(await app.outcome(api.post(`/api/agents/${BOB.id}/rooms`, { name: 'His', roomId }, app.as()))).toEqual([409, 'ROOM_EXISTS']);
  });
});

describe('the id of a pending reply', () => {
  it('is refused in a submitted message, and the reply follows [submit.owed-id]', async () => {
    const gate = new Gate();
    app.test.model.deltas(['Here it is.'], { gate });
    const channelId = await app.channel(ADA.id, USER);
    const question = await post(`${CHANNELS}/${channelId}/messages`, { author_id: USER, content: 'Where?' });
    const answerId = idForAgent(ADA.id, `reply:${question.id}`);
    const elsewhere = await app.channel(ADA.id, OTHER);
    const submit = { channel_id: elsewhere, author_id: ADA.id, content: 'Mine', messageId: answerId.toUpperCase() };
    expect(await app.outcome(api.post('/api/messaging/submit', submit, app.as(key)))).toEqual([409, 'MESSAGE_EXISTS']);
    gate.open();
    await app.test.model.called(app.test.model.requests.length);
    const events = await fetch(`${app.test.url}${CHANNELS}/${channelId}/messages/${question.id}/events`, app.as());
    await events.text();
    expect(await get(`/api/messaging/messages/${answerId}`)).toMatchObject({ channelId, content: 'Here it is.', authorId: ADA.id });
  });
});

describe('an author', () => {
  const form = (fields: Record<string, string>): FormData => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    data.append('file', new Blob([Uint8Array.from(wavFile([{ samples: new Int16Array(1600), sampleRate: 16_000 }]))]), 'a.wav');
    return data;
  };

  it('is never an agent because of its name', async () => {
    app.test.model.always(() => 'Noted.');
    const { status, entityId, channelId } = await talk(ADA.id, { text: 'It is me, Bob.', entityId: 'Bob' }, key);
    expect([status, entityId === BOB.id]).toEqual([200, false]);
    expect(await talk(ADA.id, { text: 'Me again.', entityId: 'Bob' }, key)).toMatchObject({ status: 200, entityId });
    expect(await get(`${CHANNELS}/${channelId}/agents`)).toMatchObject({ agents: [ADA.id] });
    const told = await post('/api/messaging/ingest-external', { roomId: 'r', userId: 'Bob', text: 'Bob here.', sourceType: 'irc' });
    expect((await get(`/api/messaging/messages/${told.messageId}`)).authorId).not.toBe(BOB.id);
  });

  it.each([
    ['speech/conversation', 'userId'],
    ['speech/conversation', 'entityId'],
    ['audio-messages', 'entityId'],
    ['transcriptions', 'userId'],
  ])('is not another agent by its id in a form (%s, %s)', async (operation, field) => {
    speech.transcriber.always('It is me.');
    const answer = api.post(`/api/audio/${ADA.id}/${operation}`, form({ [field]: BOB.id.toUpperCase() }), app.as(key));
    expect(await app.outcome(answer)).toEqual(FORBIDDEN);
  });

  it.each(['Bob', ' bob ', 'ＢＯＢ', 'B\u006fb'])('is not another agent by its name: %j', async (name) => {
    const { id } = await post('/api/agents', { characterJson: { name: `Impostor ${newId()}`, bio: 'x' } });
    const limited = await app.key({ scope: 'admin', agents: [id] });
    expect(await app.outcome(api.patch(`/api/agents/${id}`, { name }, app.as(limited)))).toEqual([409, 'CONFLICT']);
    expect(await app.outcome(api.post('/api/agents', { characterJson: { id: newId(), name, bio: 'x' } }, app.as()))).toEqual([
      409,
      'CONFLICT',
    ]);
  });

  it("keeps its own name in other spellings, and does not take an earlier agent's", async () => {
    const { id } = await post('/api/agents', { characterJson: { name: 'Vera', bio: 'x' } });
    expect((await api.patch(`/api/agents/${id}`, { name: 'VERA' }, app.as())).status).toBe(200);
    expect((await api.patch(`/api/agents/${id}`, { name: 'Wanda' }, app.as())).status).toBe(200);
    expect(await app.outcome(api.patch(`/api/agents/${ADA.id}`, { name: 'Vera' }, app.as(key)))).toEqual([409, 'CONFLICT']);
  });
});
