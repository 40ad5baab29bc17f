import { DOCUMENTS, OPEN, roomOfOwn } from './audience.js';
import type { SearchTerm } from '../../../core/search/index.js';

// A term that more memories contain matches only the newest of them.
export const MAX_MATCHES = 200;
// Each room adds to the cost of a search.
const MAX_ROOMS = 256;
/** In place of the number of a term: the newest messages, and whether there are documents. */
export const RECENT = -1;
export const HAS_DOCUMENTS = -2;

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

/** A memory that matches a term. */
export interface MatchRow {
  readonly term: number;
  readonly key: string;
  readonly recency: number;
}

/** Full-text search of memories in one database engine. */
export interface WordSearch {
  /** @param recent number of newest messages */
  matches(scope: WordScope, terms: readonly SearchTerm[], recent: number): Promise<MatchRow[]>;
  /** The ids of memories by the keys of `matches`. */
  idsOf(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The rooms of audiences, with the letter of their scope: `r` all memories of the room, `v` the vouched ones. */
export function roomsOf(audiences: ReadonlySet<string>): [letter: 'r' | 'v', roomId: string][] {
  const rooms: [letter: 'r' | 'v', roomId: string][] = [];
  for (const audience of audiences) {
    if (audience === OPEN || audience === DOCUMENTS) continue;
    const own = roomOfOwn(audience);
    rooms.push(own === undefined ? ['v', audience] : ['r', own]);
    if (rooms.length === MAX_ROOMS) break;
  }
  return rooms;
}
