import { idKeys, type Reader, type SqlValue } from '../../../core/database/index.js';
import { DOCUMENTS, OPEN } from './audience.js';
import type { Term } from './terms.js';
import { HAS_DOCUMENTS, MAX_MATCHES, RECENT, roomsOf, type MatchRow, type WordScope, type WordSearch } from './word-scope.js';

const PLACES = 'SELECT rowid AS pos FROM memory_words WHERE memory_words MATCH ? ORDER BY rowid DESC LIMIT ?';
const OTHERS = 'pos NOT IN (SELECT pos FROM memory_places WHERE memory_id IN (SELECT key FROM json_each(?)))';
const IDS_AT = 'SELECT pos, memory_id AS id FROM memory_places WHERE pos IN (SELECT value FROM json_each(?))';

/** FTS5. Keys are positions in its index. */
export class SqliteWordSearch implements WordSearch {
  constructor(private readonly reader: Reader) {}

  async matches(scope: WordScope, terms: readonly Term[], recent: number): Promise<MatchRow[]> {
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

  async idsOf(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (keys.length === 0) return new Map();
    const rows = await this.reader.rows<{ pos: number; id: string }>(IDS_AT, [JSON.stringify(keys.map(Number))]);
    return new Map(rows.map(({ pos, id }) => [String(pos), id]));
  }
}

/** An FTS5 query; a quoted text has no operators. */
function sqliteWords(term: Term): string {
  return 'stem' in term ? `"${term.stem}" *` : term.forms.map((form) => `"${form}"`).join(' OR ');
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
