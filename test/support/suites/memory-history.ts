import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../../src/core/database/index.js';
import { newId } from '../../../src/core/ids/index.js';
import { AgentMemory, ConversationMemory } from '../../../src/modules/memory/index.js';
import { MemoriesService } from '../../../src/modules/memory/memories.service.js';
import { ChannelsService, MessagesService } from '../../../src/modules/messaging/index.js';
import { FakeEmbedding } from '../fake-embedding.js';
import { ADA, createMemoryApp, eventually, isIndexing, type MemoryApp } from '../memory-app.js';

const USER = newId();
const ADMIN = { id: 'administrator', users: 'all' } as const;
const STRANGER = { id: 'everybody' };

/** Former versions of memories: what is kept of each kind of change, and what comes back. */
export function describeMemoryHistory(engine: Engine): void {
  describe(`the history of memories on ${engine}`, () => {
    let test: MemoryApp;
    beforeAll(async () => {
      test = await createMemoryApp(engine, new FakeEmbedding());
    });
    afterAll(() => test.close());

    const service = (): MemoriesService => test.app.get(MemoriesService, { strict: false });
    const plugins = (): AgentMemory => test.app.get(AgentMemory, { strict: false });
    const fact = (text: string): Promise<string> =>
      plugins().create(ADA.id, { type: 'facts', entityId: USER, content: { text }, metadata: { mood: 'calm' } });
    const history = async (id: string): Promise<(string | number)[][]> =>
      (await service().history(ADA.id, id, { limit: 100 })).versions.map(({ version, content, changedAt, changedBy }) => [
        version,
        content['text'] as string,
        changedAt,
        changedBy,
      ]);
    const present = async (id: string): Promise<[unknown, boolean]> => {
      const [row] = await test.rows<{ content: string; vouched: boolean | number }>(
        `SELECT content, vouched FROM memories WHERE id = '${id}'`,
      );
      return [(JSON.parse(row?.content ?? '{}') as { text?: unknown }).text, Boolean(row?.vouched)];
    };

    it('keeps versions that a caller and a plugin replaced, with author and time', async () => {
      const id = await fact('one');
      const first = test.clock.now();
      await service().update(ADA.id, id, { content: { text: 'two' } }, { id: 'key:7', users: 'all' });
      test.clock.advance(1000);
      await plugins().update(ADA.id, id, { metadata: { mood: 'merry' } }, 'diary');
      expect(await history(id)).toEqual([
        [2, 'two', first + 1000, 'plugin:diary'],
        [1, 'one', first, 'key:7'],
      ]);
    });

    it('keeps no version for a change of neither content nor metadata', async () => {
      const id = await fact('one');
      await service().update(ADA.id, id, {}, ADMIN);
      await service().update(ADA.id, id, { content: { text: 'one' } }, ADMIN);
      await service().update(ADA.id, id, { embedding: Array<number>(128).fill(1) }, ADMIN);
      expect(await history(id)).toEqual([]);
    });

    it('keeps the version replaced by an edited message, for each agent that remembers it', async () => {
      const about = { name: 'chat', type: 'text', channelType: 'GROUP', participants: [USER], users: 'all' } as const;
      const channel = await test.app.get(ChannelsService, { strict: false }).create({ ...about, participants: [USER] });
      const messages = test.app.get(MessagesService, { strict: false });
      const said = {
        channelId: channel.id,
        authorId: USER,
        authorKind: 'user',
        content: 'tea',
        sourceType: 'test',
        vouched: true,
      } as const;
      const { message } = await messages.post(said);
      const memory = test.app.get(ConversationMemory, { strict: false });
      await test.unitOfWork().commit(memory.record(ADA, channel, [message]));
      await messages.update(message.id, { content: 'coffee' }, ADMIN);
      const [{ memoryId } = { memoryId: '' }] = (await memory.conversation(ADA.id, channel.id, 1)).messages;
      expect(await history(memoryId)).toEqual([[1, 'tea', test.clock.now(), 'administrator']]);
      await service().undo(ADA.id, memoryId, undefined, ADMIN);
      expect((await memory.conversation(ADA.id, channel.id, 1)).messages).toMatchObject([{ text: 'tea', messageId: message.id }]);
    });

    it('restores a version as a new one, which can also be undone', async () => {
      const id = await fact('one');
      for (const text of ['two', 'three']) await service().update(ADA.id, id, { content: { text } }, ADMIN);
      const texts: unknown[] = [];
      for (const version of [undefined, undefined, 1, undefined]) {
        await service().undo(ADA.id, id, version, ADMIN);
        texts.push((await present(id))[0]);
      }
      expect(texts).toEqual(['two', 'three', 'one', 'three']);
      expect((await history(id)).map(([version, text]) => [version, text])).toEqual([
        [6, 'one'],
        [5, 'three'],
        [4, 'two'],
        [3, 'three'],
        [2, 'two'],
        [1, 'one'],
      ]);
    });

    it('embeds a restored text again', async () => {
      const id = await fact('one');
      const vector = async (): Promise<string | undefined> =>
        (await test.rows<{ vector: string }>(`SELECT vector FROM memory_vectors WHERE memory_id = '${id}'`))[0]?.vector;
      const indexed = (): Promise<void> =>
        eventually(async () => {
          test.clock.advance(1000);
          return !isIndexing(test) && (await vector()) !== undefined;
        });
      await indexed();
      const first = await vector();
      await service().update(ADA.id, id, { content: { text: 'something else' } }, ADMIN);
      await indexed();
      expect(await vector()).not.toBe(first);
      await service().undo(ADA.id, id, undefined, ADMIN);
      await indexed();
      expect(await vector()).toBe(first);
    });

    it.each([
      ['by a caller that vouches for the author', ADMIN, ADMIN, true],
      ['by a stranger', ADMIN, STRANGER, false],
      ['that a stranger had changed, by a caller that vouches for the author', STRANGER, ADMIN, true],
      ['that a stranger had changed, by the stranger', STRANGER, STRANGER, false],
    ])('is vouched for when it is restored %s: %#', async (_words, changer, restorer, vouched) => {
      const id = await fact('one');
      await service().update(ADA.id, id, { content: { text: 'two' } }, changer);
      await service().undo(ADA.id, id, undefined, restorer);
      expect(await present(id)).toEqual(['one', vouched]);
    });

    it('does not vouch for restored words without a voucher', async () => {
      const id = await fact('one');
      await service().update(ADA.id, id, { content: { text: 'forged' } }, STRANGER);
      await service().undo(ADA.id, id, 1, ADMIN);
      await service().undo(ADA.id, id, 2, ADMIN);
      expect(await present(id)).toEqual(['forged', false]);
    });

    it('keeps the newest hundred, and the numbers continue', async () => {
      const id = await fact('text 0');
      for (let change = 1; change <= 102; change++) await service().update(ADA.id, id, { content: { text: `text ${change}` } }, ADMIN);
      const versions = (await history(id)).map(([version]) => version as number);
      expect([versions.length, versions[0], versions.at(-1)]).toEqual([100, 102, 3]);
      expect(await service().history(ADA.id, id, { limit: 1 })).toMatchObject({ version: 103, hasMore: true });
      await service().delete(ADA.id, id);
      expect(await test.rows(`SELECT version FROM memory_versions WHERE memory_id = '${id}'`)).toEqual([]);
    });

    it('numbers concurrent changes without a gap', async () => {
      const id = await fact('text');
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => service().update(ADA.id, id, { content: { text: `text ${index}` } }, ADMIN)),
      );
      expect((await history(id)).map(([version]) => version)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    });
  });
}
