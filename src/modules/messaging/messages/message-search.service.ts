import { Injectable } from '@nestjs/common';
import { inPages, withinBudget } from '../../../core/database/index.js';
import type { SearchTerm } from '../../../core/search/index.js';
import { MessageSearchRepository, type MatchRow, type MessageFilter } from './message-search.repository.js';
import { MessagesRepository } from './messages.repository.js';
import type { Message } from './messages.types.js';
import { relevance, parseSearchText } from './search-text.js';

/**
 * Matches are ranked in groups of this size, newest group first, because ranking all matches of a frequent word would take too long
 * (bench/README.md).
 */
const MAX_RANKED = 300;

/** Last message of a page, and the journal position up to which the search includes messages. */
export interface SearchPosition {
  readonly score: number;
  readonly pos: number;
  readonly upTo: number;
}

export interface SearchQuery extends Omit<MessageFilter, 'terms'> {
  /** Words, and phrases in double quotes; every message of the filter when absent. */
  readonly text?: string;
  readonly limit: number;
  readonly after?: SearchPosition;
  /** Number of messages to skip, for callers that use page numbers: their pages have `limit` messages, of whatever size. */
  readonly offset?: number;
}

export interface SearchPage {
  /** The messages in parts, each of which is read when it is asked for. */
  readonly parts: () => AsyncIterable<readonly Message[]>;
  /** Start of the next page; undefined after the last one. */
  readonly next?: SearchPosition;
}

/** Before the first message of any page. */
const FIRST = { score: 999_999_999_999, pos: 999_999_999_999_999 };

interface Ranked extends Pick<MatchRow, 'pos' | 'bytes'> {
  readonly score: number;
}

/** Full-text search of messages, by channel, author and time. */
@Injectable()
export class MessageSearchService {
  constructor(
    private readonly repository: MessageSearchRepository,
    private readonly messages: MessagesRepository,
  ) {}

  /** Best first with a text, otherwise newest first. */
  async search(query: SearchQuery): Promise<SearchPage> {
    const { text, limit, after, offset } = query;
    const terms = text === undefined ? [] : parseSearchText(text);
    if (text !== undefined && terms.length === 0) return { parts: () => this.inParts([]) };
    const upTo = after?.upTo ?? Number.MAX_SAFE_INTEGER;
    const ordered = terms.length > 0;
    const skipped = offset ?? 0;
    const wanted = ordered ? MAX_RANKED : skipped + limit;
    const matches = await this.repository.matches({ ...query, terms }, after && !ordered ? after.pos - 1 : upTo, wanted + 1);
    const found = ordered ? ranked(terms, matches.slice(0, wanted)) : unranked(matches);
    const remaining = found.filter(({ score, pos }) => !after || score < after.score || (score === after.score && pos < after.pos));
    const asked = remaining.slice(skipped, skipped + limit);
    const page = offset === undefined ? withinBudget(asked, limit, bytesOf).rows : asked;
    const upToNow = after?.upTo ?? newest(found);
    const last = page.at(-1);
    const older = ordered && matches.length > wanted ? { ...FIRST, upTo: matches[wanted]?.pos ?? 0 } : undefined;
    const next = last && remaining.length > skipped + page.length ? { score: last.score, pos: last.pos, upTo: upToNow } : older;
    return { parts: () => this.inParts(page), ...(next ? { next } : {}) };
  }

  private async *inParts(page: readonly Ranked[]): AsyncGenerator<readonly Message[], void> {
    for (const part of inPages(page, bytesOf)) yield await this.messages.findAtOffsets(part.map(({ pos }) => pos));
  }
}

function bytesOf({ bytes }: Ranked): number {
  return Number(bytes);
}

function ranked(terms: readonly SearchTerm[], rows: readonly MatchRow[]): Ranked[] {
  return rows
    .map(({ pos, excerpt, bytes }) => ({ pos, bytes, score: relevance(terms, excerpt) }))
    .sort((a, b) => b.score - a.score || b.pos - a.pos);
}

function unranked(rows: readonly MatchRow[]): Ranked[] {
  return rows.map(({ pos, bytes }) => ({ pos, bytes, score: 0 }));
}

function newest(found: readonly Ranked[]): number {
  return found.reduce((highest, { pos }) => Math.max(highest, pos), 0);
}
