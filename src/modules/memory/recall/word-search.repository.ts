import { Inject, Injectable } from '@nestjs/common';
import { idKeys, Reader, STORE, type Store } from '../../../core/database/index.js';
import type { SearchTerm } from '../../../core/search/index.js';
import type { TermMatch, TermMatches } from './terms.js';
import { HAS_DOCUMENTS, RECENT, type WordScope, type WordSearch } from './word-scope.js';
import { PostgresWordSearch } from './word-search.postgres.js';
import { SqliteWordSearch } from './word-search.sqlite.js';

const OTHER = 'AND id NOT IN (SELECT key FROM json_each(?))';
// Reads indexes of `memories` up to the first row. The full-text index would read the entries of all the agent's memories.
const CANDIDATE = `SELECT 1 FROM memories WHERE agent_id = ? AND room_id = ? ${OTHER}
  UNION ALL SELECT 1 FROM memories WHERE agent_id = ? AND room_id = ? ${OTHER}
  UNION ALL SELECT 1 FROM memories WHERE agent_id = ? AND type IN ('documents', 'knowledge') ${OTHER} LIMIT 1`;

const MAX_CANDIDATES = 64;
// The oldest messages of a long conversation tell most: a prompt does not show them, and those that it does not show need no further query.
const CANDIDATES = `SELECT string_agg(id, ',') AS ids FROM (
    SELECT id FROM (SELECT id FROM memories WHERE agent_id = ? AND room_id = ? AND type = 'messages' ORDER BY created_at LIMIT ${MAX_CANDIDATES}) m
    UNION ALL SELECT id FROM memories WHERE agent_id = ? AND room_id = ? AND type <> 'messages'
    UNION ALL SELECT id FROM memories WHERE agent_id = ? AND room_id = ?
    UNION ALL SELECT id FROM memories WHERE agent_id = ? AND type IN ('documents', 'knowledge') LIMIT ${MAX_CANDIDATES}
  ) c`;

export interface WordMatches {
  /** For each term that has any, its newest matches. */
  readonly terms: readonly TermMatches[];
  /** The newest memories of the conversations in the scope, newest first. */
  readonly recent: readonly string[];
  /** Whether the agent has documents. */
  readonly hasDocuments: boolean;
}

/** Full-text search of memories: FTS5 on SQLite, tsvector on PostgreSQL. Search terms are always bound parameters. */
@Injectable()
export class WordSearchRepository {
  private readonly search: WordSearch;

  constructor(
    private readonly reader: Reader,
    @Inject(STORE) store: Store,
  ) {
    this.search = store.readSource.options.type === 'postgres' ? new PostgresWordSearch(reader) : new SqliteWordSearch(reader);
  }

  /**
   * The newest memories that contain each term, and the newest `recent` memories of conversations, in one query that reads the index only.
   * Matches are named by keys, see `idsOf`.
   */
  async matches(scope: WordScope, terms: readonly SearchTerm[], recent: number): Promise<WordMatches> {
    const rows = await this.search.matches(scope, terms, recent);
    const found = new Map<number, TermMatch[]>();
    for (const { term, key, recency } of rows) {
      const matches = found.get(term);
      if (matches) matches.push({ id: key, recency });
      else found.set(term, [{ id: key, recency }]);
    }
    return {
      terms: terms.flatMap((term, index) => (found.has(index) ? [{ term, matches: found.get(index) ?? [] }] : [])),
      recent: (found.get(RECENT) ?? []).sort((a, b) => b.recency - a.recency).map(({ id }) => id),
      hasDocuments: found.has(HAS_DOCUMENTS),
    };
  }

  /** The ids of memories by the keys of `matches`. */
  idsOf(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.search.idsOf(keys);
  }

  /** Ids of some memories that a search in one room, with the memories for every room, could return: at most 64. */
  async candidates(agentId: string, roomId: string): Promise<string[]> {
    const params = [agentId, roomId, agentId, roomId, agentId, agentId, agentId];
    const [row] = await this.reader.joined<{ ids: string | null }>(CANDIDATES, params);
    return row?.ids?.split(',') ?? [];
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
}
