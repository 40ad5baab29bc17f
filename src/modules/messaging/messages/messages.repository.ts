import { Injectable } from '@nestjs/common';
import {
  idKeys,
  NEW_ENTRY_POS,
  NEW_ENTRY_SEQ,
  Reader,
  tableOf,
  type Page,
  type SqlValue,
  type Statement,
  type Transaction,
} from '../../../core/database/index.js';
import { indexedWords } from '../../../core/search/index.js';
import { MessageRow } from '../entities/message.entity.js';
import type { HistoryPosition, HistoryQuery, Message, MessageDraft, MessageBeginning } from './messages.types.js';

const MESSAGES = tableOf(MessageRow);
const WITH_WORDS = tableOf(MessageRow, 'words');
// The statement takes its position from the journal entry before it.
const NEW = WITH_WORDS.omit('seq', 'offset');

const INSERT = `INSERT INTO messages (${NEW.names}, seq, pos)
  VALUES (${NEW.names.replaceAll(/"\w+"/g, '?')}, ${NEW_ENTRY_SEQ}, ${NEW_ENTRY_POS})`;

const CHANGED = WITH_WORDS.pick(
  'authorId',
  'content',
  'words',
  'rawMessage',
  'sourceType',
  'sourceId',
  'metadata',
  'inReplyTo',
  'vouched',
  'updatedAt',
);
const UPDATE = `UPDATE messages SET ${CHANGED.assignments} WHERE id = ?`;

/** Columns of `SELECT` that are not in `messages`. */
type WithServer = Pick<Message, 'serverId'>;

const COLUMNS = `${MESSAGES.columnsOf('m')}, c.server_id AS "serverId"`;
const FROM = 'FROM messages m JOIN channels c ON c.id = m.channel_id';
const SELECT = `SELECT ${COLUMNS} ${FROM}`;
/** SQL for the stored bytes of the message `m`. */
/** Bytes of a message in a page, where what its client sent stands under two names. */
export const MESSAGE_BYTES = `${MESSAGES.bytesOf('m')} + coalesce(octet_length(m.raw_message), 0)`;

/** Reads messages and builds the statements that write them. Raw SQL, because these are the most frequent queries. */
@Injectable()
export class MessagesRepository {
  constructor(private readonly reader: Reader) {}

  async find(id: string): Promise<Message | undefined> {
    return this.findOneWhere('m.id = ?', [id]);
  }

  /** Reads in a transaction; on PostgreSQL the row stays locked until the transaction ends. */
  async findIn(tx: Transaction, id: string): Promise<Message | undefined> {
    const [row] = await tx.rows<WithServer>(`${SELECT} WHERE m.id = ? ${tx.locking('FOR UPDATE OF m')}`, [id]);
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

  /** The beginnings of messages. @param length characters */
  async beginnings(ids: readonly string[], length: number): Promise<Map<string, MessageBeginning>> {
    const rows = await this.reader.rows<{ id: string; author: string; text: string }>(
      'SELECT id, author_id AS author, substr(content, 1, ?) AS text FROM messages WHERE id IN (SELECT key FROM json_each(?))',
      [length, idKeys(ids)],
    );
    return new Map(rows.map(({ id, author, text }) => [id, { authorId: author, text }]));
  }

  async findByClientId(channelId: string, authorId: string, clientMessageId: string): Promise<Message | undefined> {
    return this.findOneWhere('m.channel_id = ? AND m.author_id = ? AND m.client_message_id = ?', [channelId, authorId, clientMessageId]);
  }

  /** The messages that exist at these journal offsets, in the same order; at most 100. */
  async findAtOffsets(positions: readonly number[]): Promise<Message[]> {
    const found = new Map((await this.findWhereIn('m.pos', positions, -1)).map((message) => [message.offset, message]));
    return positions.flatMap((pos) => found.get(pos) ?? []);
  }

  /** The messages that exist among at most 100 ids. */
  findAll(ids: readonly string[]): Promise<Message[]> {
    return this.findWhereIn('m.id', ids, '');
  }

  /** Newest first. With only `after`: the oldest newer messages, oldest first. */
  async page(channelId: string, query: HistoryQuery): Promise<Page<Message>> {
    const forward = query.after !== undefined && query.before === undefined;
    const conditions = ['m.channel_id = ?'];
    const params: SqlValue[] = [channelId];
    const bound = (cursor: HistoryPosition | undefined, sign: '<' | '>'): void => {
      if (!cursor) return;
      conditions.push('at' in cursor ? `m.created_at ${sign} ?` : `m.seq ${sign} ?`);
      params.push('at' in cursor ? cursor.at : cursor.seq);
    };
    bound(query.before, '<');
    bound(query.after, '>');
    const { rows, ...page } = await this.reader.page<WithServer>({
      columns: COLUMNS,
      bytes: MESSAGE_BYTES,
      from: `${FROM} WHERE ${conditions.join(' AND ')}`,
      params,
      order: `m.seq ${forward ? 'ASC' : 'DESC'}`,
      limit: query.limit,
    });
    return { ...page, rows: rows.map(toMessage) };
  }

  /**
   * The messages of a channel after position `after` that the turn of the message at `upTo` may see: users' messages up to `upTo` and
   * all messages of agents. The newest `limit` of them, oldest first.
   */
  async transcript(channelId: string, after: number, upTo: number, limit: number): Promise<Message[]> {
    const rows = await this.reader.joined<WithServer>(
      `${SELECT} WHERE m.channel_id = ? AND m.seq > ? AND (m.seq <= ? OR m.author_kind = 'agent') ORDER BY m.seq DESC LIMIT ${limit}`,
      [channelId, after, upTo],
    );
    return rows.map(toMessage).reverse();
  }

  /** Must follow the statement of the `message.created` entry, whose position it takes, before that of another entry. */
  insert(message: MessageDraft): Statement {
    return {
      sql: INSERT,
      params: NEW.params({ ...message, words: indexedWords(message.content) }),
      independent: true,
      parents: [{ table: 'channels', key: { id: message.channelId } }],
    };
  }

  update(message: Message): Statement {
    return { sql: UPDATE, params: [...CHANGED.params({ ...message, words: indexedWords(message.content) }), message.id] };
  }

  delete(channelId: string, id: string, refuse: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM messages WHERE channel_id = ? AND id = ?', params: [channelId, id], refuse };
  }

  deleteAll(channelId: string, ids: readonly string[]): Statement {
    return { sql: 'DELETE FROM messages WHERE channel_id = ? AND id IN (SELECT key FROM json_each(?))', params: [channelId, idKeys(ids)] };
  }

  clear(channelId: string): Statement {
    return { sql: 'DELETE FROM messages WHERE channel_id = ?', params: [channelId], counted: true };
  }

  private async findWhereIn(column: string, values: readonly SqlValue[], none: SqlValue): Promise<Message[]> {
    if (values.length === 0) return [];
    // Padded to a few fixed lengths, so that there are only a few distinct statements.
    const length = [1, 10, 100].find((each) => each >= values.length) ?? values.length;
    const params = Array.from({ length }, (_, index) => values[index] ?? none);
    return (await this.reader.rows<WithServer>(`${SELECT} WHERE ${column} IN (${params.map(() => '?').join(', ')})`, params)).map(
      toMessage,
    );
  }

  private async findOneWhere(where: string, params: SqlValue[]): Promise<Message | undefined> {
    const [row] = await this.reader.rows<WithServer>(`${SELECT} WHERE ${where}`, params);
    return row && toMessage(row);
  }
}

function toMessage(row: WithServer): Message {
  return { ...MESSAGES.read(row), awaiting: [] };
}
