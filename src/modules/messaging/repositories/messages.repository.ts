import { Injectable } from '@nestjs/common';
import { Reader, type SqlValue, type Statement, type Transaction } from '../../../core/database/index.js';
import { CHANNEL_HEAD_SQL } from '../../../core/journal/index.js';
import type { Cursor, HistoryQuery, Message } from '../messages.types.js';

const COLUMNS =
  'id, channel_id, seq, pos, author_id, author_kind, author_name, content, raw_message, source_type, source_id, metadata, in_reply_to, client_message_id, vouched, created_at, updated_at';

const INSERT = `INSERT INTO messages (${COLUMNS})
  VALUES (?, ?, ${CHANNEL_HEAD_SQL}, (SELECT max(pos) FROM journal), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const UPDATE = `UPDATE messages SET author_id = ?, content = ?, raw_message = ?, source_type = ?, source_id = ?, metadata = ?, in_reply_to = ?,
  vouched = ?, updated_at = ? WHERE id = ?`;

interface MessageRecord {
  id: string;
  channel_id: string;
  server_id: string;
  seq: number;
  pos: number;
  author_id: string;
  author_kind: 'user' | 'agent';
  author_name: string | null;
  content: string;
  raw_message: string | null;
  source_type: string;
  source_id: string | null;
  metadata: string;
  in_reply_to: string | null;
  client_message_id: string | null;
  vouched: boolean | number;
  created_at: number;
  updated_at: number;
}

const SELECT = `SELECT ${COLUMNS.split(', ')
  .map((name) => `m.${name}`)
  .join(', ')}, c.server_id FROM messages m JOIN channels c ON c.id = m.channel_id`;

/** Reads messages, and words the statements that write them. Raw SQL: these are the hottest queries of the program. */
@Injectable()
export class MessagesRepository {
  constructor(private readonly reader: Reader) {}

  async find(id: string): Promise<Message | undefined> {
    return this.one('m.id = ?', [id]);
  }

  /** Inside a unit; on PostgreSQL the row stays locked until it ends. */
  async findIn(tx: Transaction, id: string): Promise<Message | undefined> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ' FOR UPDATE OF m' : '';
    const [row] = await tx.rows<MessageRecord>(`${SELECT} WHERE m.id = ?${lock}`, [id]);
    return row && toMessage(row);
  }

  async idsOf(tx: Transaction, channelId: string, authorId: string): Promise<string[]> {
    const rows = await tx.rows<{ id: string }>('SELECT id FROM messages WHERE channel_id = ? AND author_id = ? ORDER BY seq', [
      channelId,
      authorId,
    ]);
    return rows.map(({ id }) => id);
  }

  async authors(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.reader.rows<{ id: string; author_id: string }>(
      `SELECT id, author_id FROM messages WHERE id IN (${ids.map(() => '?').join(', ')})`,
      [...ids],
    );
    return new Map(rows.map(({ id, author_id: author }) => [id, author]));
  }

  async findByClientId(channelId: string, authorId: string, clientMessageId: string): Promise<Message | undefined> {
    return this.one('m.channel_id = ? AND m.author_id = ? AND m.client_message_id = ?', [channelId, authorId, clientMessageId]);
  }

  /** Messages at these positions of the journal, in the same order; without those that are gone. At most 100. */
  async at(positions: readonly number[]): Promise<Message[]> {
    const found = new Map((await this.among('m.pos', positions, -1)).map((message) => [message.offset, message]));
    return positions.flatMap((pos) => found.get(pos) ?? []);
  }

  /** Those of the ids that there are; at most 100. */
  findAll(ids: readonly string[]): Promise<Message[]> {
    return this.among('m.id', ids, '');
  }

  /** Newest first, one more than asked for when there are more. With only `after`, the oldest of the newer ones. */
  async page(channelId: string, query: HistoryQuery): Promise<Message[]> {
    const forward = query.after !== undefined && query.before === undefined;
    const conditions = ['m.channel_id = ?'];
    const params: SqlValue[] = [channelId];
    const bound = (cursor: Cursor | undefined, sign: '<' | '>'): void => {
      if (!cursor) return;
      conditions.push('at' in cursor ? `m.created_at ${sign} ?` : `m.seq ${sign} ?`);
      params.push('at' in cursor ? cursor.at : cursor.seq);
    };
    bound(query.before, '<');
    bound(query.after, '>');
    const rows = await this.reader.rows<MessageRecord>(
      `${SELECT} WHERE ${conditions.join(' AND ')} ORDER BY m.seq ${forward ? 'ASC' : 'DESC'} LIMIT ${query.limit + 1}`,
      params,
    );
    return rows.map(toMessage);
  }

  /**
   * What was said in a channel behind the position `after`, oldest first, as the turn of the message at `upTo` may see it:
   * users' messages up to that one, and all that agents said. The newest `limit` of them.
   */
  async said(channelId: string, after: number, upTo: number, limit: number): Promise<Message[]> {
    const rows = await this.reader.rows<MessageRecord>(
      `${SELECT} WHERE m.channel_id = ? AND m.seq > ? AND (m.seq <= ? OR m.author_kind = 'agent') ORDER BY m.seq DESC LIMIT ${limit}`,
      [channelId, after, upTo],
    );
    return rows.map(toMessage).reverse();
  }

  /** Belongs directly behind the `message.created` entry, whose position it takes over. */
  insert(message: Omit<Message, 'seq' | 'offset'>): Statement {
    return {
      sql: INSERT,
      params: [
        message.id,
        message.channelId,
        message.channelId,
        message.authorId,
        message.authorKind,
        message.authorName,
        message.content,
        message.rawMessage === null ? null : JSON.stringify(message.rawMessage),
        message.sourceType,
        message.sourceId,
        JSON.stringify(message.metadata),
        message.inReplyTo,
        message.clientMessageId,
        message.vouched,
        message.createdAt,
        message.updatedAt,
      ],
    };
  }

  update(message: Message): Statement {
    return {
      sql: UPDATE,
      params: [
        message.authorId,
        message.content,
        message.rawMessage === null ? null : JSON.stringify(message.rawMessage),
        message.sourceType,
        message.sourceId,
        JSON.stringify(message.metadata),
        message.inReplyTo,
        message.vouched,
        message.updatedAt,
        message.id,
      ],
    };
  }

  delete(channelId: string, id: string, refuse: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM messages WHERE channel_id = ? AND id = ?', params: [channelId, id], refuse };
  }

  clear(channelId: string): Statement {
    return { sql: 'DELETE FROM messages WHERE channel_id = ?', params: [channelId], counted: true };
  }

  private async among(column: string, values: readonly SqlValue[], none: SqlValue): Promise<Message[]> {
    if (values.length === 0) return [];
    // Filled up to one of few lengths, so that the query has few texts.
    const length = [1, 10, 100].find((each) => each >= values.length) ?? values.length;
    const params = Array.from({ length }, (_, index) => values[index] ?? none);
    return (await this.reader.rows<MessageRecord>(`${SELECT} WHERE ${column} IN (${params.map(() => '?').join(', ')})`, params)).map(
      toMessage,
    );
  }

  private async one(where: string, params: SqlValue[]): Promise<Message | undefined> {
    const [row] = await this.reader.rows<MessageRecord>(`${SELECT} WHERE ${where}`, params);
    return row && toMessage(row);
  }
}

function toMessage(row: MessageRecord): Message {
  return {
    id: row.id,
    channelId: row.channel_id,
    serverId: row.server_id,
    seq: row.seq,
    offset: row.pos,
    authorId: row.author_id,
    authorKind: row.author_kind,
    authorName: row.author_name,
    content: row.content,
    rawMessage: row.raw_message === null ? null : (JSON.parse(row.raw_message) as Record<string, unknown>),
    sourceType: row.source_type,
    sourceId: row.source_id,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    inReplyTo: row.in_reply_to,
    clientMessageId: row.client_message_id,
    vouched: Boolean(row.vouched),
    awaiting: [],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
