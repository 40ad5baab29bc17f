import { Inject, Injectable } from '@nestjs/common';
import { Reader, STORE, type Store } from '../../../core/database/index.js';
import type { Placed } from '../audience.js';
import type { Holder, Term } from '../words.js';

// Of a word that more memories have, the newest count.
const MOST_HOLDERS = 200;
// Each room makes a search longer; beyond so many the newest memories of all rooms are looked at instead.
const MOST_ROOMS = 64;
const MOST_OF_ALL_ROOMS = 2000;

const SQLITE = `SELECT m.id, m.room_id, m.type, m.vouched, w.pos AS age
  FROM (SELECT rowid AS pos FROM memory_words WHERE memory_words MATCH ? ORDER BY rowid DESC LIMIT ?) w
  CROSS JOIN memory_places p ON p.pos = w.pos CROSS JOIN memories m ON m.id = p.memory_id ORDER BY w.pos DESC`;
// In one piece the planner would walk through all memories by age and take each apart.
const MATCHING = `WITH m AS MATERIALIZED (SELECT id, room_id, type, vouched, created_at FROM memories
  WHERE memory_words(content) @@ to_tsquery('simple', ?) AND agent_id = ?)
  SELECT id, room_id, type, vouched, created_at AS age FROM m`;
const POSTGRES = `${MATCHING} ORDER BY created_at DESC LIMIT ?`;
const POSTGRES_ROOMS = `${MATCHING} WHERE room_id = ? OR type IN ('documents', 'knowledge') OR room_id = ANY(string_to_array(?, ','))
  ORDER BY created_at DESC LIMIT ?`;

interface HolderRow {
  id: string;
  room_id: string;
  type: string;
  vouched: boolean | number;
  age: number | string;
}

/** A memory that has a word, and where it was said. */
export interface HolderOf extends Holder, Placed {}

/** Finds memories by their words: SQLite's full-text index, or PostgreSQL's own. What is searched for is never part of the SQL. */
@Injectable()
export class WordsRepository {
  private readonly postgres: boolean;

  constructor(
    private readonly reader: Reader,
    @Inject(STORE) store: Store,
  ) {
    this.postgres = store.reading.options.type === 'postgres';
  }

  /**
   * The newest memories of an agent that have a word.
   *
   * @param audiences what is for others is not looked for, as far as that makes the search shorter: it may still be among
   *   what is found. Absent: every room
   * @param beyond so many more than usual, for what the caller leaves out
   */
  async holders(agentId: string, term: Term, rooms: ReadonlySet<string> | undefined, beyond: number): Promise<HolderOf[]> {
    const few = rooms === undefined || rooms.size <= MOST_ROOMS;
    const limit = MOST_HOLDERS + beyond;
    const rows = this.postgres
      ? await this.onPostgres(agentId, term, rooms, limit)
      : await this.reader.rows<HolderRow>(SQLITE, [matchText(agentId, term, few ? rooms : undefined), few ? limit : MOST_OF_ALL_ROOMS]);
    return rows.map((row) => ({ ...row, age: Number(row.age) }));
  }

  private onPostgres(agentId: string, term: Term, rooms: ReadonlySet<string> | undefined, limit: number): Promise<HolderRow[]> {
    const query = 'stem' in term ? `'${term.stem}':*` : term.forms.map((form) => `'${form}'`).join(' | ');
    if (rooms === undefined) return this.reader.rows(POSTGRES, [query, agentId, limit]);
    return this.reader.rows(POSTGRES_ROOMS, [query, agentId, agentId, [...rooms].join(','), limit]);
  }
}

/** In the language of FTS5, where a quoted text is nothing but the words in it. */
function matchText(agentId: string, term: Term, rooms: ReadonlySet<string> | undefined): string {
  const words = 'stem' in term ? `"${term.stem}" *` : term.forms.map((form) => `"${form}"`).join(' OR ');
  const within = rooms && ['open', ...[...rooms].map((room) => `r${room.replaceAll('-', '')}`)].map((word) => `"${word}"`).join(' OR ');
  return `text : (${words}) AND scope : ("a${agentId.replaceAll('-', '')}")${within === undefined ? '' : ` AND scope : (${within})`}`;
}
