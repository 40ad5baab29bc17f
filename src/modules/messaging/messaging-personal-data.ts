import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { idKeys, Reader, tableOf, type Row, type Transaction } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import {
  addToScope,
  exportRows,
  inScope,
  itemStep,
  readStep,
  type Erasure,
  type ErasureStep,
  type PersonalData,
  type PersonalRecord,
} from '../../core/personal-data/index.js';
import { ChannelsService } from './channels/channels.service.js';
import { ChannelRow } from './entities/index.js';
import { MessageRow } from './entities/message.entity.js';
import { GENERAL_CHANNEL_ID } from './channels/general-channel.js';
import { MessageHooks } from './messages/message-hooks.js';
import { MessagesRepository } from './messages/messages.repository.js';

const MESSAGES = tableOf(MessageRow);
const CHANNELS = tableOf(ChannelRow);
const BATCH = 100;
const CHANNELS_AT_ONCE = 10;

const MESSAGE_ROWS = { table: 'messages', key: ['pos'] };
// A channel is the user's alone when it lists the user and no other one, and no other one has written in it.
const PRIVATE = `channel_id <> '${GENERAL_CHANNEL_ID}'
  AND NOT EXISTS (SELECT 1 FROM channel_participants o WHERE o.channel_id = p.channel_id AND o.kind = 'user' AND o.entity_id <> p.entity_id)
  AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.channel_id = p.channel_id AND m.author_kind = 'user' AND m.author_id <> p.entity_id)`;
const NEXT_PLACES = `SELECT p.channel_id AS id, CASE WHEN ${PRIVATE} THEN 1 ELSE 0 END AS alone FROM channel_participants p
  WHERE p.entity_id = ? AND p.joined_at <= ? AND p.channel_id NOT IN (SELECT item_id FROM forget_scope WHERE request_id = ?)
  ORDER BY p.channel_id LIMIT ?`;
const NEXT_MESSAGES = `SELECT m.id FROM messages m JOIN forget_scope s ON s.item_id = m.id WHERE s.request_id = ? AND s.kind = ? LIMIT ?`;
// Newer messages of the user stay, and with them the channel and its list of participants.
const NONE_NEWER = `NOT EXISTS (SELECT 1 FROM messages m WHERE m.channel_id = p.channel_id AND m.author_kind = 'user'
  AND m.author_id = p.entity_id AND m.pos > ?)`;
const NEXT_CHANNELS = `SELECT p.channel_id AS id FROM channel_participants p JOIN forget_scope s ON s.item_id = p.channel_id
  WHERE p.entity_id = ? AND s.request_id = ? AND s.kind = ? AND ${NONE_NEWER} ORDER BY p.channel_id LIMIT ?`;
const EXPORTED = `SELECT ${MESSAGES.columns} FROM messages WHERE (author_id = ? AND author_kind = 'user')
  OR (author_kind = 'agent' AND in_reply_to IN (SELECT q.id FROM messages q WHERE q.author_id = ? AND q.author_kind = 'user'))`;

/**
 * Condition on a row with `channel_id` and `user_id`: the user wrote in the channel after an offset, its parameter.
 *
 * @param table of the row
 */
export function userWroteAfter(table: string): string {
  return `EXISTS (SELECT 1 FROM messages m WHERE m.channel_id = ${table}.channel_id AND m.author_id = ${table}.user_id AND m.pos > ?)`;
}

/**
 * Messages and channels of users. A channel that only the user and agents share is deleted. Of other channels, the user's messages, the
 * agents' replies to them (which are made of the user's words) and the participation are.
 */
