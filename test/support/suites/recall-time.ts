import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { AppError } from '../../../src/core/errors/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { recentLines } from '../../../src/core/logging/index.js';
import { type RecallResult } from '../../../src/modules/memory/index.js';
import type { FakeEmbedding } from '../fake-embedding.js';
import { eventually, type MemoryApp } from '../memory-app.js';
import { aChannel, ANN, message, RecallFixture } from '../recall-fixture.js';

/** How recall goes on when the encoder is cold, late or fails. */
export function describeRecallTime(engine: Engine): void {
  describe(`the time of recall on ${engine}`, () => {
    const fixture = new RecallFixture();
    const { record, relevant, search, searchHeld, heardBy, embedAll } = fixture;
    let test: MemoryApp;
    let model: FakeEmbedding;
    let room: ReturnType<typeof aChannel>;

    beforeEach(async () => {
      ({ test, model, room } = await fixture.open(engine));
    });
    afterEach(() => test.close());

    it('starts a cold encoder when there are memories, and uses words until it runs', async () => {
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

    it('requests no vector when the audience may see no memory that has one', async () => {
      await record(room, message(1, 'my dog is called Rex'));
      await embedAll();
      const asked = model.calls.length;
      expect(await search('dog', heardBy(newId()))).toMatchObject({ byMeaning: { skipped: 'nothing_allowed' }, memories: [] });
      expect(model.calls).toHaveLength(asked);
    });

    it('searches by words when the encoder fails, logs it once, and uses meaning again once it works', async () => {
      // Other suites of the process may have let their encoders fail.
      recentLines.clear();
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

    it('returns matches by words at the end of its budget', async () => {
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

    it('does not wait for an encoder that is repeatedly late, and tries it again later', async () => {
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

    it('ends when the caller aborts, and reports it', async () => {
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

    it('drops none of many concurrent searches', async () => {
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

    it('returns at once for a question without words or without a budget', async () => {
      expect(await relevant('  \n')).toEqual([]);
      expect(await relevant('dog', { budgetMs: 0 })).toEqual([]);
      expect(await relevant('dog', { limit: 0 })).toEqual([]);
      expect(model.calls).toEqual([]);
    });
  });
}
