import { cutText, KnownTexts } from '../../../core/text/index.js';
import { informationOf } from './questions.js';
import type { RecallRow } from './recall-rows.repository.js';
import type { FoundBy, LeftOutMemory, RecalledMemory } from './recall-result.js';

// The rank from which on a search counts half as much as at its first.
const HALF_RANK = 20;
const WEIGHTS: Readonly<Record<FoundBy, number>> = { meaning: 1, words: 1, recency: 0.25, unseen: 1, related: 0.5 };
const MAX_SCORE = Object.values(WEIGHTS).reduce((sum, weight) => sum + weight / HALF_RANK, 0);
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

/**
 * Joins the results of several searches by reciprocal ranks (Cormack, Clarke, Büttcher 2009): each search adds `weight / (20 + rank)` to the
 * score of a memory. Ranks, unlike similarities and weights of words, need no calibration for each embedding model and language.
 * Questions count half (see `informationOf`), and of an author's memories with the same text the newest stays.
 *
 * @param limit number of memories to return, best first
 */
export function fuse(lists: readonly FoundList[], limit: number): { memories: RecalledMemory[]; leftOut: LeftOutMemory[] } {
  const fused = new Map<string, RecalledMemory>();
  for (const { by, found } of lists) {
    for (const [rank, { row, similarity = null, pieces = [], factor = 1 }] of found.entries()) {
      const known = fused.get(row.id) ?? toRecalled(row);
      const added = ((factor * WEIGHTS[by]) / (HALF_RANK + rank) / MAX_SCORE) * informationOf(row.text);
      fused.set(row.id, {
        ...known,
        score: known.score + added,
        similarity: known.similarity ?? similarity,
        pieces: known.pieces.length > 0 ? known.pieces : pieces,
        foundBy: [...known.foundBy, by],
      });
    }
  }
  const { newest, older } = withoutDuplicates([...fused.values()]);
  const ranked = newest.sort((a, b) => b.score - a.score || b.at - a.at);
  const leftOut = [
    ...ranked.slice(limit).map(({ memoryId, score }): LeftOutMemory => ({ memoryId, score, reason: 'limit' })),
    ...older.map(({ memoryId, score }): LeftOutMemory => ({ memoryId, score, reason: 'duplicate' })),
  ];
  return { memories: ranked.slice(0, limit), leftOut: leftOut.sort((a, b) => b.score - a.score).slice(0, MAX_LEFT_OUT) };
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
