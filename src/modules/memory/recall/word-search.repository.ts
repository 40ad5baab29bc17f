import { Inject, Injectable } from '@nestjs/common';
import { idKeys, Reader, STORE, type SqlValue, type Store } from '../../../core/database/index.js';
import { DOCUMENTS, OPEN, roomOfOwn } from './audience.js';
import type { Term, TermMatch } from './terms.js';

// A term that more memories contain matches only the newest of them.
const MAX_MATCHES = 200;
// Each room adds to the cost of a search.
const MAX_ROOMS = 256;
const MAX_RECENT_PER_ROOM = 8;
const RECENT = -1;
const HAS_DOCUMENTS = -2;

const PLACES = 'SELECT rowid AS pos FROM memory_words WHERE memory_words MATCH ? ORDER BY rowid DESC LIMIT ?';
const OTHERS = 'pos NOT IN (SELECT pos FROM memory_places WHERE memory_id IN (SELECT key FROM json_each(?)))';
const IDS_AT = 'SELECT pos, memory_id AS id FROM memory_places WHERE pos IN (SELECT value FROM json_each(?))';

const INDEXED = '(memory_words(content) || memory_scopes(agent_id, room_id, entity_id, type, vouched))';
// Without MATERIALIZED, the planner would scan all memories by age and parse each of them.
const MATCHING = `AS MATERIALIZED (SELECT id, created_at FROM memories WHERE ${INDEXED} @@ (to_tsquery('simple', ?) && CAST(? AS tsquery)))`;
const RECENT_OF_ROOMS = `(SELECT ${RECENT} AS term, l.id, l.created_at FROM unnest(string_to_array(?, ',')) AS r(id)
  CROSS JOIN LATERAL (SELECT m.id, m.created_at FROM memories m WHERE m.agent_id = ? AND m.room_id = r.id AND m.type = 'messages'
      AND m.entity_id <> m.agent_id ORDER BY m.created_at DESC LIMIT ${MAX_RECENT_PER_ROOM}) l ORDER BY l.created_at DESC LIMIT ?)`;
const ANY_DOCUMENT = `(SELECT ${HAS_DOCUMENTS} AS term, id, created_at FROM memories
  WHERE agent_id = ? AND type IN ('documents', 'knowledge') LIMIT 1)`;

const OTHER = 'AND id NOT IN (SELECT key FROM json_each(?))';
// Reads indexes of `memories` up to the first row. The full-text index would read the entries of all the agent's memories.
const CANDIDATE = `SELECT 1 FROM memories WHERE agent_id = ? AND room_id = ? ${OTHER}
  UNION ALL SELECT 1 FROM memories WHERE agent_id = ? AND room_id = ? ${OTHER}
  UNION ALL SELECT 1 FROM memories WHERE agent_id = ? AND type IN ('documents', 'knowledge') ${OTHER} LIMIT 1`;

const MAX_CANDIDATES = 64;
const CANDIDATES = `SELECT id FROM memories WHERE agent_id = ? AND room_id = ?
  UNION ALL SELECT id FROM memories WHERE agent_id = ? AND room_id = ?
  UNION ALL SELECT id FROM memories WHERE agent_id = ? AND type IN ('documents', 'knowledge') LIMIT ${MAX_CANDIDATES}`;

/** What a search by words covers. */
export interface WordScope {
  readonly agentId: string;
  /** Audiences (see `audienceOf`); every memory of the agent when absent. Of more than 256 rooms, the first count. */
  readonly audiences?: ReadonlySet<string>;
  /** A user whose own words count in any number of rooms. Rooms that the audiences do not include may then match too. */
  readonly ownWordsOf?: string;
  /** Ids of memories to leave out. */
  readonly exclude: ReadonlySet<string>;
}

export interface WordMatches {
  /** For each term that has any, its newest matches. */
  readonly terms: readonly (readonly TermMatch[])[];
  /** The newest memories of the conversations in the scope, newest first. */
  readonly recent: readonly string[];
  /** Whether the agent has documents. */
  readonly hasDocuments: boolean;
}

/** Full-text search of memories: FTS5 on SQLite, tsvector on PostgreSQL. Search terms are always bound parameters. */
@Injectable()
export class WordSearchRepository {
  private readonly isPostgres: boolean;

  constructor(
    private readonly reader: Reader,
    @Inject(STORE) store: Store,
  ) {
    this.isPostgres = store.readSource.options.type === 'postgres';
  }

  /**
   * The newest memories that contain each term, and the newest `recent` memories of conversations, in one query that reads the index only.
   * Matches are named by keys, see `idsOf`.
   */
  async matches(scope: WordScope, terms: readonly Term[], recent: number): Promise<WordMatches> {
    const rows = this.isPostgres ? await this.onPostgres(scope, terms, recent) : await this.onSqlite(scope, terms, recent);
    const found = new Map<number, TermMatch[]>();
    for (const { term, key, recency } of rows) {
      const matches = found.get(term);
      if (matches) matches.push({ id: key, recency });
      else found.set(term, [{ id: key, recency }]);
    }
    return {
      terms: terms.flatMap((_, term) => (found.has(term) ? [found.get(term) ?? []] : [])),
      recent: (found.get(RECENT) ?? []).sort((a, b) => b.recency - a.recency).map(({ id }) => id),
      hasDocuments: found.has(HAS_DOCUMENTS),
    };
  }

  /** The ids of memories by the keys of `matches`. */
  async idsOf(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (this.isPostgres || keys.length === 0) return new Map(keys.map((key) => [key, key]));
    const rows = await this.reader.rows<{ pos: number; id: string }>(IDS_AT, [JSON.stringify(keys.map(Number))]);
    return new Map(rows.map(({ pos, id }) => [String(pos), id]));
  }

