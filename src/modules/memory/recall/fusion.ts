import { termsIn, type SearchTerm } from '../../../core/search/index.js';
import { cutText, KnownTexts } from '../../../core/text/index.js';
import type { RecallRow } from './recall-rows.repository.js';
import type { FoundBy, LeftOutMemory, RecalledMemory } from './recall-result.js';
import { repeatedSentences, sentencesTold, type SentenceTold } from './sentences-told.js';

// The rank from which on a search counts half as much as at its first.
const HALF_RANK = 20;
const WEIGHTS: Readonly<Record<FoundBy, number>> = { meaning: 1, words: 1, recency: 0.15, unseen: 1, related: 0.5 };
const MAX_SCORE = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight / HALF_RANK, 0);
/** What a sentence counts that several messages repeat, beside `informationOf`. */
const NOTHING_NEW = 0.1;
const MAX_LEFT_OUT = 64;
const MAX_COMPARED = 2000;
const known = new KnownTexts<string>(500_000);

/** What one search has found, best first. */
export interface FoundList {
  readonly by: FoundBy;
  readonly found: readonly FoundRow[];
}

export interface FoundRow {
  readonly row: RecallRow;
  readonly similarity?: number;
  readonly pieces?: readonly number[];
  /** Factor of what this list adds to the score; 1 when absent. */
  readonly factor?: number;
}

export interface FuseOptions {
  /** Number of memories to return. */
  readonly limit: number;
  /** Terms of the query. */
  readonly terms: readonly SearchTerm[];
  /** That of the model that `pieces` refer to, see `EmbeddingModel`. */
  readonly pieceLength: number;
  /** Whether the memories are pieces of documents, which count as a whole. */
  readonly areDocuments?: boolean;
}

/**
 * Joins the results of several searches by reciprocal ranks (Cormack, Clarke, Büttcher 2009): each search adds `weight / (20 + rank)` to the
 * score of a memory. Ranks, unlike similarities and weights of words, need no calibration for each embedding model and language.
 * What a search adds is multiplied by how much the sentences tell that it has found (see `informationOf`), and of an author's memories with
 * the same text the newest stays.
 *
 * @returns memories and what is left out, best first
 */
export function fuse(lists: readonly FoundList[], options: FuseOptions): { memories: RecalledMemory[]; leftOut: LeftOutMemory[] } {
  const texts = new Map(lists.flatMap(({ found }) => found.map(({ row }) => [row.id, row.text] as const)));
  const repeated = repeatedSentences(texts.values(), options.pieceLength);
  const fused = new Map<string, RecalledMemory>();
  for (const { by, found } of lists) {
    for (const [rank, result] of found.entries()) {
      const { row, similarity = null, pieces = [], factor = 1 } = result;
      const known = fused.get(row.id) ?? toRecalled(row);
      const told = Math.max(
        NOTHING_NEW,
        ...sentencesFound(by, result, options).map(({ key, information }) => (repeated.has(key) ? 0 : information)),
      );
      fused.set(row.id, {
        ...known,
        score: known.score + ((factor * WEIGHTS[by]) / (HALF_RANK + rank) / MAX_SCORE) * told,
        similarity: known.similarity ?? similarity,
        pieces: known.pieces.length > 0 ? known.pieces : pieces,
        foundBy: [...known.foundBy, by],
      });
    }
  }
  const { newest, older } = withoutDuplicates([...fused.values()]);
  const ranked = newest.sort((a, b) => b.score - a.score || b.at - a.at);
  const leftOut = [
    ...ranked.slice(options.limit).map(({ memoryId, score }): LeftOutMemory => ({ memoryId, score, reason: 'limit' })),
    ...older.map(({ memoryId, score }): LeftOutMemory => ({ memoryId, score, reason: 'duplicate' })),
  ];
  return { memories: ranked.slice(0, options.limit), leftOut: leftOut.sort((a, b) => b.score - a.score).slice(0, MAX_LEFT_OUT) };
}

/** The sentences for which a search has found a memory. */
function sentencesFound(
  by: FoundBy,
  { row, pieces = [] }: FoundRow,
  { terms, pieceLength, areDocuments = false }: FuseOptions,
): readonly SentenceTold[] {
  const sentences = sentencesTold(row.text, pieceLength);
  if (areDocuments || sentences.length === 1 || by === 'recency' || by === 'unseen') return sentences;
  if (by !== 'words') return sentences.filter(({ piece }) => pieces.includes(piece));
  const matching = sentences.filter(({ text }) => termsIn(text, terms).length > 0);
  return matching.length === 0 ? sentences : matching;
}

/** The newest memory of each author and text, with the best score of all with this text. */
function withoutDuplicates(memories: readonly RecalledMemory[]): { newest: RecalledMemory[]; older: RecalledMemory[] } {
  const groups = new Map<string, RecalledMemory[]>();
  for (const memory of memories) {
    const key = `${memory.authorId} ${comparable(memory.text)}`;
    groups.set(key, [...(groups.get(key) ?? []), memory]);
  }
  const newest: RecalledMemory[] = [];
  const older: RecalledMemory[] = [];
  for (const group of groups.values()) {
    const [last, ...others] = group.sort((a, b) => b.at - a.at);
    if (last) newest.push({ ...last, score: Math.max(...group.map(({ score }) => score)) });
    older.push(...others);
  }
  return { newest, older };
}

/** Equal for texts that differ only in case, punctuation and spaces. */
function comparable(text: string): string {
  const words = known.of(cutText(text, MAX_COMPARED), wordsOf);
  return text.length > MAX_COMPARED ? `${words} ${text.length}` : words;
}

function wordsOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function toRecalled({ id, room_id: roomId, authorId, authorName, type, text, at }: RecallRow): RecalledMemory {
  return { memoryId: id, roomId, authorId, authorName, type, text, at, score: 0, similarity: null, pieces: [], foundBy: [] };
}
