import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { AppError } from '../../../src/core/errors/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { append, Journal, entryPosition } from '../../../src/core/journal/index.js';
import { VectorsRepository } from '../../../src/modules/memory/vectors/vectors.repository.js';
import { FakeEmbedding } from '../fake-embedding.js';
import { ADA, createMemoryApp, eventually, isIndexing, type MemoryApp } from '../memory-app.js';

const QUIET = 1000;
const PAUSE = 250;
const INSERT = `INSERT INTO memories (id, agent_id, room_id, entity_id, type, content, metadata, is_unique, created_at)
  VALUES (?, ?, ?, ?, 'messages', ?, '{}', ?, ?)`;

/** How memories come by their vectors in the background. */
export function describeMemoryIndexer(engine: Engine): void {
  describe(`memory indexer on ${engine}`, () => {
    let test: MemoryApp;
    let model: FakeEmbedding;
    const channelId = newId();

    beforeEach(async () => {
      model = new FakeEmbedding();
      test = await createMemoryApp(engine, model);
    });
    afterEach(() => test.close());

    /** Moves the clock and lets everything finish that this set off. */
    async function tick(ms: number): Promise<void> {
      test.clock.advance(ms);
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    async function remember(...texts: string[]): Promise<string[]> {
      const ids = texts.map(() => newId());
      await test.unitOfWork().commit(
        texts.map((text, index) => ({
          sql: INSERT,
          params: [ids[index] ?? '', ADA.id, ADA.id, ADA.id, JSON.stringify({ text }), true, test.clock.now() + index],
        })),
      );
      return ids;
    }
    /** Something happens on the server, and the indexer has heard of it. */
    async function activity(): Promise<void> {
      const turn = { messageId: newId(), channelId, serverId: newId(), agentId: ADA.id, agentName: ADA.name, replyId: newId(), attempt: 1 };
      const [outcome] = await test.unitOfWork().commit([append('turn.started', channelId, turn, test.clock.now())]);
      const journal = test.app.get(Journal, { strict: false });
      await journal.delivered(entryPosition(outcome).offset);
    }
    const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `text number ${index}`);
    const vectors = async (model = 'fake-1'): Promise<number> =>
      (await test.rows(`SELECT memory_id FROM memory_vectors WHERE model = '${model}'`)).length;
    /** Waits until there are this many vectors, and the step of the indexer that stored the last has ended. */
    const embedded = (count: number, model?: string): Promise<void> =>
      eventually(async () => (await vectors(model)) === count && !isIndexing(test));
    const marks = async (): Promise<(string | null)[]> =>
      (await test.rows<{ embedded_by: string | null }>('SELECT embedded_by FROM memories ORDER BY created_at')).map(
        (row) => row.embedded_by,
      );

    it('sends no request while no memory waits', async () => {
      await tick(60_000);
      await activity();
      await tick(60_000);
      expect(model.calls).toEqual([]);
    });

    it('starts after a quarter of a second, and continues batch by batch while the server is idle', async () => {
      // The step of the start.
      test.clock.advance(0);
      await eventually(() => !isIndexing(test));
      await remember(...numbered(70));
      await activity();
      test.clock.advance(PAUSE - 1);
      expect(isIndexing(test)).toBe(false);
      await tick(1);
      await embedded(32);
      await tick(QUIET - PAUSE);
      await eventually(async () => {
        test.clock.advance(0);
        return (await vectors()) === 70;
      });
      expect(model.calls.flat()).toHaveLength(70);
      expect(Math.max(...model.calls.map((texts) => texts.length))).toBe(32);
      expect(new Set(await marks())).toEqual(new Set(['fake-1']));
      expect(model.calls[0]?.[0]).toBe('text number 69');
    });

    it('pauses between batches on a busy server, at least as long as a batch takes', async () => {
      await remember(...numbered(80));
      await activity();
      await tick(PAUSE);
      await embedded(32);
      await activity();
      const release = model.hold();
      test.clock.advance(PAUSE - 1);
      expect(isIndexing(test)).toBe(false);
      await tick(1);
      await eventually(() => model.calls.length === 2);
      await tick(2 * PAUSE);
      await activity();
      release();
      await embedded(64);
      test.clock.advance(2 * PAUSE - 1);
      expect(isIndexing(test)).toBe(false);
      await tick(1);
      await embedded(80);
      expect(model.calls.map((texts) => texts.length)).toEqual([32, 32, 16]);
    });

    it('leaves a memory that another process has claimed until the claim expires', async () => {
      await remember('one', 'two');
      const repository = test.app.get(VectorsRepository, { strict: false });
      const now = test.clock.now();
      const [claimed] = await test.unitOfWork().commit([repository.claim(newId(), 1, now, now + 60_000)]);
      expect(claimed?.rows).toMatchObject([{ content: '{"text":"two"}' }]);
      await activity();
      await tick(QUIET);
      await embedded(1);
      expect(model.calls).toEqual([['one']]);
      await tick(60_000);
      await activity();
      await tick(QUIET);
      await embedded(2);
      expect(model.calls).toEqual([['one'], ['two']]);
    });

    it('embeds each sentence separately, but no plain question', async () => {
      await remember('I went to the market in the old town. My cat is called Otto. What is your cat called?');
      await activity();
      await tick(QUIET);
      await embedded(2);
      expect(model.calls).toEqual([['I went to the market in the old town.', 'My cat is called Otto.']]);
    });

    it('stops at once on request, also midway through a batch', async () => {
      await remember('one');
      await activity();
      model.hold();
      await tick(QUIET);
      await eventually(() => model.calls.length === 1);
      await test.restart(new FakeEmbedding());
      expect(await marks()).toEqual([null]);
    });

    it('continues after a restart', async () => {
      await remember('one');
      const later = new FakeEmbedding();
      await test.restart(later);
      await tick(QUIET);
      await embedded(1);
      expect(later.calls).toEqual([['one']]);
    });

    it('stores no vector of a text that changed meanwhile', async () => {
      const [id] = await remember('before');
      await activity();
      const release = model.hold();
      await tick(QUIET);
      await eventually(() => model.calls.length === 1);
      expect((await test.api.patch(`/api/memory/${ADA.id}/memories/${id}`, { content: 'after' })).status).toBe(200);
      release();
      await eventually(async () => {
        test.clock.advance(QUIET);
        return (await vectors()) === 1;
      });
      expect(model.calls).toEqual([['before'], ['after']]);
    });

    it('stores no vector of a text without words', async () => {
      await remember('', ' \n ', 'word');
      await activity();
      await tick(QUIET);
      await embedded(1);
      expect(model.calls).toEqual([['word']]);
      expect(await marks()).toEqual(['fake-1', 'fake-1', 'fake-1']);
    });

    it('retries after five seconds when the model fails, then later and later', async () => {
      await remember('one');
      model.failWith = () => new AppError('MODEL_UNAVAILABLE', 'gone');
      await activity();
      await tick(QUIET);
      await eventually(() => model.calls.length === 1);
      await tick(4999);
      expect(model.calls).toHaveLength(1);
      await tick(1);
      await eventually(() => model.calls.length === 2);
      await tick(9999);
      expect(model.calls).toHaveLength(2);
      model.failWith = undefined;
      await tick(1);
      await embedded(1);
    });

    it('abandons a text that the model refuses, but none when the model refuses all', async () => {
      const refused = (texts: readonly string[]): AppError | undefined =>
        texts.some((text) => text.includes('bad')) ? new AppError('MODEL_REJECTED', 'no') : undefined;
      model.failWith = refused;
      await remember('bad one');
      await activity();
      await tick(QUIET);
      await eventually(() => model.calls.length >= 1);
      expect(await marks()).toEqual([null]);
      await remember('good', 'bad two');
      await tick(5000);
      await embedded(1);
      expect(await marks()).toEqual(['fake-1', 'fake-1', 'fake-1']);
    });

    it('re-embeds everything with a new model', async () => {
      await remember(...numbered(5), '');
      await activity();
      await tick(QUIET);
      await embedded(5);
      await test.restart(new FakeEmbedding('fake-2'));
      await eventually(async () => {
        test.clock.advance(QUIET);
        return (await vectors('fake-2')) === 5;
      });
      expect(await vectors('fake-1')).toBe(0);
      expect(new Set(await marks())).toEqual(new Set(['fake-2']));
    });

    it('drops vectors of another model in ranges, and continues after a restart', async () => {
      await remember(...numbered(600));
      await test.unitOfWork().commit([
        { sql: `INSERT INTO memory_vectors SELECT id, 0, agent_id, 'old', 1, 'open', created_at, '', '' FROM memories`, params: [] },
        { sql: `UPDATE memories SET embedded_by = 'old'`, params: [] },
      ]);
      await test.restart(model);
      await tick(QUIET);
      await embedded(100, 'old');
      expect(model.calls).toEqual([]);
      const later = new FakeEmbedding();
      await test.restart(later);
      await eventually(async () => {
        test.clock.advance(QUIET);
        return (await vectors()) === 600;
      });
      expect(await vectors('old')).toBe(0);
      expect(later.calls.flat()).toHaveLength(600);
    });
  });
}
