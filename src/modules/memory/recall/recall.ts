import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { Log } from '../../../core/logging/index.js';
import type { SearchTerm } from '../../../core/search/index.js';
import { TokenMeter, truncateQuestion } from '../../../providers/models/index.js';
import { MEMORY_METRICS } from '../memory.metrics.js';
import { audienceOf, DOCUMENTS, onlyRoom, OPEN, roomAudiences } from './audience.js';
import { fuse, type FoundList, type FoundRow } from './fusion.js';
import { MeaningSearch, SearchSkipped, type SimilarMemory } from './meaning-search.js';
import { RecallRowsRepository, type RecallRow } from './recall-rows.repository.js';
import {
  emptyRecall,
  type LeftOutMemory,
  type RecalledMemory,
  type RecallResult,
  type SearchOutcome,
  type SkipReason,
} from './recall-result.js';
import { toMemoryLines } from './memory-lines.js';
import { informationOf, tells } from './questions.js';
import { sentencesTold } from './sentences-told.js';
import { parseTerms, rankBySentences, rankMatches } from './terms.js';
import type { WordScope } from './word-scope.js';
import { WordSearchRepository } from './word-search.repository.js';

export interface RecallOptions {
  /** Maximum number of memories, up to 128. */
  readonly limit: number;
  /** Time limit in ms; the result holds what was found by then. */
  readonly budgetMs: number;
  /** The audiences whose memories may be returned, besides the agent's own facts. Absent: all. */
  readonly audience?: () => Promise<RecallAudience>;
  /** Maximum number of pieces of documents, which are searched apart, up to 128. Absent or 0: none, or among the memories without `audience`. */
  readonly documents?: number;
  /** Earlier messages that the query refers to; their words are searched for too. */
  readonly context?: string;
  /** The author's message before the query, when the query refers to it; its meaning is searched for too. */
  readonly previous?: string;
  /** Key for fair scheduling of embedding requests; the agent's id when absent. */
  readonly caller?: string;
  /** Memories to leave out, such as the conversation that is already in the prompt. */
  readonly excludeIds?: ReadonlySet<string>;
  /** What `candidates` returned for the only room of the audience, which saves a query. */
  readonly candidates?: readonly string[];
  /** Leaves out memories of this author. */
  readonly excludeAuthorId?: string;
  /** Only memories of this room. */
  readonly roomId?: string;
  /** Leaves out memories with a vector that is less similar, -1 to 1. When absent, 0.25 (0.1 for memories with `broad`), but not for memories found in other ways too. */
  readonly minSimilarity?: number;
  /** Returns also what does not match itself: the newest memories, and those that resemble the best matches. */
  readonly broad?: boolean;
  /** Of the extracted facts, only these are returned; absent: all. */
  readonly facts?: ReadonlySet<string>;
  /** Ends the search; the result holds what was found by then. */
  readonly signal?: AbortSignal;
}

/** An agent's memories for a prompt. */
export interface PromptRecall extends RecallResult {
  /** See `MemoryLines`. */
  readonly heading: readonly string[];
  readonly lines: readonly string[];
  /** Tokens of heading and lines. */
  readonly tokens: number;
}

/** The readers of the reply. */
export interface RecallAudience {
  /** See `audienceOf`. */
  readonly rooms: ReadonlySet<string>;
  /** Rooms that some of them joined later, with the time since when all take part, epoch ms. */
  readonly since?: ReadonlyMap<string, number>;
  /** The only user who will; undefined when there are several, or when no credential vouches for the user. */
  readonly onlyUser?: string;
  /** Vouched messages of these users that are not among the memories yet, newest first. */
  readonly unrecorded?: readonly RecallRow[];
}

const MAX_QUERY_LENGTH = 600;
const MIN_SIMILARITY = 0.25;
/** For a prompt, whose budget decides. */
const MIN_SIMILARITY_IN_PROMPT = 0.1;
const MAX_TERMS = 12;
const MAX_BY_WORDS = 128;
const MAX_RECENT = 120;
/** When words alone are searched: they miss what is said in other words. */
const MAX_RECENT_BY_WORDS = 400;
/** As long as the semantic search works. */
const MAX_RECENT_BESIDE_MEANING = 48;
const MAX_IN_PROMPT = 128;
const MAX_LEFT_OUT = 64;
const MAX_TOO_FAR = 16;
const NO_IDS: ReadonlySet<string> = new Set();

