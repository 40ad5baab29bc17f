// An agent does not tell a caller that only names a user what this user told it: over no interface, in no group, and to no caller that writes
// in the user's name without being vouched for.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { DEFAULT_SERVER_ID, idForAgent, newId } from '../../../src/core/ids/index.js';
import { GENERAL_CHANNEL_ID } from '../../../src/modules/messaging/index.js';
import { TurnRunner } from '../../../src/modules/turns/index.js';
import { ApiClient, type ApiResponse } from '../api-client.js';
import { ADA, BOB, createTestApp, type TestApp } from '../create-test-app.js';
import { FakeClock } from '../fake-clock.js';
import { ADMIN, CHANNELS, QUESTION, recallConversations, USER_SECRET } from '../recall-conversations.js';
import { SocketClient } from '../socket-client.js';

type Data = ApiResponse['body'];

/** Says something as a user in a conversation; settles when it is stored. */
type Door = (credential: string | undefined, userId: string, conversation: string, text: string) => Promise<unknown>;

const SPEAKER = `export default { name: 'speaker', routes: [
  { type: 'POST', path: '/say', public: true, handler: async (request, response, runtime) => {
    const { channelId, text, vouched } = request.body;
    response.json(await runtime.sendMessage({ channelId, text, vouched }));
  } },
  { type: 'POST', path: '/remember', public: true, handler: async (request, response, runtime) => {
    response.json({ id: await runtime.memories.create(request.body) });
  } },
] };`;

