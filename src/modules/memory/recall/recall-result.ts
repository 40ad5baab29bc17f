/** A memory that matches a query. */
export interface RecalledMemory {
  readonly memoryId: string;
  readonly roomId: string;
  readonly authorId: string;
  readonly authorName: string | null;
  /** Type of the memory: `messages`, `facts`, `knowledge`, … */
  readonly type: string;
  /** The first 33,000 characters or so. */
  readonly text: string;
  /** Epoch ms. */
  readonly at: number;
  /** How well the memory matches, 0 to 1; see `fuse`. */
  readonly score: number;
  /** Cosine similarity of the best piece, -1 to 1; null for a memory found in other ways only. */
  readonly similarity: number | null;
  /** Numbers of the pieces of the text that match by meaning, best first; see `splitIntoPieces`. */
  readonly pieces: readonly number[];
  /** The searches that found the memory. */
  readonly foundBy: readonly FoundBy[];
}

/**
 * How a memory was found: by its similarity to the query (`meaning`) or to the best of those memories (`related`), by `words`, or because it is
 * new (`recency`), and the semantic search does not cover it yet (`unseen`).
 */
export type FoundBy = 'meaning' | 'related' | 'words' | 'recency' | 'unseen';

/**
 * Why a memory that was found is left out:
 * - `duplicate`: a newer memory says the same
 * - `limit`: there were enough better ones
 * - `budget`: it did not fit in the tokens for memories (RECALL_TOKENS)
 * - `threshold`: it is not similar enough
 */
export type LeaveOutReason = 'duplicate' | 'limit' | 'budget' | 'threshold';

export interface LeftOutMemory {
  readonly memoryId: string;
  readonly score: number;
  readonly reason: LeaveOutReason;
}

/**
 * Why a search was skipped:
 * - `no_question`: the query has no text
 * - `off`: no embedding model is configured (EMBEDDING_PROVIDER=none)
 * - `nothing_embedded`: the agent has no memory with a vector
 * - `nothing_allowed`: the audience may see none of the agent's memories
 * - `cold`: the encoder did not start in time
 * - `late`: the search timed out (RECALL_TIMEOUT_MS)
 * - `failed`: see the log for the cause
 * - `resting`: embedding timed out or failed several times; other queries find out whether it works again
 * - `cancelled`: the caller cancelled the recall
 * - `language`: the embedding model does not know the language of the query
 */
export type SkipReason =
  'no_question' | 'off' | 'nothing_embedded' | 'nothing_allowed' | 'cold' | 'late' | 'failed' | 'resting' | 'cancelled' | 'language';

/** Outcome of one search; durations in ms since the start of the recall. */
export type SearchOutcome =
  { readonly found: number; readonly durationMs: number } | { readonly skipped: SkipReason; readonly durationMs: number };

export interface RecallResult {
  /** Best first. */
  readonly memories: readonly RecalledMemory[];
  /** Pieces of documents, best first; only with the option `documents`. */
  readonly documents: readonly RecalledMemory[];
  /** Of those found, the best that are not in `memories` or `documents`; at most 64. */
  readonly leftOut: readonly LeftOutMemory[];
  readonly byMeaning: SearchOutcome;
  readonly byWords: SearchOutcome;
  /** When the recall finished, epoch ms. */
  readonly at: number;
  readonly durationMs: number;
}

const NO_QUESTION = { skipped: 'no_question', durationMs: 0 } as const;
export const emptyRecall = (at: number): RecallResult => ({
  memories: [],
  documents: [],
  leftOut: [],
  byMeaning: NO_QUESTION,
  byWords: NO_QUESTION,
  at,
  durationMs: 0,
});
