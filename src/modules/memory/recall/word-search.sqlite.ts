import { idKeys, type Reader, type SqlValue } from '../../../core/database/index.js';
import { DOCUMENTS, OPEN } from './audience.js';
import { toFts5, type SearchTerm } from '../../../core/search/index.js';
import { HAS_DOCUMENTS, MAX_MATCHES, RECENT, roomsOf, type MatchRow, type WordScope, type WordSearch } from './word-scope.js';

const PLACES = 'SELECT rowid AS pos FROM memory_words WHERE memory_words MATCH ? ORDER BY rowid DESC LIMIT ?';
const PLACES_OF = 'SELECT pos FROM memory_places WHERE memory_id IN (SELECT key FROM json_each(?))';
const ANY_DOCUMENT = `SELECT ${HAS_DOCUMENTS} AS term, 0 AS pos
  WHERE EXISTS (SELECT 1 FROM memories WHERE agent_id = ? AND type IN ('documents', 'knowledge'))`;
/** In place of the number of a term: what the scope leaves out. */
const EXCLUDED = -3;
// One row, because each row costs more than what it has.
const IDS_AT = `SELECT string_agg(pos || ' ' || memory_id, ',') AS ids FROM memory_places WHERE pos IN (SELECT value FROM json_each(?))`;

/** FTS5. Keys are positions in its index. */
export class SqliteWordSearch implements WordSearch {
  constructor(private readonly reader: Reader) {}

  async matches(scope: WordScope, terms: readonly SearchTerm[], recent: number): Promise<MatchRow[]> {
    const extra = scope.exclude.size;
    const within = scopeText(scope);
    const arms: { sql: string; params: SqlValue[] }[] = terms.map((term, index) => ({
      sql: `SELECT ${index} AS term, pos FROM (${PLACES})`,
      params: [`${within} AND text : (${toFts5(term)})`, MAX_MATCHES + extra],
    }));
    const newest = recentText(scope);
    if (recent > 0 && newest !== undefined) {
      arms.push({ sql: `SELECT ${RECENT} AS term, pos FROM (${PLACES})`, params: [newest, recent + extra] });
    }
    arms.push({ sql: ANY_DOCUMENT, params: [scope.agentId] });
    if (extra > 0) arms.push({ sql: `SELECT ${EXCLUDED} AS term, pos FROM (${PLACES_OF})`, params: [idKeys(scope.exclude)] });
    const rows = await this.reader.rows<{ term: number; places: string }>(
      `SELECT term, group_concat(pos) AS places FROM (${arms.map(({ sql }) => sql).join(' UNION ALL ')}) GROUP BY term`,
      arms.flatMap(({ params }) => params),
    );
    const found = rows.map(({ term, places }) => ({ term, keys: places.split(',') }));
    const excluded = new Set(found.find(({ term }) => term === EXCLUDED)?.keys);
    return found.flatMap(({ term, keys }) =>
      term === EXCLUDED ? [] : keys.filter((key) => !excluded.has(key)).map((key) => ({ term, key, recency: Number(key) })),
    );
  }

  async idsOf(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (keys.length === 0) return new Map();
    const [row] = await this.reader.rows<{ ids: string | null }>(IDS_AT, [`[${keys.join(',')}]`]);
    return new Map(row?.ids?.split(',').map((each) => each.split(' ') as [key: string, id: string]));
  }
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