interface Scope extends Pick<RecallAudience, 'since' | 'onlyUser'> {
  /** Absent: all memories. */
  readonly rooms?: ReadonlySet<string>;
  readonly unrecorded: readonly RecallRow[];
  /** See `RecallRowsRepository.once`. */
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, RecallRow>>;
}

/** What one search has found: memories, and documents. */
interface Found {
  readonly memories: readonly FoundList[];
  readonly documents: readonly FoundList[];
  readonly tooFar: readonly LeftOutMemory[];
  /** Whether the semantic search covered a memory. */
  readonly covers?: (memoryId: string) => boolean;
}

type SearchResult = Found | { readonly skipped: SkipReason };

/** Searches an agent's memories in all its rooms: by meaning, by words, and the newest (docs/decisions/0019). */
@Injectable()
export class Recall {
  private failing = false;
  private readonly log = new Log('memory');

  constructor(
    private readonly meaning: MeaningSearch,
    private readonly words: WordSearchRepository,
    private readonly rows: RecallRowsRepository,
    private readonly meter: TokenMeter,
    private readonly clock: Clock,
  ) {}

  /** As `search`, but returns only the memories. */
  async relevant(agentId: string, query: string, options: RecallOptions): Promise<readonly RecalledMemory[]> {
    return (await this.search(agentId, query, options)).memories;
  }

  /** As `search`, for a prompt: what `linesOf` chooses from, and the given facts. */
  forPrompt(agentId: string, query: string, options: Omit<RecallOptions, 'limit' | 'broad'>): Promise<RecallResult> {
    return this.search(agentId, query, { facts: NO_IDS, ...options, broad: true, limit: MAX_IN_PROMPT });
  }

  /** The memories that fit in `tokens`, oldest first, and their lines (see `toMemoryLines`). */
  linesOf(found: RecallResult, query: string, { context }: Pick<RecallOptions, 'context'>, tokens: number): PromptRecall {
    const terms = termsOf(truncateQuestion(query, MAX_QUERY_LENGTH), context);
    const shown = toMemoryLines(found.memories, {
      ...{ now: found.at, tokens, terms, pieceLength: this.meaning.pieceLength, count: (text) => this.meter.count(text) },
    });
    return { ...found, ...shown, leftOut: [...shown.leftOut, ...found.leftOut].slice(0, MAX_LEFT_OUT) };
  }

  /** The agent's memories that exist among these ids, by id. */
  read(agentId: string, ids: Iterable<string>): Promise<ReadonlyMap<string, RecallRow>> {
    return this.rows.read(agentId, ids);
  }

  /** Ids of some memories that a search in one room could return. */
  candidates(agentId: string, roomId: string): Promise<readonly string[]> {
    return this.words.candidates(agentId, roomId);
  }

