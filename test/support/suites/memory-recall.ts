import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { idForAgent, newId } from '../../../src/core/ids/index.js';
import { AgentMemory, roomAudiences } from '../../../src/modules/memory/index.js';
import { RecallRowsRepository } from '../../../src/modules/memory/recall/recall-rows.repository.js';
import { signatureOf } from '../../../src/modules/memory/vectors/vector-index.js';
import { toSignatureText, toVectorText } from '../../../src/modules/memory/vectors/vector-text.js';
import { VectorsRepository } from '../../../src/modules/memory/vectors/vectors.repository.js';
import type { FakeEmbedding } from '../fake-embedding.js';
import { ADA, BOB, eventually, type MemoryApp } from '../memory-app.js';
import { aChannel, ADA_SPEAKS, ANN, BEN, message, RecallFixture } from '../recall-fixture.js';

/** What an agent finds in its memories. */
export function describeRecall(engine: Engine): void {
  describe(`recall on ${engine}`, () => {
    const fixture = new RecallFixture();
    const { conversation, record, vectors, relevant, texts, search, heardBy, embedAll, remembered, idOf, edit } = fixture;
    let test: MemoryApp;
    let model: FakeEmbedding;
    let room: ReturnType<typeof aChannel>;

    beforeEach(async () => {
      ({ test, model, room } = await fixture.open(engine));
    });
    afterEach(() => test.close());

    it('finds messages by meaning, nearest first, with author and time', async () => {
      const dog = message(1, 'my dog is called Rex');
      await record(room, dog, message(2, 'my dog likes chicken'), message(3, 'it rains in Paris', ADA_SPEAKS));
      await embedAll();
      const found = await relevant('my dog is called');
      expect(found.map(({ text }) => text)).toEqual(['my dog is called Rex', 'my dog likes chicken']);
      expect(found[0]).toEqual({
        ...{ memoryId: idOf(dog), roomId: idForAgent(ADA.id, room.id), authorId: ANN.authorId, authorName: 'Ann' },
        ...{ type: 'messages', text: dog.content, at: dog.createdAt, similarity: expect.any(Number), score: expect.any(Number) },
        ...{ pieces: [0], foundBy: ['words', 'meaning'] },
      });
      expect(found[0]?.similarity).toBeGreaterThan(found[1]?.similarity ?? 1);
      expect(await texts('my dog is called', { limit: 1 })).toEqual([dog.content]);
      expect(await texts('my dog is called', { minSimilarity: 0.99 })).toEqual([]);
      expect(await relevant('my dog is called', {}, BOB.id)).toEqual([]);
    });

    it('finds messages sent after the first search', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      expect(await texts('cat')).toEqual([]);
      await record(room, message(2, 'the cat is called Tom'));
      await embedAll();
      // The database may show the vector a moment before its writer gets the acknowledgement.
      await eventually(async () => (await texts('cat')).length > 0);
      expect(await texts('cat')).toEqual(['the cat is called Tom']);
    });

    it.each([
      ['by meaning', true],
      ['by words', false],
    ])("returns to one user nothing of another's conversations (%s)", async (_, warm) => {
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
      const told = async (...people: string[]): Promise<string[]> => {
        const { memories, documents } = await search('password', { ...heardBy(...people), documents: 5 });
        return [...memories, ...documents].map(({ text }) => text);
      };
      expect(new Set(await told(ANN.authorId))).toEqual(new Set(['my password is swordfish', 'a password is never shown']));
      expect(new Set(await told(BEN.authorId))).toEqual(new Set(['my password is tuna', 'a password is never shown']));
      expect(await told(newId())).toEqual(['a password is never shown']);
      expect(await told(ANN.authorId, BEN.authorId)).toEqual(['a password is never shown']);
      expect(await texts('password')).toHaveLength(3);
    });

    it('prefers a document with matching words and no vector yet to those with one', async () => {
      const know = (text: string) => ({
        sql: `INSERT INTO memories (id, agent_id, room_id, entity_id, type, content, metadata, is_unique, created_at)
          VALUES (?, ?, ?, ?, 'knowledge', ?, '{}', ?, ?)`,
        params: [newId(), ADA.id, newId(), ADA.id, JSON.stringify({ text }), true, 1],
      });
      await test.unitOfWork().commit(['lamp', 'kettle', 'radio'].map((thing) => know(`This is how long the cable of the ${thing} is.`)));
      await embedAll();
      await test.unitOfWork().commit([know('The warranty of the toaster covers three years.')]);
      const { documents } = await search('How long is the warranty of the toaster?', {
        ...heardBy(ANN.authorId),
        documents: 5,
        broad: true,
      });
      expect(documents[0]?.text).toBe('The warranty of the toaster covers three years.');
      expect(documents).toHaveLength(4);
    });

    it.each([
      ['by meaning', true],
      ['by words', false],
    ])('keeps unvouched statements in their own room (%s)', async (_, warm) => {
      const theirs = aChannel();
      await record(room, message(1, 'my password is swordfish'));
      await record(theirs, message(1, 'my password is tuna', { ...ANN, vouched: false }));
      if (warm) await embedAll();
      model.warm = warm;
      const told = (audiences: string[]): Promise<string[]> =>
        texts('password', { audience: () => Promise.resolve({ rooms: new Set(audiences) }) });
      const [own, other] = [room, theirs].map(({ id }) => idForAgent(ADA.id, id)) as [string, string];
      expect(await conversation().roomsSharedBy(ADA.id, [ANN.authorId])).toMatchObject([{ id: own, channelId: room.id }]);
      expect(await told([...roomAudiences(own), other])).toEqual(['my password is swordfish']);
      expect(await told(roomAudiences(other))).toEqual(['my password is tuna']);
    });

    it('finds by meaning what the message before was about', async () => {
      await record(room, message(1, 'my sister plays the cello'), message(2, 'the train to Berlin is slow'));
      await embedAll();
      expect(await texts('since when')).toEqual([]);
      expect(await texts('since when', { previous: 'my sister plays something' })).toEqual(['my sister plays the cello']);
    });

    it('finds by meaning what one of several sentences asks', async () => {
      await record(room, message(1, 'my sister plays the cello'));
      await embedAll();
      const asked = 'Nobody knows how long this takes. There was so much rain yesterday. My sister plays the piano.';
      expect(await texts(asked, { minSimilarity: 0.6 })).toEqual(['my sister plays the cello']);
    });

    it('embeds a message in the pieces that it has as a memory, so that their vectors can be kept', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      const pieces = ['I went to Porto with my aunt yesterday.', 'The cat of my aunt sleeps all day.'];
      await relevant(pieces.join(' '));
      expect(model.calls.at(-1)).toEqual(pieces);
      await record(room, message(2, pieces.join(' ')));
      await embedAll();
      expect(model.calls.at(-1)).toEqual(pieces);
      expect(await texts('my aunt and her cat', { limit: 1 })).toEqual([pieces.join(' ')]);
    });

    it('leaves out memories that the model sees anyway, and requests no vector when none is left', async () => {
      const [one, two] = [message(1, 'my dog is called Rex'), message(2, 'my dog is hungry')];
      await record(room, one, two);
      await embedAll();
      expect(await texts('my dog', { excludeIds: new Set([idOf(one)]) })).toEqual([two.content]);
      const asked = model.calls.length;
      expect(await texts('my dog', { excludeIds: new Set([one, two].map(idOf)) })).toEqual([]);
      expect(model.calls).toHaveLength(asked);
    });

    it('searches nothing in a room when the model already sees all its memories', async () => {
      const [one, two] = [message(1, 'my dog is called Rex'), message(2, 'my dog is hungry')];
      await record(room, one, two);
      const inRoom = { audience: () => Promise.resolve({ rooms: new Set(roomAudiences(idForAgent(ADA.id, room.id))) }) };
      const seen = { ...inRoom, excludeIds: new Set([one, two].map(idOf)) };
      expect(await search('my dog', seen)).toMatchObject({ memories: [], byWords: { skipped: 'nothing_allowed' } });
      expect(await texts('my dog', { ...inRoom, excludeIds: new Set([idOf(two)]) })).toEqual([one.content]);
      await remembered('a dog needs water');
      expect(await texts('my dog', seen)).toEqual(['a dog needs water']);
    });

    it("reads past the agent's messages, which have no vectors, until it has enough results", async () => {
      const own = Array.from({ length: 80 }, (_, index) => message(10 + index, `dog dog ${index}`, ADA_SPEAKS));
      await record(room, message(1, 'my dog is called Rex'), message(2, 'my dog is hungry'), ...own);
      await embedAll();
      expect(await vectors()).toBe(2);
      const inRoom = { audience: () => Promise.resolve({ rooms: new Set(roomAudiences(idForAgent(ADA.id, room.id))) }) };
      for (const warm of [true, false]) {
        model.warm = warm;
        expect(new Set(await texts('dog', { ...inRoom, excludeAuthorId: ADA.id }))).toEqual(
          new Set(['my dog is called Rex', 'my dog is hungry']),
        );
      }
    });

    it("finds the agent's replies, which have no vectors, for plugins and over HTTP", async () => {
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

    it('searches by words without an encoder, and finds new memories at once', async () => {
      await test.restart(undefined);
      await record(room, message(1, 'my dogs are called Rex and Fido'));
      expect(await search('which dog?')).toMatchObject({ byMeaning: { skipped: 'off' }, byWords: { found: 1 } });
      await record(room, message(2, 'the dog is hungry'));
      expect(await texts('which dog?')).toEqual(['my dogs are called Rex and Fido', 'the dog is hungry']);
      expect(await texts('quantum?')).toEqual([]);
    });

    it('searches by words among all memories, with any number of newer ones', async () => {
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

    it('searches by words for a user with more rooms than a query can list', async () => {
      await test.restart(undefined);
      for (let index = 0; index < 70; index += 1) await record(aChannel(), message(1, `my dog number ${index}`));
      await record(aChannel(), message(1, 'my dog is a secret', BEN));
      const found = await relevant('secret dog number', { ...heardBy(ANN.authorId), limit: 128 });
      expect(found).toHaveLength(70);
    });

    it('adds matches by words that have no vector yet', async () => {
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
    });

    it("excludes a user's earlier statements before it counts, and those from elsewhere", async () => {
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
    ])('treats the query as words only: %j', async (query) => {
      await test.restart(undefined);
      await record(room, message(1, 'my dog is called Rex'));
      await record(aChannel(), message(1, `dog open r${idForAgent(ADA.id, room.id).replaceAll('-', '')}`, BEN));
      expect(await texts(query, heardBy(ANN.authorId))).toEqual(['my dog is called Rex']);
      expect(await relevant(query, {}, BOB.id)).toEqual([]);
    });

    it('uses the text of an edited memory', async () => {
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

    it('uses the text of an edited memory also in a search by words', async () => {
      model.warm = false;
      const said = message(1, 'my dog is called Rex');
      await record(room, said);
      expect(await texts('dog')).toEqual([said.content]);
      await edit(said, 'my cat is called Tom');
      expect(await texts('dog')).toEqual([]);
      expect(await texts('cat')).toEqual(['my cat is called Tom']);
    });

    it('reads a memory once for each search, and its vector when it was not compared before', async () => {
      const said = message(1, 'my dog is called Rex');
      await record(room, said);
      await embedAll();
      await test.restart(model);
      const reads = jest.spyOn(test.app.get(RecallRowsRepository, { strict: false }), 'read');
      const fetches = jest.spyOn(test.app.get(VectorsRepository, { strict: false }), 'fetch');
      for (let time = 0; time < 2; time += 1) expect(await texts('my dog', { broad: true })).toEqual([said.content]);
      expect(reads.mock.calls.map(([, ids]) => [...ids])).toEqual([[idOf(said)], [idOf(said)]]);
      expect(fetches).toHaveBeenCalledTimes(1);
      await edit(said, 'my dog is called Tom');
      await embedAll();
      expect(await relevant('my dog is called Tom')).toMatchObject([{ text: 'my dog is called Tom', similarity: expect.closeTo(1) }]);
    });

    it('uses a vector that was set', async () => {
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
            sql: `INSERT INTO memory_vectors (memory_id, piece, agent_id, model, dimension, audience, created_at, signature, vector)
              VALUES (?, 0, ?, 'fake-1', 128, 'open', 2000000, ?, ?)`,
            params: [id, ADA.id, toSignatureText(signatureOf(vector)), toVectorText(vector)],
          },
        ]);
        test.clock.advance(60_000);
        await eventually(async () => (await texts('cat')).length === 1);
      });
    }

    it('finds no deleted memory', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      await texts('dog');
      await test.unitOfWork().commit([{ sql: 'DELETE FROM memories', params: [] }]);
      expect(await texts('dog')).toEqual([]);
      expect(await vectors()).toBe(0);
    });
  });
}
