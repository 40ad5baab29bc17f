import { Inject, Injectable } from '@nestjs/common';
import { idKeys, Reader, STORE, type Store } from '../../../core/database/index.js';
import type { AudienceFields } from '../audience.js';
import type { TermMatch, Term } from '../keyword-search.js';

// A term that more memories contain matches only the newest of them.
const MAX_MATCHES = 200;
// Each room adds to the cost of a search. Beyond this number, the newest matches of all rooms are read and filtered instead.
const MAX_ROOMS = 64;
const MAX_UNSCOPED_MATCHES = 2000;

const SQLITE = `SELECT m.id, m.room_id, m.type, m.vouched, w.pos AS recency
  FROM (SELECT rowid AS pos FROM memory_words WHERE memory_words MATCH ? ORDER BY rowid DESC LIMIT ?) w
  CROSS JOIN memory_places p ON p.pos = w.pos CROSS JOIN memories m ON m.id = p.memory_id ORDER BY w.pos DESC`;
// Without MATERIALIZED, the planner would scan all memories by age and parse each of them.
const MATCHING = `WITH m AS MATERIALIZED (SELECT id, room_id, type, vouched, created_at FROM memories
  WHERE memory_words(content) @@ to_tsquery('simple', ?) AND agent_id = ?)
  SELECT id, room_id, type, vouched, created_at AS recency FROM m`;
const POSTGRES = `${MATCHING} ORDER BY created_at DESC LIMIT ?`;
const POSTGRES_ROOMS = `${MATCHING} WHERE room_id = ? OR type IN ('documents', 'knowledge') OR room_id = ANY(string_to_array(?, ','))
  ORDER BY created_at DESC LIMIT ?`;

const OTHER = 'AND id NOT IN (SELECT key FROM json_each(?))';
// Reads indexes of `memories` up to the first row. The full-text index would read the entries of all the agent's memories.
const CANDIDATE = `SELECT 1 FROM memories WHERE agent_id = ? AND room_id = ? ${OTHER}
  UNION ALL SELECT 1 FROM memories WHERE agent_id = ? AND room_id = ? ${OTHER}
  UNION ALL SELECT 1 FROM memories WHERE agent_id = ? AND type IN ('documents', 'knowledge') ${OTHER} LIMIT 1`;
const PLACES = 'SELECT rowid AS pos FROM memory_words WHERE memory_words MATCH ? ORDER BY rowid DESC LIMIT ?';
const OTHERS = 'pos NOT IN (SELECT pos FROM memory_places WHERE memory_id IN (SELECT key FROM json_each(?)))';
const MEMORIES_AT = `SELECT p.pos, m.id FROM memory_places p JOIN memories m ON m.id = p.memory_id
  WHERE p.pos IN (SELECT value FROM json_each(?)) AND m.entity_id <> ?`;

interface MatchRow {
  id: string;
  room_id: string;
  type: string;
  vouched: boolean | number;
  recency: number | string;
}

/** A match with the columns that determine its audience. */
export interface ScopedTermMatch extends TermMatch, AudienceFields {}

/** Full-text search of memories: FTS5 on SQLite, tsvector on PostgreSQL. Search terms are always bound parameters. */
@Injectable()
export class MemoryTextSearchRepository {
  private readonly isPostgres: boolean;

  constructor(
    private readonly reader: Reader,
    @Inject(STORE) store: Store,
  ) {
    this.isPostgres = store.readSource.options.type === 'postgres';
  }

