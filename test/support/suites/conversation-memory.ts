import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Engine, Statement } from '../../../src/core/database/index.js';
import { AppError } from '../../../src/core/errors/index.js';
import { DEFAULT_SERVER_ID, idForAgent, newId } from '../../../src/core/ids/index.js';
import { ADA, BOB, type MemoryApp } from '../memory-app.js';
import { aChannel, ADA_SPEAKS, ANN, BEN, BOB_SPEAKS, message, RecallFixture } from '../recall-fixture.js';

/** What an agent records of a conversation. */
export function describeConversationMemory(engine: Engine): void {
  describe(`conversation memory on ${engine}`, () => {
    const fixture = new RecallFixture();
    const { conversation, record, recalled, count } = fixture;
    let test: MemoryApp;

    beforeAll(async () => {
      ({ test } = await fixture.open(engine));
    });
    afterAll(() => test.close());

    it('is empty for a channel without records', async () => {
      expect(await conversation().conversation(ADA.id, newId(), 10)).toEqual({ messages: [], rememberedSeq: 0, participants: [] });
      expect(conversation().record(ADA, aChannel(), [])).toEqual([]);
    });

    it('returns the newest records, oldest first', async () => {
      const channel = aChannel();
      const first = message(1, 'Hello');
      await record(channel, first, message(4, 'Hi', ADA_SPEAKS), message(7, 'Ahem', BOB_SPEAKS));
      const { messages, rememberedSeq } = await conversation().conversation(ADA.id, channel.id, 10);
      expect(rememberedSeq).toBe(7);
      expect(messages[0]).toEqual({
        ...{ memoryId: idForAgent(ADA.id, `${first.id}-${ADA.id}`), messageId: first.id, role: 'user', authorId: ANN.authorId },
        ...{ authorName: 'Ann', text: 'Hello', at: first.createdAt, seq: 1, hasFiles: false },
      });
      expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual(['user: Hello', 'agent: Hi', 'user: Ahem']);
      expect(await recalled(channel, 2)).toEqual(['Hi', 'Ahem']);
    });

    it('puts a reply after the message whose position it shares', async () => {
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

    it('creates the room, its world and its entities on demand', async () => {
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

    it('stores attachments and inReplyTo with the content', async () => {
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

    it('writes least for a room that was read, and everything after a failed unit', async () => {
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
}
