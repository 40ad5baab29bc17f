import { Inject, Injectable } from '@nestjs/common';
import { Reader, STORE, type SqlValue, type Store } from '../../../core/database/index.js';
import { toFts5, toTsquery, type SearchTerm } from '../../../core/search/index.js';
import { MESSAGE_BYTES } from './messages.repository.js';

// The part of a message that ranking considers.
const EXCERPT = `substr(m.content, 1, 600) AS excerpt, ${MESSAGE_BYTES} AS bytes`;

// As in the indexes ix_messages_words and ix_messages_indexed_words. Messages with words are found by both: the words are of the same text, in the
// forms of its language.
const INDEXED = [
  `to_tsvector('simple', translate(m.content, './@:-_+&%#=~', '            '))`,
  `m.words IS NOT NULL AND to_tsvector('simple', m.words)`,
];

export interface MessageFilter {
  /** What a message must contain; empty for all messages. */
  readonly terms: readonly SearchTerm[];
  readonly channelId?: string;
  readonly authorId?: string;
  /** Epoch ms, inclusive. */
  readonly from?: number;
  /** Epoch ms, inclusive. */
  readonly to?: number;
}

export interface MatchRow {
  /** Journal offset of the message: unique and increasing. */
  readonly pos: number;
  readonly excerpt: string;
  /** Stored bytes of the message. */
  readonly bytes: number;
}

/** Full-text search of messages: FTS5 on SQLite, tsvector on PostgreSQL. Search texts are always bound parameters. */
@Injectable()
export class MessageSearchRepository {
  private readonly isPostgres: boolean;

  constructor(
    private readonly reader: Reader,
    @Inject(STORE) store: Store,
  ) {
    this.isPostgres = store.readSource.options.type === 'postgres';
  }

  /** The messages that match the filter, up to the position `upTo`, newest first. */
  matches(filter: MessageFilter, upTo: number, limit: number): Promise<MatchRow[]> {
    return this.isPostgres ? this.onPostgres(filter, upTo, limit) : this.onSqlite(filter, upTo, limit);
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
    if (filter.terms.length === 0) {
      // Within a channel both orders are equal, and `seq` has an index.
      const order = filter.channelId === undefined ? 'm.pos' : 'm.seq';
      return this.reader.rows(`SELECT m.pos, ${EXCERPT} FROM messages m WHERE m.pos <= ?${sql} ORDER BY ${order} DESC LIMIT ?`, [
        upTo,
        ...params,
        limit,
      ]);
    }
    const query = filter.terms.map(toTsquery).join(' & ');
    // Without MATERIALIZED, the planner would scan all messages by age and parse each of them.
    return this.reader.rows(
      `WITH m AS MATERIALIZED (SELECT m.* FROM messages m
        WHERE (${INDEXED.map((indexed) => `${indexed} @@ to_tsquery('simple', ?)`).join(' OR ')}) AND m.pos <= ?${sql})
        SELECT m.pos, ${EXCERPT} FROM m ORDER BY m.pos DESC LIMIT ?`,
      [...INDEXED.map(() => query), upTo, ...params, limit],
    );
  }
}

function conditions({ channelId, authorId, from, to }: Omit<MessageFilter, 'terms'>): { sql: string; params: SqlValue[] } {
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

/** The filter as an FTS5 query. */
function matchText({ terms, channelId, authorId }: MessageFilter): string | undefined {
  const scope = [
    ...(channelId === undefined ? [] : [`c${channelId.replaceAll('-', '')}`]),
    ...(authorId === undefined ? [] : [`a${authorId.replaceAll('-', '')}`]),
  ];
  const columns = [
    ...(terms.length > 0 ? [`content : (${terms.map((term) => `(${toFts5(term)})`).join(' AND ')})`] : []),
    ...(scope.length > 0 ? [`scope : (${scope.map((word) => `"${word}"`).join(' AND ')})`] : []),
  ];
  return columns.length > 0 ? columns.join(' AND ') : undefined;
}