@Injectable()
export class MessagingPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[];

  constructor(
    private readonly reader: Reader,
    private readonly messages: MessagesRepository,
    private readonly channels: ChannelsService,
    private readonly hooks: MessageHooks,
    private readonly clock: Clock,
  ) {
    this.steps = [
      this.collectChannels(),
      readStep<{ id: string }>(
        { kind: 'messages', effect: 'collected', order: 1 },
        MESSAGE_ROWS,
        {
          columns: 'id',
          where: `pos <= ? AND ((author_id = ? AND author_kind = 'user') OR channel_id IN ${inScope('channel')})`,
          params: ({ upTo, userId, requestId }) => [upTo, userId, requestId],
        },
        collectAs('message'),
      ),
      this.deletion('messages', 'message', 20),
      // Only now, because the deletion has cancelled the replies that were being written.
      readStep<{ id: string }>(
        { kind: 'replies', effect: 'collected', order: 30 },
        MESSAGE_ROWS,
        { columns: 'id', where: `author_kind = 'agent' AND in_reply_to IN ${inScope('message')}`, params: ({ requestId }) => [requestId] },
        collectAs('reply'),
      ),
      this.deletion('replies', 'reply', 31),
      itemStep({ kind: 'channels', effect: 'deleted', order: 50 }, CHANNELS_AT_ONCE, this.next('channel'), (ids, _erasure, tx) =>
        tx.apply(ids.flatMap((id) => this.channels.deletionStatements(id))).then(() => undefined),
      ),
      itemStep(
        { kind: 'participations', effect: 'deleted', order: 51 },
        CHANNELS_AT_ONCE,
        this.next('place'),
        async (ids, { userId }, tx) => {
          for (const id of ids) await this.channels.updateIn(tx, id, { leaving: [userId] });
        },
      ),
    ];
  }

  async *export(userId: string): AsyncGenerator<readonly PersonalRecord[], void> {
    const read = (row: Row): Record<string, unknown> => ({ ...MESSAGES.read(row) });
    yield* exportRows(this.reader, 'messages', { sql: EXPORTED, params: [userId, userId], bytes: MESSAGES.bytesIn('x') }, 'id', read);
    const sql = `SELECT ${CHANNELS.columnsOf('c')}, p.joined_at AS "joinedAt" FROM channel_participants p JOIN channels c ON c.id = p.channel_id
      WHERE p.entity_id = ? AND p.kind = 'user'`;
    const readChannel = (row: Row): Record<string, unknown> => ({ ...CHANNELS.read(row), joinedAt: Number(row['joinedAt']) });
    yield* exportRows(this.reader, 'channels', { sql, params: [userId], bytes: CHANNELS.bytesIn('x') }, 'id', readChannel);
  }

  /** Writes down the channels of the user: those that are deleted, and those that stay. */
  private collectChannels(): ErasureStep {
    return {
      kind: 'channels',
      effect: 'collected',
      order: 0,
      batch: async (erasure, tx) => {
        const { userId, at, requestId } = erasure;
        const rows = await tx.rows<{ id: string; alone: number }>(NEXT_PLACES, [userId, at, requestId, BATCH]);
        const idsOf = (alone: number): string[] => rows.filter((row) => row.alone === alone).map(({ id }) => id);
        await addToScope(erasure, tx, 'channel', idsOf(1));
        await addToScope(erasure, tx, 'place', idsOf(0));
        return { changed: rows.length, next: rows.length < BATCH ? null : '' };
      },
    };
  }

  /** Deletes messages of the scope as `MessagesService` does: the hooks cancel turns and delete memories. */
  private deletion(kind: string, item: 'message' | 'reply', order: number): ErasureStep {
    const take: Take = async ({ requestId }, tx, limit) =>
      (await tx.rows<{ id: string }>(NEXT_MESSAGES, [requestId, item, limit])).map(({ id }) => id);
    return itemStep({ kind, effect: 'deleted', order }, BATCH, take, async (ids, erasure, tx) => {
      const sql = 'SELECT id, channel_id AS "channelId" FROM messages WHERE id IN (SELECT key FROM json_each(?))';
      const rows = await tx.rows<{ id: string; channelId: string }>(sql, [idKeys(ids)]);
      for (const channel of await this.channels.findAllIn(tx, [...new Set(rows.map(({ channelId }) => channelId))])) {
        const deleted = rows.filter(({ channelId }) => channelId === channel.id).map(({ id }) => id);
        await addToScope(erasure, tx, 'place', [channel.id]);
        await tx.apply([
          ...(await this.hooks.onMessagesDeleted(channel, deleted, tx)),
          this.messages.deleteAll(channel.id, deleted),
          ...deleted.map((messageId) =>
            append('message.deleted', channel.id, { messageId, channelId: channel.id }, this.clock.now(), erasure.requestId),
          ),
        ]);
      }
    });
  }

  private next(kind: 'channel' | 'place'): Take {
    return async ({ userId, requestId, upTo }, tx, limit) =>
      (await tx.rows<{ id: string }>(NEXT_CHANNELS, [userId, requestId, kind, upTo, limit])).map(({ id }) => id);
  }
}

type Take = (erasure: Erasure, tx: Transaction, limit: number) => Promise<string[]>;

function collectAs(kind: 'message' | 'reply') {
  return async (rows: { id: string }[], erasure: Erasure, tx: Transaction): Promise<number> => {
    await addToScope(
      erasure,
      tx,
      kind,
      rows.map(({ id }) => id),
    );
    return rows.length;
  };
}
