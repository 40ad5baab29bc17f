import { containsTerm, type SearchTerm } from '../../../core/search/index.js';
import { cutText } from '../../../core/text/index.js';
import { pieceLimits, splitIntoPieces, type TextPiece } from '../vectors/text-pieces.js';
import type { LeftOutMemory, RecalledMemory } from './recall-result.js';

/** A longer text is shown as its matching parts, characters. */
const MAX_WHOLE = 400;
const MAX_PARTS = 240;
const DAY_MS = 86_400_000;
/** Older memories are shown with their day only. */
const TIME_SHOWN_MS = 7 * DAY_MS;
const MAX_NAME = 60;

/** The memories that a prompt shows. */
export interface MemoryLines {
  /** Oldest first, each on one line. */
  readonly lines: readonly string[];
  /** In the order of the lines. */
  readonly memories: readonly RecalledMemory[];
  /** Of the budget, used by the lines. */
  readonly tokens: number;
  readonly leftOut: readonly LeftOutMemory[];
}

export interface LineOptions {
  /** Epoch ms. */
  readonly now: number;
  /** Budget for all lines. */
  readonly tokens: number;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
  /** Terms of the query; they choose the parts of a long text. */
  readonly terms: readonly SearchTerm[];
  /** That of the model that `pieces` of the memories refer to, see `EmbeddingModel`. */
  readonly pieceLength: number;
}

/**
 * Chooses the memories for a prompt, best first until the budget is used up, and writes each on one line with its time and its author:
 * `2026-11-23 14:05, Ana: My cat is called Otto.`
 *
 * @param found best first
 */
export function toMemoryLines(found: readonly RecalledMemory[], { tokens, now, count, ...options }: LineOptions): MemoryLines {
  const shown: { memory: RecalledMemory; line: string }[] = [];
  const leftOut: LeftOutMemory[] = [];
  let left = tokens;
  for (const memory of found) {
    const line = `${formatInstant(memory.at, now - memory.at < TIME_SHOWN_MS)}, ${authorOf(memory)}: ${oneLine(excerpt(memory, options))}`;
    const cost = count(line) + 1;
    if (cost <= left) {
      left -= cost;
      shown.push({ memory, line });
    } else {
      leftOut.push({ memoryId: memory.memoryId, score: memory.score, reason: 'budget' });
    }
  }
  shown.sort((a, b) => a.memory.at - b.memory.at);
  return { lines: shown.map(({ line }) => line), memories: shown.map(({ memory }) => memory), tokens: tokens - left, leftOut };
}

/** A text as one line: a stored text must not look like a section of the prompt that quotes it. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** `2026-11-23 14:05`, UTC, or only the day. */
export function formatInstant(at: number, withTime = true): string {
  return new Date(at)
    .toISOString()
    .slice(0, withTime ? 16 : 10)
    .replace('T', ' ');
}

function authorOf({ authorName, authorId, roomId }: RecalledMemory): string {
  if (authorName !== null && authorName.trim() !== '') return cutText(oneLine(authorName), MAX_NAME);
  return authorId === roomId ? 'you' : 'user';
}

/** The matching parts of a long text, in their order. */
function excerpt({ text, pieces: near }: RecalledMemory, { terms, pieceLength }: Omit<LineOptions, 'tokens' | 'now' | 'count'>): string {
  if (text.length <= MAX_WHOLE) return text;
  const all = splitIntoPieces(text, pieceLimits(pieceLength, false));
  const score = ({ number, text: piece }: TextPiece): number =>
    terms.filter((term) => containsTerm(piece, term)).length + (near.includes(number) ? 2 / (1 + near.indexOf(number)) : 0);
  const ranked = all.map((piece) => ({ piece, score: score(piece) })).sort((a, b) => b.score - a.score || a.piece.number - b.piece.number);
  const chosen: TextPiece[] = [];
  let length = 0;
  for (const { piece, score: matches } of ranked) {
    if (length > 0 && (matches === 0 || length + piece.text.length > MAX_PARTS)) break;
    chosen.push(piece);
    length += piece.text.length;
  }
  chosen.sort((a, b) => a.number - b.number);
  return chosen
    .map(({ number, text: piece }, index) => `${number === (chosen[index - 1]?.number ?? -1) + 1 ? '' : '… '}${piece}`)
    .join(' ')
    .concat(chosen.at(-1)?.number === all.length - 1 ? '' : ' …');
}
