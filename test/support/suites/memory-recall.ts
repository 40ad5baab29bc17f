import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Engine, Statement } from '../../../src/core/database/index.js';
import { AppError } from '../../../src/core/errors/index.js';
import { DEFAULT_SERVER_ID, idForAgent, newId } from '../../../src/core/ids/index.js';
import { append } from '../../../src/core/journal/index.js';
import { recentLines } from '../../../src/core/logging/index.js';
import {
  AgentMemory,
  roomAudiences,
  ConversationMemory,
  Recall,
  type MessageToRemember,
  type RecalledMemory,
  type RecallResult,
  type RecallOptions,
} from '../../../src/modules/memory/index.js';
import { VectorsRepository } from '../../../src/modules/memory/repositories/vectors.repository.js';
import { FakeEmbedding } from '../fake-embedding.js';
import { ADA, BOB, createMemoryApp, eventually, isIndexing, type MemoryApp } from '../memory-app.js';

const ANN = { authorId: newId(), authorKind: 'user', authorName: 'Ann' } as const;
const BEN = { authorId: newId(), authorKind: 'user', authorName: null } as const;
const ADA_SPEAKS = { authorId: ADA.id, authorKind: 'agent', authorName: 'Ada' } as const;
const BOB_SPEAKS = { authorId: BOB.id, authorKind: 'agent', authorName: 'Bob' } as const;

const aChannel = (): { id: string; serverId: string; name: string; channelType: string } => ({
  id: newId(),
  serverId: DEFAULT_SERVER_ID,
  name: 'Chat',
  channelType: 'DM',
});
type Channel = ReturnType<typeof aChannel>;

function message(
  seq: number,
  content: string,
  author: Pick<MessageToRemember, 'authorId' | 'authorKind' | 'authorName'> & { readonly vouched?: boolean } = ANN,
): MessageToRemember {
  return { id: newId(), seq, content, metadata: {}, createdAt: 1_000_000 + seq, inReplyTo: null, vouched: true, ...author };
}

