import { Injectable } from '@nestjs/common';
import { MessageSearchRepository, type MatchRow, type MessageFilter } from './repositories/message-search.repository.js';
import { MessagesRepository } from './repositories/messages.repository.js';
import type { Message } from './messages.types.js';
import { fitness, searchParts } from './search-words.js';

/**
 * So many of the newest messages that fit are put in order, the best first, then the next older ones, and so on: what everybody says would
 * take long to put in order as a whole (bench/README.md).
 */
const MOST_RANKED = 300;

/** Behind which message the next page begins, and up to which position messages take part in the search. */
export interface SearchPlace {
  readonly score: number;
  readonly pos: number;
  readonly upTo: number;
}

export interface SearchQuery extends Omit<MessageFilter, 'parts'> {
  /** Words, and phrases in double quotes; every message of the filter when it is left out. */
  readonly text?: string;
  readonly limit: number;
  readonly after?: SearchPlace;
  /** How many to pass over; for callers that count pages. */
  readonly offset?: number;
}

export interface SearchPage {
  readonly messages: Message[];
  /** Where the next page begins; undefined behind the last one. */
  readonly next?: SearchPlace;
}

/** Before the first message of any page. */
const FIRST = { score: 999_999_999_999, pos: 999_999_999_999_999 };

interface Ranked {
  readonly pos: number;
  readonly score: number;
}

/** Search of messages, over all channels or within some bounds. */
@Injectable()
export class MessageSearchService {
  constructor(
    private readonly repository: MessageSearchRepository,
    private readonly messages: MessagesRepository,
  ) {}

  /** With a text the best first, else the newest first. */
  async search(query: SearchQuery): Promise<SearchPage> {
    const { text, limit, after, offset = 0 } = query;
    const parts = text === undefined ? [] : searchParts(text);
    if (text !== undefined && parts.length === 0) return { messages: [] };
    const upTo = after?.upTo ?? Number.MAX_SAFE_INTEGER;
    const ordered = parts.length > 0;
    const wanted = ordered ? MOST_RANKED : offset + limit;
    const matches = await this.repository.matches({ ...query, parts }, after && !ordered ? after.pos - 1 : upTo, wanted + 1);
    const found = ordered ? ranked(parts, matches.slice(0, wanted)) : unranked(matches);
    const rest = found.filter(({ score, pos }) => !after || score < after.score || (score === after.score && pos < after.pos));
    const page = rest.slice(offset, offset + limit);
    const upToNow = after?.upTo ?? newest(found);
    const last = page.at(-1);
    const older = ordered && matches.length > wanted ? { ...FIRST, upTo: matches[wanted]?.pos ?? 0 } : undefined;
    const next = last && rest.length > offset + limit ? { ...last, upTo: upToNow } : older;
    return { messages: await this.messages.at(page.map(({ pos }) => pos)), ...(next ? { next } : {}) };
  }
}

function ranked(parts: readonly string[], rows: readonly MatchRow[]): Ranked[] {
  return rows.map(({ pos, excerpt }) => ({ pos, score: fitness(parts, excerpt) })).sort((a, b) => b.score - a.score || b.pos - a.pos);
}

function unranked(rows: readonly MatchRow[]): Ranked[] {
  return rows.map(({ pos }) => ({ pos, score: 0 }));
}

function newest(found: readonly Ranked[]): number {
  return found.reduce((highest, { pos }) => Math.max(highest, pos), 0);
}