  /**
   * The newest memories of an agent that contain a term.
   *
   * @param rooms limits the search where that makes it cheaper, so matches of other rooms may still be returned. Absent: every room
   * @param extra number of additional matches, for those that the caller leaves out
   */
  async matches(agentId: string, term: Term, rooms: ReadonlySet<string> | undefined, extra: number): Promise<ScopedTermMatch[]> {
    const few = rooms === undefined || rooms.size <= MAX_ROOMS;
    const limit = MAX_MATCHES + extra;
    const rows = this.isPostgres
      ? await this.onPostgres(agentId, term, rooms, limit)
      : await this.reader.rows<MatchRow>(SQLITE, [matchText(agentId, term, few ? rooms : undefined), few ? limit : MAX_UNSCOPED_MATCHES]);
    return rows.map((row) => ({ ...row, recency: Number(row.recency) }));
  }

  /** Whether a search in one room, with the memories for every room, could return a memory that is not in `exclude`. */
  async hasCandidates(agentId: string, roomId: string, exclude: ReadonlySet<string>): Promise<boolean> {
    const excluded = idKeys(exclude);
    const params = [agentId, roomId, excluded, agentId, agentId, excluded, agentId, excluded];
    const rows = await this.reader.rows(CANDIDATE, params);
    return rows.length > 0;
  }

  /**
   * As `matches` for several terms in one room, without the memories in `exclude`. On SQLite one query, which reads the index only, for any
   * number of terms; the ids are those of `memoriesAt`.
   *
   * @returns for each term its matches; undefined on PostgreSQL
   */
  async matchesInRoom(
    agentId: string,
    terms: readonly Term[],
    roomId: string,
    exclude: ReadonlySet<string>,
  ): Promise<TermMatch[][] | undefined> {
    if (this.isPostgres) return undefined;
    const sql = terms.map((_, index) => `SELECT ${index} AS term, pos FROM (${PLACES})`).join(' UNION ALL ');
    const rooms = new Set([roomId]);
    const rows = await this.reader.rows<{ term: number; places: string }>(
      `SELECT term, group_concat(pos) AS places FROM (${sql}) WHERE ${OTHERS} GROUP BY term`,
      [...terms.flatMap((term) => [matchText(agentId, term, rooms), MAX_MATCHES + exclude.size]), idKeys(exclude)],
    );
    return rows.map(({ places }) => places.split(',').map((id) => ({ id, recency: Number(id) })));
  }

  /** The memories that `matchesInRoom` found, in the same order, without those of an author. */
  async memoriesAt(places: readonly string[], excludeAuthorId: string): Promise<string[]> {
    const rows = await this.reader.rows<{ pos: number; id: string }>(MEMORIES_AT, [JSON.stringify(places.map(Number)), excludeAuthorId]);
    const ids = new Map(rows.map(({ pos, id }) => [String(pos), id]));
    return places.flatMap((place) => ids.get(place) ?? []);
  }

  private onPostgres(agentId: string, term: Term, rooms: ReadonlySet<string> | undefined, limit: number): Promise<MatchRow[]> {
    const query = 'stem' in term ? `'${term.stem}':*` : term.forms.map((form) => `'${form}'`).join(' | ');
    if (rooms === undefined) return this.reader.rows(POSTGRES, [query, agentId, limit]);
    return this.reader.rows(POSTGRES_ROOMS, [query, agentId, agentId, [...rooms].join(','), limit]);
  }
}

/** An FTS5 query; a quoted text has no operators. */
function matchText(agentId: string, term: Term, rooms: ReadonlySet<string> | undefined): string {
  const words = 'stem' in term ? `"${term.stem}" *` : term.forms.map((form) => `"${form}"`).join(' OR ');
  return `${scopeText(agentId, rooms)} AND text : (${words})`;
}

/** An FTS5 query for the memories of an agent in these rooms, and those for every room. The rooms come first, because they have fewer. */
function scopeText(agentId: string, rooms: ReadonlySet<string> | undefined): string {
  const within = rooms && ['open', ...[...rooms].map((room) => `r${room.replaceAll('-', '')}`)].map((word) => `"${word}"`).join(' OR ');
  return `${within === undefined ? '' : `scope : (${within}) AND `}scope : ("a${agentId.replaceAll('-', '')}")`;
}