/** What an agent records of a conversation and finds in it again. */
export function describeRecall(engine: Engine): void {
  let test: MemoryApp;
  const conversation = (): ConversationMemory => test.app.get(ConversationMemory, { strict: false });
  const record = async (channel: Channel, ...messages: MessageToRemember[]): Promise<void> => {
    const turn = {
      messageId: newId(),
      channelId: channel.id,
      serverId: channel.serverId,
      agentId: ADA.id,
      agentName: ADA.name,
      replyId: newId(),
      attempt: 1,
    };
    await test
      .unitOfWork()
      .commit([...conversation().record(ADA, channel, messages), append('turn.started', channel.id, turn, test.clock.now())]);
  };
  const recalled = async (channel: Channel, limit = 10): Promise<string[]> =>
    (await conversation().conversation(ADA.id, channel.id, limit)).messages.map(({ text }) => text);
  const count = async (table: string, where = '1 = 1'): Promise<number> => {
    const [row] = await test.rows<{ n: number | string }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`);
    return Number(row?.n);
  };

  describe(`conversation memory on ${engine}`, () => {
    beforeAll(async () => {
      test = await createMemoryApp(engine);
    });
    afterAll(() => test.close());

    it('has nothing of a channel in which nothing was recorded', async () => {
      expect(await conversation().conversation(ADA.id, newId(), 10)).toEqual({ messages: [], rememberedSeq: 0, participants: [] });
      expect(conversation().record(ADA, aChannel(), [])).toEqual([]);
    });

    it('gives the newest records, the oldest of them first', async () => {
      const channel = aChannel();
      const first = message(1, 'Hello');
      await record(channel, first, message(4, 'Hi', ADA_SPEAKS), message(7, 'Ahem', BOB_SPEAKS));
      const { messages, rememberedSeq } = await conversation().conversation(ADA.id, channel.id, 10);
      expect(rememberedSeq).toBe(7);
      expect(messages[0]).toEqual({
        ...{ memoryId: idForAgent(ADA.id, `${first.id}-${ADA.id}`), messageId: first.id, role: 'user', authorId: ANN.authorId },
        ...{ authorName: 'Ann', text: 'Hello', at: first.createdAt, seq: 1 },
      });
      expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual(['user: Hello', 'agent: Hi', 'user: Ahem']);
      expect(await recalled(channel, 2)).toEqual(['Hi', 'Ahem']);
    });

    it('puts a reply behind the message whose position it shares', async () => {
      const channel = aChannel();
      const at = { createdAt: 5000 };
      await record(
        channel,
        { ...message(1, 'reply', ADA_SPEAKS), ...at },
        { ...message(1, 'question'), ...at },
        { ...message(2, 'next'), ...at },
      );
      expect(await recalled(channel)).toEqual(['question', 'reply', 'next']);
    });

    it('records a message once, and never moves its mark back', async () => {
      const channel = aChannel();
      const messages = [message(1, 'one'), message(2, 'two')];
      await record(channel, ...messages);
      await record(channel, ...messages.slice(0, 1).map((each) => ({ ...each, content: 'changed' })));
      expect(await conversation().conversation(ADA.id, channel.id, 10)).toMatchObject({
        rememberedSeq: 2,
        messages: [{ text: 'one' }, { text: 'two' }],
      });
    });

    it('creates the room, its world and its people as they are met', async () => {
      const channel = { ...aChannel(), name: 'x'.repeat(255), channelType: 'GROUP' };
      await record(channel, message(1, 'one'), message(2, 'two', BEN));
      const roomId = idForAgent(ADA.id, channel.id);
      expect(await test.rows(`SELECT agent_id, world_id, channel_id, type FROM rooms WHERE id = '${roomId}'`)).toEqual([
        { agent_id: ADA.id, world_id: idForAgent(ADA.id, DEFAULT_SERVER_ID), channel_id: channel.id, type: 'GROUP' },
      ]);
      expect(await count('worlds', `id = '${idForAgent(ADA.id, DEFAULT_SERVER_ID)}'`)).toBe(1);
      const people = await test.rows<{ names: string }>(
        `SELECT e.names FROM participants p JOIN entities e ON e.id = p.entity_id AND e.agent_id = p.agent_id WHERE p.room_id = '${roomId}'`,
      );
      expect(people.map(({ names }) => names).sort()).toEqual(['["Ada"]', '["Ann"]', `["User-${BEN.authorId.slice(0, 8)}"]`]);
    });

    it('keeps what goes with a message where others look for it', async () => {
      const channel = aChannel();
      const question = message(1, 'look', ANN);
      const attachments = [{ url: '/a.png' }];
      await record(channel, { ...question, metadata: { attachments } }, { ...message(2, 'nice', ADA_SPEAKS), inReplyTo: question.id });
      const rows = await test.rows<{ content: string }>(
        `SELECT content FROM memories WHERE room_id = '${idForAgent(ADA.id, channel.id)}' ORDER BY seq`,
      );
      expect(rows.map(({ content }) => JSON.parse(content))).toEqual([
        { text: 'look', source: 'client_chat', channelType: 'DM', attachments },
        { text: 'nice', source: 'client_chat', channelType: 'DM', inReplyTo: idForAgent(ADA.id, `${question.id}-${ADA.id}`) },
      ]);
    });

    it('writes least for a room that was read, and everything after a unit that failed', async () => {
      const channel = aChannel();
      const failing: Statement = {
        sql: 'UPDATE rooms SET name = name WHERE id = ?',
        params: [''],
        refuse: () => new AppError('CONFLICT', 'no'),
      };
      const statements = conversation().record(ADA, channel, [message(1, 'lost')]);
      await expect(test.unitOfWork().commit([...statements, failing])).rejects.toMatchObject({ code: 'CONFLICT' });
      expect(await conversation().conversation(ADA.id, channel.id, 10)).toEqual({ messages: [], rememberedSeq: 0, participants: [] });

      await record(channel, message(1, 'one'), message(1, 'answer', ADA_SPEAKS));
      await recalled(channel);
      expect(conversation().record(ADA, channel, [message(2, 'two'), message(2, 'answer', ADA_SPEAKS)])).toHaveLength(2);
      expect(conversation().record(ADA, channel, [message(2, 'two', BEN)])).toHaveLength(4);
      const unvouched = { ...BEN, vouched: false };
      await record(channel, message(2, 'two', unvouched), message(3, 'three', unvouched), message(4, 'four', unvouched));
      expect(await recalled(channel)).toEqual(['one', 'answer', 'two', 'three', 'four']);
      expect(conversation().record(ADA, channel, [message(5, 'five', unvouched)])).toHaveLength(2);
      expect(conversation().record(ADA, channel, [message(5, 'five', BEN)])).toHaveLength(4);
      await test.unitOfWork().commit([{ sql: 'DELETE FROM rooms WHERE channel_id = ?', params: [channel.id] }]);
      await recalled(channel);
      await record(channel, message(3, 'three'));
      expect(await recalled(channel)).toContain('three');
      expect(await count('participants', `room_id = '${idForAgent(ADA.id, channel.id)}'`)).toBe(2);
    });

    it('keeps the records of two agents apart', async () => {
      const channel = aChannel();
      await record(channel, message(1, 'for Ada'));
      expect(await conversation().conversation(BOB.id, channel.id, 10)).toEqual({ messages: [], rememberedSeq: 0, participants: [] });
    });
  });

  describe(`recall on ${engine}`, () => {
    let model: FakeEmbedding;
    let room: Channel;
    const relevant = (query: string, options: Partial<RecallOptions> = {}, agentId = ADA.id): Promise<readonly RecalledMemory[]> =>
      test.app.get(Recall, { strict: false }).relevant(agentId, query, { limit: 5, budgetMs: 1000, ...options });
    const search = (query: string, options: Partial<RecallOptions> = {}): Promise<RecallResult> =>
      test.app.get(Recall, { strict: false }).search(ADA.id, query, { limit: 5, budgetMs: 1000, ...options });
    /** Begins a search whose vectors do not come, and waits until the words were found. */
    const searchHeld = async (query: string, options: Partial<RecallOptions> = {}): Promise<{ answer: Promise<RecallResult> }> => {
      const asked = model.calls.length;
      const fetching = jest.spyOn(test.app.get(VectorsRepository, { strict: false }), 'fetch');
      const answer = search(query, options);
      await eventually(() => model.calls.length > asked && fetching.mock.results.length > 0);
      await fetching.mock.results[0]?.value;
      fetching.mockRestore();
      await new Promise((resolve) => setImmediate(resolve));
      return { answer };
    };
    /** What may be told before these people. */
    const heardBy = (...people: string[]): Pick<RecallOptions, 'audiences'> => ({
      audiences: async () => new Set((await conversation().roomsSharedBy(ADA.id, people)).map(({ id }) => id)),
    });
    const texts = async (query: string, options: Partial<RecallOptions> = {}): Promise<string[]> =>
      (await relevant(query, options)).map(({ text }) => text);
    const vectors = (): Promise<number> => count('memory_embeddings');
    /** Lets the server be quiet until nothing waits for a vector any more, and the index in memory has them all. */
    const embedAll = (): Promise<void> =>
      eventually(async () => {
        test.clock.advance(500);
        return (await count('memories', 'embedded_by IS NULL')) === 0 && !isIndexing(test);
      });
    const remembered = (text: string): Promise<string> =>
      test.app.get(AgentMemory, { strict: false }).create(ADA.id, { type: 'facts', content: { text }, metadata: {} });
    const idOf = (each: MessageToRemember): string => idForAgent(ADA.id, `${each.id}-${ADA.id}`);
    const edit = (each: MessageToRemember, content: string): Promise<unknown> =>
      test.api.patch(`/api/memory/${ADA.id}/memories/${idOf(each)}`, { content });

    beforeEach(async () => {
      model = new FakeEmbedding();
      test = await createMemoryApp(engine, model);
      room = aChannel();
    });
    afterEach(() => test.close());

    it('finds by meaning what was said, the nearest first, with who said it and when', async () => {
      const dog = message(1, 'my dog is called Rex');
      await record(room, dog, message(2, 'my dog likes chicken'), message(3, 'it rains in Paris', ADA_SPEAKS));
      await embedAll();
      const found = await relevant('my dog is called');
      expect(found.map(({ text }) => text)).toEqual(['my dog is called Rex', 'my dog likes chicken']);
      expect(found[0]).toEqual({
        ...{ memoryId: idOf(dog), roomId: idForAgent(ADA.id, room.id), authorId: ANN.authorId, authorName: 'Ann' },
        ...{ text: dog.content, at: dog.createdAt, similarity: expect.any(Number) },
      });
      expect(found[0]?.similarity).toBeGreaterThan(found[1]?.similarity ?? 1);
      expect(await texts('my dog is called', { limit: 1 })).toEqual([dog.content]);
      expect(await texts('my dog is called', { minSimilarity: 0.99 })).toEqual([]);
      expect(await relevant('my dog is called', {}, BOB.id)).toEqual([]);
    });

    it('finds what was said after the first search', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      expect(await texts('cat')).toEqual([]);
      await record(room, message(2, 'the cat is called Tom'));
      await embedAll();
      // The database may show the vector a moment before whoever wrote it receives that it is there.
      await eventually(async () => (await texts('cat')).length > 0);
      expect(await texts('cat')).toEqual(['the cat is called Tom']);
    });

    it.each([
      ['by meaning', true],
      ['by words', false],
    ])('tells one user nothing of the conversations of another (%s)', async (_, warm) => {
      const theirs = aChannel();
      await record(room, message(1, 'my password is swordfish'));
      await record(theirs, message(1, 'my password is tuna', BEN));
      await test.unitOfWork().commit([
        {
          sql: `INSERT INTO memories (id, agent_id, room_id, entity_id, type, content, metadata, is_unique, created_at)
            VALUES (?, ?, ?, ?, 'documents', ?, '{}', ?, ?)`,
          params: [newId(), ADA.id, newId(), ADA.id, JSON.stringify({ text: 'a password is never shown' }), true, 1],
        },
      ]);
      if (warm) await embedAll();
      model.warm = warm;
      const told = (...people: string[]): Promise<string[]> => texts('password', heardBy(...people));
      expect(new Set(await told(ANN.authorId))).toEqual(new Set(['my password is swordfish', 'a password is never shown']));
      expect(new Set(await told(BEN.authorId))).toEqual(new Set(['my password is tuna', 'a password is never shown']));
      expect(await told(newId())).toEqual(['a password is never shown']);
      expect(await told(ANN.authorId, BEN.authorId)).toEqual(['a password is never shown']);
      expect(await texts('password')).toHaveLength(3);
    });

    it.each([
      ['by meaning', true],
      ['by words', false],
    ])('keeps what nobody vouches for in its own room (%s)', async (_, warm) => {
      const theirs = aChannel();
      await record(room, message(1, 'my password is swordfish'));
      await record(theirs, message(1, 'my password is tuna', { ...ANN, vouched: false }));
      if (warm) await embedAll();
      model.warm = warm;
      const told = (audiences: string[]): Promise<string[]> => texts('password', { audiences: () => Promise.resolve(new Set(audiences)) });
      const [own, other] = [room, theirs].map(({ id }) => idForAgent(ADA.id, id)) as [string, string];
      expect(await conversation().roomsSharedBy(ADA.id, [ANN.authorId])).toEqual([{ id: own, channelId: room.id }]);
      expect(await told([...roomAudiences(own), other])).toEqual(['my password is swordfish']);
      expect(await told(roomAudiences(other))).toEqual(['my password is tuna']);
    });

    it('leaves out the memories that the model sees anyway, and asks for no vector when nothing is left', async () => {
      const [one, two] = [message(1, 'my dog is called Rex'), message(2, 'my dog is hungry')];
      await record(room, one, two);
      await embedAll();
      expect(await texts('my dog', { excludeIds: new Set([idOf(one)]) })).toEqual([two.content]);
      const asked = model.calls.length;
      expect(await texts('my dog', { excludeIds: new Set([one, two].map(idOf)) })).toEqual([]);
      expect(model.calls).toHaveLength(asked);
    });

    it('searches nothing in a room when the model sees all of its memories anyway', async () => {
      const [one, two] = [message(1, 'my dog is called Rex'), message(2, 'my dog is hungry')];
      await record(room, one, two);
      const inRoom = { audiences: () => Promise.resolve(new Set(roomAudiences(idForAgent(ADA.id, room.id)))) };
      const seen = { ...inRoom, excludeIds: new Set([one, two].map(idOf)) };
      expect(await search('my dog', seen)).toMatchObject({ memories: [], byWords: { skipped: 'nothing_allowed' } });
      expect(await texts('my dog', { ...inRoom, excludeIds: new Set([idOf(two)]) })).toEqual([one.content]);
      await remembered('a dog needs water');
      expect(await texts('my dog', seen)).toEqual(['a dog needs water']);
    });

    it('reads on behind the messages of the agent, which have no vectors, until it has enough', async () => {
      const own = Array.from({ length: 80 }, (_, index) => message(10 + index, `dog dog ${index}`, ADA_SPEAKS));
      await record(room, message(1, 'my dog is called Rex'), message(2, 'my dog is hungry'), ...own);
      await embedAll();
      expect(await vectors()).toBe(2);
      const inRoom = { audiences: () => Promise.resolve(new Set(roomAudiences(idForAgent(ADA.id, room.id)))) };
      for (const warm of [true, false]) {
        model.warm = warm;
        expect(new Set(await texts('dog', { ...inRoom, excludeAuthorId: ADA.id }))).toEqual(
          new Set(['my dog is called Rex', 'my dog is hungry']),
        );
      }
    });

    it('finds replies of the agent, which have no vectors, for plugins and over HTTP', async () => {
      const reply = 'the dog should see a veterinarian';
      await record(room, message(1, 'my dog is called Rex'), message(2, 'my dog is hungry'), message(3, reply, ADA_SPEAKS));
      await embedAll();
      expect(await vectors()).toBe(2);
      const searched = async (query: string, limit: number): Promise<string[]> =>
        (await test.app.get(AgentMemory, { strict: false }).search(ADA.id, query, { limit, roomId: idForAgent(ADA.id, room.id) })).map(
          ({ text }) => text,
        );
      expect(await searched('veterinarian', 1)).toEqual([reply]);
      expect(await searched('dog', 10)).toEqual(expect.arrayContaining(['my dog is called Rex', 'my dog is hungry', reply]));
      // More than enough is found by meaning, and half of the result is still kept for what has no vector.
      expect(await searched('dog veterinarian', 2)).toContain(reply);
      const { body } = await test.api.get(`/api/memory/${ADA.id}/memories?search=veterinarian`);
      expect(body.data.memories).toMatchObject([{ content: { text: reply } }]);
    });

    it('starts a cold encoder when there is something to find, and goes by words until it runs', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      const quiet = await search('dog');
      expect(quiet).toMatchObject({ byMeaning: { skipped: 'nothing_embedded' }, memories: [{ similarity: null }] });
      expect(model.calls).toEqual([]);
      await embedAll();
      model.warm = false;
      const release = model.hold();
      const { answer } = await searchHeld('dog');
      test.clock.advance(1000);
      const first = await answer;
      expect(first).toMatchObject({ byMeaning: { skipped: 'cold', durationMs: 1000 }, byWords: { found: 1 } });
      expect(first.memories).toMatchObject([{ text: 'my dog is called Rex', authorName: 'Ann', similarity: null }]);
      release();
      expect(await search('dog')).toMatchObject({ byMeaning: { found: 1 }, memories: [{ similarity: expect.any(Number) }] });
    });

    it('asks for no vector when nobody may hear any of the memories that have one', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      const asked = model.calls.length;
      expect(await search('dog', heardBy(newId()))).toMatchObject({ byMeaning: { skipped: 'nothing_allowed' }, memories: [] });
      expect(model.calls).toHaveLength(asked);
    });

    it('searches by words when there is no encoder, and sees new memories at once', async () => {
      await test.restart(undefined);
      await record(room, message(1, 'my dogs are called Rex and Fido'));
      expect(await search('which dog?')).toMatchObject({ byMeaning: { skipped: 'off' }, byWords: { found: 1 } });
      await record(room, message(2, 'the dog is hungry'));
      expect(await texts('which dog?')).toEqual(['the dog is hungry', 'my dogs are called Rex and Fido']);
      expect(await texts('quantum?')).toEqual([]);
    });

    it('searches by words among all memories, however many are newer', async () => {
      await test.restart(undefined);
      await record(room, message(1, 'my parrot is called Polly'));
      for (let batch = 0; batch < 6; batch += 1) {
        await record(
          room,
          ...Array.from({ length: 100 }, (_, index) => message(2 + batch * 100 + index, `the name of number ${batch} ${index}`)),
        );
      }
      expect((await texts('what is the name of my parrot?', heardBy(ANN.authorId)))[0]).toBe('my parrot is called Polly');
    });

    it('searches by words for somebody with more rooms than a search names', async () => {
      await test.restart(undefined);
      for (let index = 0; index < 70; index += 1) await record(aChannel(), message(1, `my dog number ${index}`));
      await record(aChannel(), message(1, 'my dog is a secret', BEN));
      const found = await relevant('secret dog number', { ...heardBy(ANN.authorId), limit: 128 });
      expect(found).toHaveLength(70);
    });

    it('adds what has no vector yet, found by its words', async () => {
      await record(room, message(1, 'my dog is called Rex'), message(2, 'my dog likes chicken'));
      await embedAll();
      expect(await texts('dog')).toHaveLength(2);
      await record(room, message(3, 'the dog was born in May'));
      const { memories, byMeaning, byWords } = await search('dog');
      expect(memories.map(({ text, similarity }) => [text, similarity !== null])).toEqual([
        [expect.any(String), true],
        [expect.any(String), true],
        ['the dog was born in May', false],
      ]);
      expect([byMeaning, byWords]).toMatchObject([{ found: 2 }, { found: 3 }]);
      expect(await texts('dog', { limit: 2 })).toEqual([expect.any(String), 'the dog was born in May']);
    });

    it('searches by words when the encoder fails, logs it once, and goes on by meaning when it works', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      model.failWith = () => new AppError('MODEL_UNAVAILABLE', 'gone');
      for (let asked = 0; asked < 3; asked += 1) {
        expect(await search('dog')).toMatchObject({ byMeaning: { skipped: 'failed' }, memories: [{ similarity: null }] });
      }
      const calls = model.calls.length;
      expect(await search('dog')).toMatchObject({ byMeaning: { skipped: 'resting' }, memories: [{ similarity: null }] });
      expect(model.calls).toHaveLength(calls);
      model.failWith = undefined;
      test.clock.advance(10_000);
      expect(await search('dog')).toMatchObject({ byMeaning: { found: 1 }, memories: [{ similarity: expect.any(Number) }] });
      const logged = [...recentLines.newestFirst()].filter(({ msg }) => msg === 'memories could not be searched');
      expect(logged).toHaveLength(1);
    });

    it('answers at the end of its budget, with what was found by words', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      const release = model.hold();
      let answered: RecallResult | undefined;
      const { answer } = await searchHeld('dog', { budgetMs: 25 });
      const searching = answer.then((found) => (answered = found));
      test.clock.advance(24);
      await new Promise((resolve) => setImmediate(resolve));
      expect(answered).toBeUndefined();
      test.clock.advance(1);
      await searching;
      expect(answered).toMatchObject({ byMeaning: { skipped: 'late' }, memories: [{ text: 'my dog is called Rex', similarity: null }] });
      release();
      expect(await relevant('dog')).toMatchObject([{ similarity: expect.any(Number) }]);
    });

    it('keeps nobody waiting for an encoder that is late again and again, and tries it again later', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      const release = model.hold();
      for (let asked = 1; asked <= 3; asked += 1) {
        const searching = search('dog');
        await eventually(() => model.calls.length === 1 + asked);
        test.clock.advance(1000);
        expect(await searching).toMatchObject({ byMeaning: { skipped: 'late' } });
      }
      expect(await search('dog')).toMatchObject({ byMeaning: { skipped: 'resting', durationMs: 0 }, memories: [{ similarity: null }] });
      release();
      test.clock.advance(10_000);
      expect(await search('dog')).toMatchObject({ byMeaning: { found: 1 } });
    });

    it('ends when the caller gives up, and says so', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      model.hold();
      const gone = new AbortController();
      const searching = search('dog', { signal: gone.signal });
      await eventually(() => model.calls.length === 2);
      gone.abort();
      expect(await searching).toMatchObject({ byMeaning: { skipped: 'cancelled' } });
      expect(await search('dog', { signal: AbortSignal.abort() })).toMatchObject({ memories: [], byWords: { skipped: 'cancelled' } });
    });

    it('drops none of many who ask at the same time', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      const release = model.hold();
      const searching = Array.from({ length: 16 }, (_, index) =>
        search(`my dog number ${index}`, { ...heardBy(ANN.authorId), caller: ANN.authorId }),
      );
      await eventually(() => model.calls.length === 17);
      release();
      for (const found of await Promise.all(searching)) {
        expect(found).toMatchObject({ byMeaning: { found: 1 }, memories: [{ similarity: expect.any(Number) }] });
      }
    });

    it('leaves out what somebody said before it counts, and what was said elsewhere', async () => {
      const elsewhere = aChannel();
      await record(
        room,
        message(1, 'my dog is called Rex'),
        ...Array.from({ length: 20 }, (_, index) => message(2 + index, `dog dog ${index}`, ADA_SPEAKS)),
      );
      await record(elsewhere, message(1, 'another dog'));
      for (const embedded of [false, true]) {
        if (embedded) await embedAll();
        expect(await texts('dog', { limit: 2, excludeAuthorId: ADA.id, roomId: idForAgent(ADA.id, room.id) })).toEqual([
          'my dog is called Rex',
        ]);
      }
    });

    it.each([
      ['a NUL', 'my dog\0 is called Rex'],
      ['half a character', 'my dog \ud800 is called Rex'],
      ['quotes and backslashes', 'my "dog" \\u0000 \\ is called\nRex'],
      ['100,000 characters', `my dog is called Rex ${'x'.repeat(100_000)}`],
      ['100,000 words', `my dog is called Rex ${Array.from({ length: 20_000 }, (_, index) => index).join(' ')}`],
    ])('finds by its words a text with %s', async (_, text) => {
      await test.restart(undefined);
      await remembered(text);
      expect(await texts('what is called Rex, the dog?')).toHaveLength(1);
      expect(await texts('REX')).toHaveLength(1);
    });

    it.each([
      '"dog" OR "*"',
      "dog' OR 1=1 --",
      'text : dog AND scope : open',
      `dog a${ADA.id.replaceAll('-', '')}`,
      'dog:* & !cat | (',
      '\0 dog \ud800',
      'dog '.repeat(30_000),
    ])('takes what is searched for as words alone: %j', async (query) => {
      await test.restart(undefined);
      await record(room, message(1, 'my dog is called Rex'));
      await record(aChannel(), message(1, `dog open r${idForAgent(ADA.id, room.id).replaceAll('-', '')}`, BEN));
      expect(await texts(query, heardBy(ANN.authorId))).toEqual(['my dog is called Rex']);
      expect(await relevant(query, {}, BOB.id)).toEqual([]);
    });

    it('has no time for a question without words or without a budget', async () => {
      expect(await relevant('  \n')).toEqual([]);
      expect(await relevant('dog', { budgetMs: 0 })).toEqual([]);
      expect(await relevant('dog', { limit: 0 })).toEqual([]);
      expect(model.calls).toEqual([]);
    });

    it('goes by the text of an edited memory', async () => {
      const said = message(1, 'my dog is called Rex');
      await record(room, said);
      await embedAll();
      expect(await texts('dog')).toEqual([said.content]);
      await edit(said, 'my cat is called Tom');
      expect(await vectors()).toBe(0);
      expect(await texts('cat')).toEqual(['my cat is called Tom']);
      await embedAll();
      expect(await texts('dog')).toEqual([]);
      expect(await relevant('cat')).toMatchObject([{ text: 'my cat is called Tom', similarity: expect.any(Number) }]);
    });

    it('goes by the text of an edited memory also when it searches by words', async () => {
      model.warm = false;
      const said = message(1, 'my dog is called Rex');
      await record(room, said);
      expect(await texts('dog')).toEqual([said.content]);
      await edit(said, 'my cat is called Tom');
      expect(await texts('dog')).toEqual([]);
      expect(await texts('cat')).toEqual(['my cat is called Tom']);
    });

    it('goes by a vector that was given', async () => {
      const said = message(1, 'xyzzy');
      await record(room, said);
      await embedAll();
      expect(await texts('a magic word')).toEqual([]);
      const [vector] = await model.embed(['a magic word']);
      await test.api.patch(`/api/memory/${ADA.id}/memories/${idOf(said)}`, {
        embedding: [...(vector ?? [])].map((element) => element * 9),
      });
      expect(await texts('a magic word')).toEqual(['xyzzy']);
      await test.restart(model);
      expect(await texts('a magic word')).toEqual(['xyzzy']);
    });

    if (engine === 'postgres') {
      it('finds within a minute what another process has embedded', async () => {
        await record(room, message(1, 'my dog is called Rex'));
        await embedAll();
        expect(await texts('cat')).toEqual([]);
        const [vector = new Float32Array()] = await model.embed(['the cat is called Tom']);
        const id = newId();
        await test.unitOfWork().commit([
          {
            sql: `INSERT INTO memories (id, agent_id, room_id, entity_id, type, content, metadata, is_unique, embedded_by, created_at)
              VALUES (?, ?, ?, ?, 'facts', ?, '{}', ?, 'fake-1', ?)`,
            params: [id, ADA.id, newId(), ADA.id, JSON.stringify({ text: 'the cat is called Tom' }), true, 2_000_000],
          },
          {
            sql: `INSERT INTO memory_embeddings (memory_id, agent_id, model, dimension, vector) VALUES (?, ?, 'fake-1', 128, ?)`,
            params: [id, ADA.id, Buffer.from(vector.buffer).toString('base64')],
          },
        ]);
        test.clock.advance(60_000);
        await eventually(async () => (await texts('cat')).length === 1);
      });
    }

    it('finds nothing of what was deleted', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      await texts('dog');
      await test.unitOfWork().commit([{ sql: 'DELETE FROM memories', params: [] }]);
      expect(await texts('dog')).toEqual([]);
      expect(await vectors()).toBe(0);
    });
  });
}
