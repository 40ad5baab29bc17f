import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine, Statement, Transaction } from '../../../src/core/database/index.js';
import { DEFAULT_SERVER_ID, idForAgent, newId } from '../../../src/core/ids/index.js';
import { ConversationMemory } from '../../../src/modules/memory/index.js';
import { ChannelsService, MessageHooks, MessagesService, type Channel, type Message } from '../../../src/modules/messaging/index.js';
import { createMemoryApp, type MemoryApp } from '../memory-app.js';

const MANY = 50;

/** What agents remember of messages that are edited and deleted, and what that costs. */
export function describeMemoryOfMessages(engine: Engine): void {
  describe(`memories of edited and deleted messages on ${engine}`, () => {
    let test: MemoryApp;
    let agents: { readonly id: string; readonly name: string }[];
    const userId = newId();

    beforeAll(async () => {
      test = await createMemoryApp(engine);
      for (let index = 0; index < MANY; index++) {
        expect((await test.api.post('/api/agents', { characterJson: { name: `Agent ${index}`, bio: ['One of many.'] } })).status).toBe(201);
      }
      agents = (await test.api.get('/api/agents')).body.data.agents.filter(({ name }: { name: string }) => name.startsWith('Agent '));
      expect(agents).toHaveLength(MANY);
    });
    afterAll(() => test.close());

    const messages = (): MessagesService => test.app.get(MessagesService, { strict: false });
    const texts = async (channelId: string): Promise<string[]> =>
      (
        await test.rows<{ content: string }>(
          `SELECT m.content FROM memories m JOIN rooms r ON r.id = m.room_id AND r.agent_id = m.agent_id WHERE r.channel_id = '${channelId}'`,
        )
      ).map(({ content }) => (JSON.parse(content) as { text: string }).text);

    /** A channel with messages that these agents remember. */
    async function remembered(count: number, by: readonly { readonly id: string; readonly name: string }[]): Promise<[Channel, Message[]]> {
      const channel = await test.app.get(ChannelsService, { strict: false }).create({
        name: 'busy',
        type: 'text',
        channelType: 'GROUP',
        participants: [userId],
        users: 'all',
      });
      const stored: Message[] = [];
      for (let index = 0; index < count; index++) {
        const command = {
          channelId: channel.id,
          authorId: userId,
          authorKind: 'user' as const,
          content: `Text ${index}`,
          sourceType: 'test',
        };
        stored.push((await messages().post({ ...command, vouched: true })).message);
      }
      const memory = test.app.get(ConversationMemory, { strict: false });
      await test.unitOfWork().commit(by.flatMap((agent) => memory.record(agent, channel, stored)));
      expect(await texts(channel.id)).toHaveLength(count * by.length);
      return [channel, stored];
    }

    /** How many statements and queries a hook needs; nothing of it is kept. */
    async function cost(work: (hooks: MessageHooks, tx: Transaction) => Promise<Statement[]>): Promise<number> {
      let queries = 0;
      const undo = new Error('only counted');
      let statements: Statement[] = [];
      const counted = test.unitOfWork().run('count', async (tx) => {
        const rows: Transaction['rows'] = (sql, params) => {
          queries += 1;
          return tx.rows(sql, params);
        };
        statements = await work(test.app.get(MessageHooks, { strict: false }), { ...tx, rows });
        await tx.apply(statements);
        throw undo;
      });
      await expect(counted).rejects.toBe(undo);
      return statements.length + queries;
    }

    it('need as many statements for fifty agents and ten messages as for one', async () => {
      const [few, [single]] = await remembered(1, agents.slice(0, 1));
      const [many, several] = await remembered(10, agents);
      const ids = several.map(({ id }) => id);
      const deletions = await Promise.all([
        cost((hooks, tx) => hooks.onMessagesDeleted(few, [single!.id], tx)),
        cost((hooks, tx) => hooks.onMessagesDeleted(many, ids, tx)),
      ]);
      expect(deletions).toEqual([4, 4]);
      const edits = await Promise.all([
        cost((hooks, tx) => hooks.onMessageEdited({ ...single!, content: 'Other' }, tx, 'nobody')),
        cost((hooks, tx) => hooks.onMessageEdited({ ...several[0]!, content: 'Other' }, tx, 'nobody')),
      ]);
      expect(edits).toEqual([8, 8]);
      await expect(cost((hooks, tx) => hooks.onChannelCleared(many, tx))).resolves.toBe(2);
      await expect(cost((hooks) => Promise.resolve(hooks.onParticipantsLeft(many.id, [userId, newId(), newId()])))).resolves.toBe(1);
    });

    it('get the new text of an edited message for every agent, no longer vouched for', async () => {
      const [channel, [first]] = await remembered(2, agents.slice(0, 3));
      await messages().update(first!.id, { content: `It's "new" \\ 'text'? {}` }, { id: 'nobody' });
      expect((await texts(channel.id)).sort()).toEqual([
        ...Array<string>(3).fill(`It's "new" \\ 'text'? {}`),
        ...Array<string>(3).fill('Text 1'),
      ]);
      const rows = await test.rows<{ id: string; vouched: boolean | number; room_id: string }>(
        `SELECT m.id, m.vouched FROM memories m JOIN rooms r ON r.id = m.room_id AND r.agent_id = m.agent_id WHERE r.channel_id = '${channel.id}'`,
      );
      const changed = new Set(agents.slice(0, 3).map(({ id }) => idForAgent(id, `${first!.id}-${id}`)));
      for (const { id, vouched } of rows) expect(Boolean(vouched)).toBe(!changed.has(id));
    });

    it('are deleted with their messages, except those of another agent under such an id', async () => {
      const [keeper, loser] = agents as [{ id: string; name: string }, { id: string; name: string }];
      const [channel, [gone, stays]] = await remembered(2, [keeper]);
      const occupied = idForAgent(loser.id, `${gone!.id}-${loser.id}`);
      await test.unitOfWork().commit([
        {
          sql: `INSERT INTO memories (id, agent_id, room_id, entity_id, type, content, metadata, is_unique, vouched, created_at)
            VALUES (?, ?, ?, ?, 'custom', '{"text":"mine"}', '{}', ?, ?, ?)`,
          params: [occupied, keeper.id, keeper.id, keeper.id, true, true, test.clock.now()],
        },
        ...test.app.get(ConversationMemory, { strict: false }).record(loser, channel, [stays!]),
      ]);
      await messages().delete(channel.id, gone!.id);
      expect((await texts(channel.id)).sort()).toEqual(['Text 1', 'Text 1']);
      expect(await test.rows(`SELECT agent_id FROM memories WHERE id = '${occupied}'`)).toEqual([{ agent_id: keeper.id }]);
      await expect(messages().deleteOf(channel.id, userId)).resolves.toBe(1);
      expect(await texts(channel.id)).toEqual([]);
    });

    it('are deleted with a channel and the rooms that follow it', async () => {
      const [channel] = await remembered(1, agents.slice(0, 2));
      expect(channel.serverId).toBe(DEFAULT_SERVER_ID);
      await test.app.get(ChannelsService, { strict: false }).delete(channel.id);
      expect(await test.rows(`SELECT id FROM rooms WHERE channel_id = '${channel.id}'`)).toEqual([]);
    });
  });
}