  /**
   * Memories that match `query`. The semantic search covers the newest 200,000 pieces of embedded memories, the search by words all
   * memories. They run in parallel, and their results are fused. Never throws and never exceeds the time limit; failures are logged.
   */
  async search(agentId: string, query: string, options: RecallOptions): Promise<RecallResult> {
    const question = truncateQuestion(query, MAX_QUERY_LENGTH);
    if (question === '' || options.limit < 1 || options.budgetMs <= 0) return emptyRecall(this.clock.now());
    const began = this.clock.now();
    const limit = new AbortController();
    const cancel = this.clock.after(options.budgetMs, () => limit.abort());
    const signal = options.signal ? AbortSignal.any([limit.signal, options.signal]) : limit.signal;
    const cold = this.meaning.isCold;
    const terms = termsOf(question, options.context);
    const read = this.rows.once(agentId);
    const scope = scopeFor(options).then((found) => ({ ...found, read }));
    const run = async (work: (scope: Scope) => Promise<SearchResult>): Promise<{ result: SearchResult; durationMs: number }> => {
      const result = await unlessAborted(
        scope.then(work).catch((error: unknown) => this.onSearchFailure(error, signal)),
        signal,
      );
      return {
        result: result ?? { skipped: options.signal?.aborted === true ? 'cancelled' : 'late' },
        durationMs: this.clock.now() - began,
      };
    };
    try {
      const [meaning, words] = await Promise.all([
        run((found) => this.byMeaning(agentId, question, found, options, signal)),
        run((found) => this.byWords(agentId, terms, found, options, this.meaning.canSearch(question))),
      ]);
      const found = withThreshold(
        [words, meaning].flatMap(({ result }) => ('memories' in result ? [result] : [])),
        options.minSimilarity,
      );
      const covers = found.find((each) => each.covers)?.covers;
      const fusing = { terms, pieceLength: this.meaning.pieceLength };
      const memories = fuse(
        found.flatMap((each) => each.memories.map((list) => besideMeaning(list, covers))),
        { ...fusing, limit: options.limit },
      );
      const documents = fuse(
        found.flatMap((each) => each.documents.map((list) => besideMeaning(list, covers))),
        { ...fusing, limit: options.documents ?? 0, areDocuments: true },
      );
      const known = new Set([...memories.memories, ...documents.memories].map(({ memoryId }) => memoryId));
      const tooFar = found.flatMap((each) => each.tooFar).filter(({ memoryId }) => !known.has(memoryId));
      return measured({
        memories: memories.memories,
        documents: documents.memories,
        leftOut: [...memories.leftOut, ...documents.leftOut, ...tooFar].slice(0, MAX_LEFT_OUT),
        byMeaning: outcomeOf(meaning, cold),
        byWords: outcomeOf(words),
        at: this.clock.now(),
        durationMs: this.clock.now() - began,
      });
    } finally {
      cancel();
    }
  }

  private async byMeaning(
    agentId: string,
    query: string,
    scope: Scope,
    options: RecallOptions,
    signal: AbortSignal,
  ): Promise<SearchResult> {
    const { caller = agentId, excludeIds: exclude, broad = false } = options;
    const previous = options.previous === undefined ? undefined : truncateQuestion(options.previous, MAX_QUERY_LENGTH);
    const filters = [{ audiences: scope.rooms && new Set([...scope.rooms, OPEN]), exclude }];
    const withDocuments = searchesDocuments(scope, options);
    if (withDocuments) filters.push({ audiences: new Set([DOCUMENTS]), exclude });
    const { lists, ...matches } = await this.meaning.search(
      { agentId, text: query, previous, caller, signal, cancelled: options.signal, related: broad },
      filters,
    );
    const rows = await scope.read(lists.flatMap(({ similar, related }) => [...similar, ...related].map(({ memoryId }) => memoryId)));
    this.failing = false;
    const readable = (list: readonly SimilarMemory[]): FoundRow[] =>
      list.flatMap(({ memoryId, similarity, pieces }) => {
        const row = rows.get(memoryId);
        return row && mayReturn(row, agentId, scope, options) ? [{ row, similarity, pieces }] : [];
      });
    const limits = [broad ? MIN_SIMILARITY_IN_PROMPT : MIN_SIMILARITY, MIN_SIMILARITY].map((limit) => options.minSimilarity ?? limit);
    const found = lists.map(({ similar, related }, index) => {
      const isNear = ({ similarity = -1 }: FoundRow): boolean => similarity >= (limits[index] ?? MIN_SIMILARITY);
      const [all, others] = [readable(similar), readable(related)];
      return { near: all.filter(isNear), far: all.filter((each) => !isNear(each)), related: others };
    });
    const [memories = [], documents = []] = found.map(({ near, related }): FoundList[] => [
      { by: 'meaning', found: near },
      // These are similar to another memory, so their similarity to the query is not known.
      { by: 'related', found: related.map(({ row, pieces }) => ({ row, pieces })) },
    ]);
    return {
      memories,
      documents,
      tooFar: found
        .flatMap(({ far }) => far)
        .slice(0, MAX_TOO_FAR)
        .map(({ row }) => ({ memoryId: row.id, score: 0, reason: 'threshold' })),
      covers: (memoryId) => matches.covers(memoryId),
    };
  }

