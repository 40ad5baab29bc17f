import type { Reader } from '../../../core/database/index.js';
import { DOCUMENTS, OPEN } from './audience.js';
import { toTsquery, type SearchTerm } from '../../../core/search/index.js';
import { HAS_DOCUMENTS, MAX_MATCHES, RECENT, roomsOf, type MatchRow, type WordScope, type WordSearch } from './word-scope.js';

const MAX_RECENT_PER_ROOM = 8;
const SCOPES = 'memory_scopes(agent_id, room_id, entity_id, type, vouched)';
// Memories with words are found by both: the words are of the same text, in the forms of its language.
const INDEXED = [`(memory_words(content) || ${SCOPES})`, `words IS NOT NULL AND (to_tsvector('simple', words) || ${SCOPES})`];
// Without MATERIALIZED, the planner would scan all memories by age and parse each of them.
const MATCHING = `AS MATERIALIZED (SELECT id, created_at FROM memories, (SELECT to_tsquery('simple', ?) && CAST(? AS tsquery) AS query) q
  WHERE ${INDEXED.map((indexed) => `${indexed} @@ query`).join(' OR ')})`;
const RECENT_OF_ROOMS = `(SELECT ${RECENT} AS term, l.id, l.created_at FROM unnest(string_to_array(?, ',')) AS r(id)
  CROSS JOIN LATERAL (SELECT m.id, m.created_at FROM memories m WHERE m.agent_id = ? AND m.room_id = r.id AND m.type = 'messages'
      AND m.entity_id <> m.agent_id ORDER BY m.created_at DESC LIMIT ${MAX_RECENT_PER_ROOM}) l ORDER BY l.created_at DESC LIMIT ?)`;
const ANY_DOCUMENT = `(SELECT ${HAS_DOCUMENTS} AS term, id, created_at FROM memories
  WHERE agent_id = ? AND type IN ('documents', 'knowledge') LIMIT 1)`;

/** tsvector. Keys are ids. */
export class PostgresWordSearch implements WordSearch {
  constructor(private readonly reader: Reader) {}

  async matches(scope: WordScope, terms: readonly SearchTerm[], recent: number): Promise<MatchRow[]> {
    const { agentId, exclude } = scope;
    const limit = MAX_MATCHES + exclude.size;
    const within = scopeQuery(scope);
    const named = terms.map((_, index) => `t${index} ${MATCHING}`);
    const arms = terms.map((_, index) => `(SELECT ${index} AS term, id, created_at FROM t${index} ORDER BY created_at DESC LIMIT ?)`);
    const rooms = roomsOf(scope.audiences ?? new Set()).map(([, room]) => room);
    const withRecent = recent > 0 && rooms.length > 0;
    const sql = [...arms, ...(withRecent ? [RECENT_OF_ROOMS] : []), ANY_DOCUMENT].join(' UNION ALL ');
    const rows = await this.reader.rows<{ term: number; id: string; created_at: number | string }>(
      `${named.length === 0 ? '' : `WITH ${named.join(', ')}`} ${sql}`,
      [
        ...terms.flatMap((term) => [toTsquery(term), within]),
        ...terms.map(() => limit),
        ...(withRecent ? [rooms.join(','), agentId, recent + exclude.size] : []),
        agentId,
      ],
    );
    return rows
      .filter(({ id, term }) => term === HAS_DOCUMENTS || !exclude.has(id))
      .map(({ term, id, created_at: at }) => ({ term, key: id, recency: Number(at) }));
  }

  async idsOf(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map(keys.map((key) => [key, key]));
  }
}

/** A tsquery for the memories of a scope. */
function scopeQuery({ agentId, audiences, ownWordsOf }: WordScope): string {
  const name = (letter: string, id: string): string => `'${letter}:${id.replace(/[^0-9a-z-]/gi, '')}'`;
  if (audiences === undefined) return name('a', agentId);
  const within = [
    ...[OPEN, DOCUMENTS].filter((each) => audiences.has(each)).map((each) => name('o', each)),
    ...(ownWordsOf === undefined ? [] : [name('u', ownWordsOf)]),
    ...roomsOf(audiences).map(([letter, room]) => name(letter, room)),
  ];
  return within.length === 0 ? name('o', 'nothing') : `${name('a', agentId)} & (${within.join(' | ')})`;
}