export function describeRecallAcrossConversations(engine: Engine): void {
  describe(`recall across conversations on ${engine}`, () => {
    const clock = new FakeClock();
    const api = new ApiClient(() => test.url);
    const sockets: SocketClient[] = [];
    let test: TestApp;

    beforeAll(async () => {
      test = await createTestApp({
        engine,
        clock,
        env: { API_KEY: ADMIN, RATE_LIMIT: 'off', USER_TOKEN_SECRET: USER_SECRET },
        plugins: { 'speaker.mjs': SPEAKER },
      });
      test.model.always(() => 'I see.');
    });
    afterEach(() => {
      for (const socket of sockets.splice(0)) socket.close();
    });
    afterAll(() => test.close());

    const { as, sent, key, userToken, session, inSession, inChannel, channel, aSecret, tell, seen, seenInSession } = recallConversations(
      api,
      clock,
      () => test.model,
    );

    it('needs more than a user id: the reported attack', async () => {
      const victim = newId();
      const secret = await tell(victim);
      expect(await seenInSession(undefined, victim)).not.toContain(secret);
      expect(await seenInSession(ADMIN, victim)).toContain(secret);
    });

    describe('depends on the credential', () => {
      const connect = async (credential: string | undefined, entityId: string): Promise<SocketClient> => {
        const socket = await SocketClient.connect(test.url, { auth: { apiKey: credential, entityId } });
        sockets.push(socket);
        return socket;
      };
      const heldBy = new Map<string, Data>();
      const sessionOf = async (credential: string | undefined, userId: string, conversation: string): Promise<Data> => {
        const held = heldBy.get(conversation) ?? (await session(credential, userId));
        heldBy.set(conversation, held);
        return held;
      };
      const first = { metadata: { targetAgentId: ADA.id, isDm: true } };
      const DOORS: Record<string, Door> = {
        'a session, with its token': async (credential, userId, conversation, text) =>
          inSession(await sessionOf(credential, userId, conversation), text),
        'a session, with the credential': async (credential, userId, conversation, text) =>
          inSession(await sessionOf(credential, userId, conversation), text, credential),
        'the channel of a session': async (credential, userId, conversation, text) =>
          inChannel((await sessionOf(credential, userId, conversation)).channelId, userId, text, credential),
        'a socket in a session': async (credential, userId, conversation, text) => {
          const { channelId, token } = await sessionOf(credential, userId, conversation);
          return (await connect(token, userId)).ask('message', { type: 2, payload: { channelId, message: text } });
        },
        'a channel': async (credential, author_id, conversation, content) => {
          const body = { author_id, content, server_id: DEFAULT_SERVER_ID, transport: 'http', ...first };
          return sent(await api.post(`${CHANNELS}/${conversation}/messages`, body, as(credential)));
        },
        'a socket': async (credential, userId, conversation, text) => {
          const payload = { channelId: conversation, serverId: DEFAULT_SERVER_ID, message: text, ...first };
          return (await connect(credential, userId)).ask('message', { type: 2, payload });
        },
        'external-messages': async (credential, userId, channelId, content) => {
          const body = { platform: 'forum', messageId: newId(), channelId, userId, content, agentId: ADA.id };
          return sent(await api.post('/api/messaging/external-messages', body, as(credential)));
        },
        'ingest-external': async (credential, author_id, channel_id, content) => {
          const body = { source_type: 'forum', channel_id, author_id, content, agentId: ADA.id };
          return sent(await api.post('/api/messaging/ingest-external', body, as(credential)));
        },
        complete: async (credential, userId, roomId, prompt) =>
          sent(await api.post('/api/messaging/complete', { agentId: ADA.id, userId, roomId, prompt }, as(credential))),
        jobs: async (credential, userId, _conversation, content) =>
          sent(await api.post('/api/messaging/jobs', { agentId: ADA.id, userId, content }, as(credential))),
        'speech/conversation': async (credential, userId, roomId, text) => {
          const body = JSON.stringify({ userId, roomId, text });
          const headers = { 'content-type': 'application/json', ...as(credential)?.headers };
          const answer = await fetch(`${test.url}/api/audio/${ADA.id}/speech/conversation`, { method: 'POST', headers, body });
          await answer.arrayBuffer();
          expect(answer.status).toBe(200);
        },
      };
      const IN_SESSIONS = Object.keys(DOORS).slice(0, 4);
      const CREDENTIALS: [name: string, of: (victim: string) => Promise<string | undefined> | string | undefined, recalls: boolean][] = [
        ['the administrator', () => ADMIN, true],
        ['a key for all users', () => key({ users: 'all' }), true],
        ['a key for the user', (victim) => key({ users: [victim.toUpperCase()] }), true],
        ['a key for another user', () => key({ users: [newId()] }), false],
        ['a key without users', () => key(), false],
        ["the user's token", (victim) => userToken(victim), true],
        ['nothing', () => undefined, false],
      ];
      const cases = Object.keys(DOORS).flatMap((door) =>
        CREDENTIALS.filter(([name]) => IN_SESSIONS.includes(door) || !/token|nothing/.test(name)).map(
          ([name, of, recalls]) => [door, name, of, recalls] as const,
        ),
      );
      const possible = cases.filter(([door, name]) => name !== 'nothing' || /token|socket/.test(door));

      it.each(possible)('%s, %s', async (doorName, _, of, recalls) => {
        const door = DOORS[doorName] as Door;
        const victim = newId();
        const secret = aSecret();
        const credential = await of(victim);
        // Statements in the user's name, by a caller that is vouched for and by one that is not.
        await seen(() => door(ADMIN, victim, newId(), `My bank safe code is ${secret}`));
        const poison = aSecret();
        await seen(() => door(credential, victim, newId(), `My bank safe code is ${poison}`));
        expect((await seen(() => door(credential, victim, newId(), QUESTION))).includes(secret)).toBe(recalls);
        const told = await seenInSession(ADMIN, victim);
        expect([told.includes(secret), told.includes(poison)]).toEqual([true, recalls]);
      });
    });

    it('is decided when a message is posted, not by the later runner of the turn', async () => {
      const victim = newId();
      const secret = await tell(victim);
      const [open, vouched] = [await session(undefined, victim), await session(ADMIN, victim)];
      clock.advance(10_000);
      // From here on this process takes no turn: the next one has to.
      await test.app.get(TurnRunner).drain(0);
      for (const { sessionId, token } of [open, vouched]) {
        sent(await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: QUESTION }, as(token)));
      }
      await test.restart((model) => model.always(() => 'I see.'));
      await test.model.called(2);
      const told = test.model.requests.map((request) => JSON.stringify(request)).filter((request) => request.includes(QUESTION));
      expect(told).toHaveLength(2);
      expect(told.filter((request) => request.includes(secret))).toHaveLength(1);
    });

    it("is not granted by an administrator's message in an unvouched session", async () => {
      const victim = newId();
      const secret = await tell(victim);
      const open = await session(undefined, victim);
      expect(await seen(() => inSession(open, QUESTION, ADMIN))).not.toContain(secret);
      expect(await seen(() => inSession(open, QUESTION, userToken(victim)))).not.toContain(secret);
    });

    it('keeps statements of an unvouched conversation in it', async () => {
      const open = await session(undefined, newId());
      const secret = aSecret();
      await inSession(open, `My bank safe code is ${secret}`);
      for (let said = 0; said < 20; said += 1) await inSession(open, `Something else, number ${said}`);
      expect(await seen(() => inSession(open, QUESTION))).toContain(secret);
    });

    describe('in a group', () => {
      it('covers only messages that every participant has received [memory.recall]', async () => {
        const [ann, ben] = [newId(), newId()];
        const secret = await tell(ann);
        const shared = aSecret();
        const first = await channel([ann, ben]);
        await inChannel(first, ann, `Our bank safe code is ${shared}`);
        // Ben never says a word.
        const second = await channel([ann, ben]);
        const told = await seen(() => inChannel(second, ann, QUESTION));
        expect([told.includes(secret), told.includes(shared)]).toEqual([false, true]);
        expect(await seenInSession(ADMIN, ann)).toContain(secret);
        expect(await seenInSession(ADMIN, ben)).toContain(shared);
      });

      it('ignores agents as participants', async () => {
        const ann = newId();
        const secret = await tell(ann);
        const withBob = await channel([ann, BOB.id]);
        expect(await seen(() => inChannel(withBob, ann, QUESTION))).toContain(secret);
      });

      it('counts unlisted authors, including later ones', async () => {
        const [ann, ben] = [newId(), newId()];
        const secret = await tell(ann);
        const group = await channel([ann]);
        expect(await seen(() => inChannel(group, ann, QUESTION))).toContain(secret);
        await inChannel(group, ben, 'Hello from Ben');
        expect(await seen(() => inChannel(group, ann, `${QUESTION} Again.`))).not.toContain(secret);
      });

      it('follows the list: a new participant narrows it, a removed one receives nothing more', async () => {
        const [ann, ben] = [newId(), newId()];
        const group = await channel([ann]);
        const people = (participantCentralUserIds: string[], credential = ADMIN): Promise<ApiResponse> =>
          api.patch(`${CHANNELS}/${group}`, { participantCentralUserIds: [ADA.id, ...participantCentralUserIds] }, as(credential));
        sent(await people([ann, ben]));
        await inChannel(group, ben, 'Hello from Ben');
        const secret = await tell(ann);
        expect(await seen(() => inChannel(group, ann, QUESTION))).not.toContain(secret);
        sent(await people([ann]));
        expect(await seen(() => inChannel(group, ann, `${QUESTION} Alone.`))).toContain(secret);
        const later = aSecret();
        await inChannel(group, ann, `My second bank safe code is ${later}`);
        expect(await seenInSession(ADMIN, ben)).not.toContain(later);
        // A user who speaks again without being listed is present again.
        await inChannel(group, ben, 'It is me again');
        expect(await seen(() => inChannel(group, ann, `${QUESTION} In company.`))).not.toContain(secret);
      });

      it('covers the conversation only when no user is listed', async () => {
        const ann = newId();
        const secret = await tell(ann);
        expect(await seen(() => inChannel(GENERAL_CHANNEL_ID, ann, QUESTION))).not.toContain(secret);
        const open = aSecret();
        await inChannel(GENERAL_CHANNEL_ID, ann, `My bank safe code is ${open}`);
        expect(await seenInSession(ADMIN, ann)).toContain(open);
      });

      it('lists authors on another platform', async () => {
        const [ann, ben] = [newId(), newId()];
        const forum = newId();
        const say = (credential: string, author_id: string, content: string): Promise<ApiResponse> =>
          api.post('/api/messaging/ingest-external', { channel_id: forum, author_id, content, agentId: ADA.id }, as(credential));
        const bridge = await key({ users: 'all' });
        const secret = aSecret();
        await seen(() => say(bridge, ben, 'Hello'));
        await seen(() => say(bridge, ann, `My bank safe code is ${secret}`));
        expect(await seenInSession(ADMIN, ben)).toContain(secret);
      });

      it('covers messages since the last participant joined', async () => {
        const [ann, ben, eve] = [newId(), newId(), newId()];
        const [before, after] = [aSecret(), aSecret()];
        const group = await channel([ann]);
        const people = (...ids: string[]): Promise<ApiResponse> =>
          api.patch(`${CHANNELS}/${group}`, { participantCentralUserIds: [ADA.id, ...ids] }, as(ADMIN));
        await inChannel(group, ann, `My bank safe code is ${before}`);
        clock.advance(1000);
        sent(await people(ann, ben));
        await inChannel(group, ann, `My second bank safe code is ${after}`);
        clock.advance(1000);
        const heard = (told: string): boolean[] => [told.includes(before), told.includes(after)];
        expect(heard(await seenInSession(ADMIN, ben))).toEqual([false, true]);
        expect(heard(await seenInSession(ADMIN, ann))).toEqual([true, true]);
        const second = await channel([ann, ben]);
        expect(heard(await seen(() => inChannel(second, ann, QUESTION)))).toEqual([false, true]);
        // The conversation itself shows its participants what was said in it.
        expect(heard(await seen(() => inChannel(group, ben, QUESTION)))).toEqual([true, true]);
        clock.advance(1000);
        sent(await people(ann, ben, eve));
        expect(heard(await seenInSession(ADMIN, eve))).toEqual([false, false]);
        const { body } = await api.post(`/api/memory/${ADA.id}/recall`, { text: QUESTION, userId: ben }, as(ADMIN));
        expect(heard(JSON.stringify(body))).toEqual([false, true]);
      });

      it("keeps users' own messages from before they were listed", async () => {
        const [ann, ben] = [newId(), newId()];
        const secret = aSecret();
        const group = await channel([ann]);
        await inChannel(group, ben, `My bank safe code is ${secret}`);
        clock.advance(1000);
        sent(await api.patch(`${CHANNELS}/${group}`, { participantCentralUserIds: [ADA.id, ann, ben] }, as(ADMIN)));
        expect(await seenInSession(ADMIN, ben)).toContain(secret);
      });
    });

    describe('is not widened', () => {
      it('by a caller that lists users it does not vouch for', async () => {
        const [victim, thief] = [newId(), newId()];
        const secret = aSecret();
        const held = await session(ADMIN, victim);
        await inSession(held, `My bank safe code is ${secret}`);
        for (const grant of [{}, { users: [thief] }]) {
          const credential = await key(grant);
          const body = { participantCentralUserIds: [ADA.id, victim, thief] };
          sent(await api.patch(`${CHANNELS}/${held.channelId}`, body, as(credential)));
          expect(await seenInSession(userToken(thief), thief)).not.toContain(secret);
        }
      });

      it('by a caller that unlists users it does not vouch for', async () => {
        const [ann, ben] = [newId(), newId()];
        const secret = await tell(ann);
        const group = await channel([ann, ben]);
        sent(await api.patch(`${CHANNELS}/${group}`, { participantCentralUserIds: [ADA.id, ann] }, as(await key({ users: [ann] }))));
        expect(await seen(() => inChannel(group, ann, QUESTION))).not.toContain(secret);
        // A caller who vouches for all of them puts it right.
        sent(await api.patch(`${CHANNELS}/${group}`, { participantCentralUserIds: [ADA.id, ann] }, as(ADMIN)));
        expect(await seen(() => inChannel(group, ann, `${QUESTION} Again.`))).toContain(secret);
      });

      it("by a caller that writes in another user's conversation", async () => {
        const [victim, thief] = [newId(), newId()];
        const held = await session(ADMIN, victim);
        const secret = aSecret();
        await inSession(held, `My bank safe code is ${secret}`);
        await inChannel(held.channelId, thief, 'Hello', await key({ users: [thief] }));
        expect(await seenInSession(userToken(thief), thief)).not.toContain(secret);
      });

      it("by a caller that adds a user to an agent's room", async () => {
        const [victim, thief] = [newId(), newId()];
        const secret = aSecret();
        const held = await session(ADMIN, victim);
        await inSession(held, `My bank safe code is ${secret}`);
        const fact = aSecret();
        const roomId = newId();
        const room = (credential: string, entityId: string, id: string): Promise<ApiResponse> =>
          api.post(`/api/agents/${ADA.id}/rooms`, { name: 'a room', roomId: id, entityId }, as(credential));
        sent(await room(ADMIN, victim, roomId));
        const memory = { roomId, entityId: victim, content: { text: `The bank safe code is ${fact}` } };
        expect((await api.post(`/remember?agentId=${ADA.id}`, memory)).status).toBe(200);
        for (const id of [roomId, idForAgent(ADA.id, held.channelId)]) {
          for (const grant of [{}, { users: [thief] }]) sent(await room(await key(grant), thief, id));
        }
        const stolen = await seenInSession(userToken(thief), thief);
        expect([stolen.includes(secret), stolen.includes(fact)]).toEqual([false, false]);
        const own = await seenInSession(userToken(victim), victim);
        expect([own.includes(secret), own.includes(fact)]).toEqual([true, true]);
      });

      it("by a caller that creates a user's direct channel before the user does", async () => {
        const victim = newId();
        const secret = await tell(victim);
        const path = `/api/messaging/dm-channel?currentUserId=${victim}&targetUserId=${ADA.id}`;
        const { id } = sent(await api.get(path, as(await key())));
        expect(await seen(() => inChannel(id, victim, QUESTION))).not.toContain(secret);
        expect(sent(await api.get(path, as(ADMIN))).id).toBe(id);
        expect(await seen(() => inChannel(id, victim, `${QUESTION} Again.`))).toContain(secret);
      });
    });

    describe('does not accept statements', () => {
      it("from a caller that rewrites a user's message", async () => {
        const victim = newId();
        const held = await session(ADMIN, victim);
        const [fromMessage, fromMemory] = [aSecret(), aSecret()];
        const { userMessage } = await inSession(held, 'My bank safe code is a secret');
        const other = await inSession(held, 'My bank safe code is still a secret');
        const unvouched = await key();
        // Long enough for what is kept of it for searches not to be looked at again.
        await seenInSession(ADMIN, victim);
        clock.advance(120_000);
        await seenInSession(ADMIN, newId());
        clock.advance(120_000);
        const rewrite = (path: string, body: object): Promise<ApiResponse> => api.patch(path, body, as(unvouched));
        sent(await rewrite(`/api/messaging/messages/${userMessage.id}`, { content: `My bank safe code is ${fromMessage}` }));
        expect(await seenInSession(ADMIN, victim)).not.toContain(fromMessage);
        const memoryId = idForAgent(ADA.id, `${other.userMessage.id}-${ADA.id}`);
        const content = { text: `My bank safe code is ${fromMemory}` };
        sent(await rewrite(`/api/memory/${ADA.id}/memories/${memoryId}`, { content }));
        const told = await seenInSession(ADMIN, victim);
        expect([told.includes(fromMessage), told.includes(fromMemory)]).toEqual([false, false]);
      });

      it('from a plugin that declares its message unvouched', async () => {
        const victim = newId();
        const roomId = newId();
        sent(await api.post(`/api/agents/${ADA.id}/rooms`, { name: 'a room', roomId, entityId: victim }, as(ADMIN)));
        const [said, doubted] = [aSecret(), aSecret()];
        for (const [secret, vouched] of [
          [said, undefined],
          [doubted, false],
        ] as const) {
          const memory = { roomId, entityId: victim, vouched, content: { text: `The bank safe code is ${secret}` } };
          expect((await api.post(`/remember?agentId=${ADA.id}`, memory)).status).toBe(200);
        }
        const told = await seenInSession(ADMIN, victim);
        expect([told.includes(said), told.includes(doubted)]).toEqual([true, false]);
      });
    });
  });
}