  private async byWords(
    agentId: string,
    terms: readonly SearchTerm[],
    scope: Scope,
    options: RecallOptions,
    besideMeaning: boolean,
  ): Promise<SearchResult> {
    const { rooms, onlyUser, unrecorded } = scope;
    const exclude = options.excludeIds ?? NO_IDS;
    const recent = options.broad !== true ? 0 : besideMeaning ? MAX_RECENT : MAX_RECENT_BY_WORDS;
    const room = onlyRoom(rooms);
    const nothingStored = room !== undefined && !(await this.words.hasCandidates(agentId, room, exclude, options.candidates));
    if (nothingStored && unrecorded.length === 0) return { skipped: 'nothing_allowed' };
    const within: WordScope = { agentId, exclude, audiences: rooms && new Set([OPEN, ...rooms]), ownWordsOf: onlyUser };
    const found = await this.words.matches(within, terms, recent);
    const inDocuments =
      found.hasDocuments && searchesDocuments(scope, options)
        ? await this.words.matches({ agentId, exclude, audiences: new Set([DOCUMENTS]) }, terms, 0)
        : { terms: [] };
    const ranked = { memories: rankMatches(found.terms, MAX_BY_WORDS), documents: rankMatches(inDocuments.terms, MAX_BY_WORDS) };
    const ids = await this.words.idsOf([...ranked.memories, ...ranked.documents, ...found.recent]);
    const rows = await scope.read([...ids.values()]);
    const readable = (keys: readonly string[]): FoundRow[] =>
      keys.flatMap((key) => {
        const row = rows.get(ids.get(key) ?? '');
        return row && mayReturn(row, agentId, scope, options) ? [{ row }] : [];
      });
    const fresh = recent === 0 ? [] : unrecorded.filter(({ id }) => !rows.has(id)).map((row) => ({ row }));
    const newest = [...fresh, ...readable(found.recent)].filter(({ row }) => tells(row.text));
    return {
      memories: [
        { by: 'words', found: rankBySentences(readable(ranked.memories), found.terms, ({ row }) => this.sentencesOf(row)) },
        { by: 'recency', found: newest },
        { by: 'unseen', found: newest.toSorted((a, b) => informationOf(b.row.text) - informationOf(a.row.text)) },
      ],
      documents: [{ by: 'words', found: rankBySentences(readable(ranked.documents), inDocuments.terms, ({ row }) => [row.text]) }],
      tooFar: [],
    };
  }

  private sentencesOf({ text }: RecallRow): string[] {
    return sentencesTold(text, this.meaning.pieceLength).map((sentence) => sentence.text);
  }

  /** Logs the first of consecutive failures only: an unavailable service would fill the log. */
  private onSearchFailure(error: unknown, signal: AbortSignal): SearchResult | undefined {
    if (error instanceof SearchSkipped) return { skipped: error.reason };
    if (signal.aborted) return undefined;
    if (!this.failing) this.log.warn('memories could not be searched', { error: String(error) });
    this.failing = true;
    return { skipped: 'failed' };
  }
}

/** The terms of a query and of what it refers to. */
function termsOf(query: string, context = ''): SearchTerm[] {
  const own = parseTerms(query, MAX_TERMS);
  const known = new Set(own.map((term) => JSON.stringify(term)));
  const referred = parseTerms(context, MAX_TERMS).filter((term) => !known.has(JSON.stringify(term)));
  return [...own, ...referred].slice(0, MAX_TERMS);
}

async function scopeFor({ audience, roomId }: RecallOptions): Promise<Omit<Scope, 'read'>> {
  const found = await audience?.();
  const { rooms, since, onlyUser, unrecorded = [] } = found ?? {};
  if (roomId === undefined) return { rooms, since, onlyUser, unrecorded };
  return { rooms: new Set(roomAudiences(roomId).filter((audience) => rooms?.has(audience) !== false)), since, unrecorded: [] };
}

