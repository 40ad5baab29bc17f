import { Inject, Injectable } from '@nestjs/common';
import { Reader, STORE, type SqlValue, type Store } from '../../../core/database/index.js';

// Enough of a message to tell how well it fits.
const EXCERPT = 'substr(m.content, 1, 600) AS excerpt';

// As in the index ix_messages_words.
const WORDS = (text: string): string => `translate(${text}, './@:-_+&%#=~', '            ')`;

export interface MessageFilter {
  /** Words and phrases that a message has to have; all messages when there are none. */
  readonly parts: readonly string[];
  readonly channelId?: string;
  readonly authorId?: string;
  /** Epoch ms, inclusive. */
  readonly from?: number;
  /** Epoch ms, inclusive. */
  readonly to?: number;
}

export interface MatchRow {
  /** Position of the message in the journal, which is unique to it and grows with time. */
  readonly pos: number;
  readonly excerpt: string;
}

/** Finds messages by their words: SQLite's full-text index, or PostgreSQL's own. What was searched for is never part of the SQL. */
@Injectable()
export class MessageSearchRepository {
  private readonly postgres: boolean;

  constructor(
    private readonly reader: Reader,
    @Inject(STORE) store: Store,
  ) {
    this.postgres = store.reading.options.type === 'postgres';
  }

  /** What fits the filter at or below the position `upTo`, the newest first. */
  matches(filter: MessageFilter, upTo: number, limit: number): Promise<MatchRow[]> {
    return this.postgres ? this.onPostgres(filter, upTo, limit) : this.onSqlite(filter, upTo, limit);
  }

  private onSqlite(filter: MessageFilter, upTo: number, limit: number): Promise<MatchRow[]> {
    const match = matchText(filter);
    const { sql, params } = conditions({ from: filter.from, to: filter.to });
    if (match === undefined) {
      return this.reader.rows(`SELECT m.pos, ${EXCERPT} FROM messages m WHERE m.pos <= ?${sql} ORDER BY m.pos DESC LIMIT ?`, [
        upTo,
        ...params,
        limit,
      ]);
    }
    return this.reader.rows(
      `SELECT m.pos, ${EXCERPT} FROM message_words w CROSS JOIN messages m ON m.pos = w.rowid
        WHERE w.message_words MATCH ? AND w.rowid <= ?${sql} ORDER BY w.rowid DESC LIMIT ?`,
      [match, upTo, ...params, limit],
    );
  }

  private onPostgres(filter: MessageFilter, upTo: number, limit: number): Promise<MatchRow[]> {
    const { sql, params } = conditions(filter);
    if (filter.parts.length === 0) {
      // In a channel both orders are the same, and this one has an index.
      const order = filter.channelId === undefined ? 'm.pos' : 'm.seq';
      return this.reader.rows(`SELECT m.pos, ${EXCERPT} FROM messages m WHERE m.pos <= ?${sql} ORDER BY ${order} DESC LIMIT ?`, [
        upTo,
        ...params,
        limit,
      ]);
    }
    // In one piece the planner would walk through all messages by age and take each apart.
    return this.reader.rows(
      `WITH m AS MATERIALIZED (SELECT m.pos, m.content FROM messages m
        WHERE to_tsvector('simple', ${WORDS('m.content')}) @@ websearch_to_tsquery('simple', ${WORDS('?')}) AND m.pos <= ?${sql})
        SELECT m.pos, ${EXCERPT} FROM m ORDER BY m.pos DESC LIMIT ?`,
      [filter.parts.map(quoted).join(' '), upTo, ...params, limit],
    );
  }
}

function conditions({ channelId, authorId, from, to }: Omit<MessageFilter, 'parts'>): { sql: string; params: SqlValue[] } {
  const given = (
    [
      ['m.channel_id = ?', channelId],
      ['m.author_id = ?', authorId],
      ['m.created_at >= ?', from],
      ['m.created_at <= ?', to],
    ] as const
  ).filter(([, value]) => value !== undefined);
  return { sql: given.map(([sql]) => ` AND ${sql}`).join(''), params: given.map(([, value]) => value ?? null) };
}

/** The filter in the language of FTS5, where a quoted text is nothing but the words in it. */
function matchText({ parts, channelId, authorId }: MessageFilter): string | undefined {
  const scope = [
    ...(channelId === undefined ? [] : [`c${channelId.replaceAll('-', '')}`]),
    ...(authorId === undefined ? [] : [`a${authorId.replaceAll('-', '')}`]),
  ];
  const columns = [
    ...(parts.length > 0 ? [`content : (${parts.map(quoted).join(' AND ')})`] : []),
    ...(scope.length > 0 ? [`scope : (${scope.map(quoted).join(' AND ')})`] : []),
  ];
  return columns.length > 0 ? columns.join(' AND ') : undefined;
}

function quoted(part: string): string {
  return `"${part.replaceAll('"', ' ')}"`;
}