  /** Ids of some memories that a search in one room, with the memories for every room, could return: at most 64. */
  async candidates(agentId: string, roomId: string): Promise<string[]> {
    const rows = await this.reader.joined<{ id: string }>(CANDIDATES, [agentId, roomId, agentId, agentId, agentId]);
    return rows.map(({ id }) => id);
  }

  /**
   * Whether a search in one room, with the memories for every room, could return a memory that is not in `exclude`.
   *
   * @param candidates of `candidates`, if it has been called
   */
  async hasCandidates(agentId: string, roomId: string, exclude: ReadonlySet<string>, candidates?: readonly string[]): Promise<boolean> {
    if (candidates?.some((id) => !exclude.has(id)) === true) return true;
    if (candidates && candidates.length < MAX_CANDIDATES) return false;
    const excluded = idKeys(exclude);
    const params = [agentId, roomId, excluded, agentId, agentId, excluded, agentId, excluded];
    const rows = await this.reader.rows(CANDIDATE, params);
    return rows.length > 0;
  }

  private async onSqlite(scope: WordScope, terms: readonly Term[], recent: number): Promise<MatchRow[]> {
    const extra = scope.exclude.size;
    const within = scopeText(scope);
    const arms: { sql: string; params: SqlValue[] }[] = terms.map((term, index) => ({
      sql: `SELECT ${index} AS term, pos FROM (${PLACES})`,
      params: [`${within} AND text : (${sqliteWords(term)})`, MAX_MATCHES + extra],
    }));
    const newest = recentText(scope);
    if (recent > 0 && newest !== undefined) {
      arms.push({ sql: `SELECT ${RECENT} AS term, pos FROM (${PLACES})`, params: [newest, recent + extra] });
    }
    arms.push({
      sql: `SELECT ${HAS_DOCUMENTS} AS term, pos FROM (${PLACES})`,
      params: [`${agentText(scope)} AND scope : ("documents")`, 1],
    });
    const rows = await this.reader.rows<{ term: number; places: string }>(
      `SELECT term, group_concat(pos) AS places FROM (${arms.map(({ sql }) => sql).join(' UNION ALL ')}) WHERE ${OTHERS} GROUP BY term`,
      [...arms.flatMap(({ params }) => params), idKeys(scope.exclude)],
    );
    return rows.flatMap(({ term, places }) => places.split(',').map((key) => ({ term, key, recency: Number(key) })));
  }

  private async onPostgres(scope: WordScope, terms: readonly Term[], recent: number): Promise<MatchRow[]> {
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
        ...terms.flatMap((term) => [postgresWords(term), within]),
        ...terms.map(() => limit),
        ...(withRecent ? [rooms.join(','), agentId, recent + exclude.size] : []),
        agentId,
      ],
    );
    return rows
      .filter(({ id, term }) => term === HAS_DOCUMENTS || !exclude.has(id))
      .map(({ term, id, created_at: at }) => ({ term, key: id, recency: Number(at) }));
  }
}

interface MatchRow {
  readonly term: number;
  readonly key: string;
  readonly recency: number;
}

/** The rooms of audiences, with the letter of their scope: `r` all memories of the room, `v` the vouched ones. */
function roomsOf(audiences: ReadonlySet<string>): [letter: 'r' | 'v', roomId: string][] {
  const rooms: [letter: 'r' | 'v', roomId: string][] = [];
  for (const audience of audiences) {
    if (audience === OPEN || audience === DOCUMENTS) continue;
    const own = roomOfOwn(audience);
    rooms.push(own === undefined ? ['v', audience] : ['r', own]);
    if (rooms.length === MAX_ROOMS) break;
  }
  return rooms;
}

/** An FTS5 query; a quoted text has no operators. */
function sqliteWords(term: Term): string {
  return 'stem' in term ? `"${term.stem}" *` : term.forms.map((form) => `"${form}"`).join(' OR ');
}

function postgresWords(term: Term): string {
  return 'stem' in term ? `'${term.stem}':*` : term.forms.map((form) => `'${form}'`).join(' | ');
}

const bare = (id: string): string => id.replace(/[^0-9a-z]/gi, '');

function agentText({ agentId }: WordScope): string {
  return `scope : ("a${bare(agentId)}")`;
}

/** An FTS5 query for the memories of a scope. The rooms come first, because they have fewer. */
function scopeText(scope: WordScope): string {
  const { audiences } = scope;
  if (audiences === undefined) return agentText(scope);
  const open = [OPEN, DOCUMENTS].filter((each) => audiences.has(each));
  return `scope : (${[...open, ...conversationTerms(scope)].map((word) => `"${word}"`).join(' OR ')}) AND ${agentText(scope)}`;
}

/** As `scopeText`, for the newest messages: a single user's own, or those of the rooms; undefined when nothing is left. */
function recentText(scope: WordScope): string | undefined {
  const terms = scope.ownWordsOf === undefined ? conversationTerms(scope) : [`u${bare(scope.ownWordsOf)}`];
  return terms.length === 0 ? undefined : `scope : (${terms.map((word) => `"${word}"`).join(' OR ')}) AND ${agentText(scope)}`;
}

function conversationTerms({ audiences = new Set(), ownWordsOf }: WordScope): string[] {
  const rooms = roomsOf(audiences).map(([letter, room]) => `${letter}${bare(room)}`);
  return ownWordsOf === undefined ? rooms : [`u${bare(ownWordsOf)}`, ...rooms];
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