/** Documents are found apart from the memories, so that many of them do not crowd out what a user told. */
function searchesDocuments({ rooms }: Scope, { documents = 0 }: RecallOptions): boolean {
  return rooms !== undefined && documents > 0;
}

/** Checked on the stored row, which may have changed since it was indexed. */
function mayReturn(row: RecallRow, agentId: string, scope: Scope, options: RecallOptions): boolean {
  const { rooms } = scope;
  const { excludeAuthorId, roomId, excludeIds, facts } = options;
  if (row.isExtracted === true && facts?.has(row.id) === false) return false;
  if (row.authorId === excludeAuthorId && row.room_id !== agentId) return false;
  if (excludeIds?.has(row.id) === true || (roomId !== undefined && row.room_id !== roomId)) return false;
  const audience = audienceOf(agentId, row);
  if (rooms === undefined || audience === OPEN || audience === DOCUMENTS) return true;
  return rooms.has(audience) && hasHeard(scope, row);
}

/** Whether all readers took part in the room of a memory when it was made; a user always knows the own words. */
export function hasHeard({ since, onlyUser }: Pick<RecallAudience, 'since' | 'onlyUser'>, memory: RecallRow): boolean {
  return memory.at >= (since?.get(memory.room_id) ?? 0) || memory.authorId === onlyUser;
}

/** Removes what has a vector that is not similar enough, also from the results of the other searches. */
function withThreshold(found: readonly Found[], minSimilarity: number | undefined): readonly Found[] {
  if (minSimilarity === undefined) return found;
  const near = new Set(
    found.flatMap(({ covers, memories }) => (covers ? memories.flatMap((list) => list.found.map(({ row }) => row.id)) : [])),
  );
  const covers = found.find((each) => each.covers)?.covers;
  const keep = (lists: readonly FoundList[]): FoundList[] =>
    lists.map(({ by, found: rows }) => ({ by, found: rows.filter(({ row }) => near.has(row.id) || covers?.(row.id) !== true) }));
  return found.map((each) => ({ ...each, memories: keep(each.memories), documents: keep(each.documents) }));
}

/**
 * When the semantic search works, fewer new memories stand in for it, and words count twice for memories that it does not cover. What it does
 * not cover is found by how much it tells.
 *
 * @param covers undefined when it does not
 */
function besideMeaning({ by, found }: FoundList, covers: Found['covers']): FoundList {
  if (covers && by === 'unseen') return { by, found: found.filter(({ row }) => !covers(row.id)) };
  if (covers && by === 'recency') return { by, found: found.slice(0, MAX_RECENT_BESIDE_MEANING) };
  if (covers && by === 'words') return { by, found: found.map((each) => (covers(each.row.id) ? each : { ...each, factor: 2 })) };
  return { by, found };
}

function outcomeOf({ result, durationMs }: { result: SearchResult; durationMs: number }, cold = false): SearchOutcome {
  if ('memories' in result) return { found: countRows(result), durationMs };
  return { skipped: cold && result.skipped === 'late' ? 'cold' : result.skipped, durationMs };
}

function countRows({ memories, documents }: Found): number {
  return [...memories, ...documents].reduce((sum, { by, found }) => sum + (by === 'meaning' || by === 'words' ? found.length : 0), 0);
}

/** The result of the work; undefined if the signal aborts first. */
async function unlessAborted<T>(work: Promise<T | undefined>, signal: AbortSignal): Promise<T | undefined> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    onAbort = () => resolve(undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function measured(result: RecallResult): RecallResult {
  MEMORY_METRICS.recall.observe(result.durationMs);
  const count = (search: 'meaning' | 'words', outcome: SearchOutcome): void =>
    MEMORY_METRICS.searches.with({ search, outcome: 'skipped' in outcome ? outcome.skipped : 'completed' }).add();
  count('meaning', result.byMeaning);
  count('words', result.byWords);
  return result;
}
