/** A memory that matches a query. */
export interface RecalledMemory {
  readonly memoryId: string;
  readonly roomId: string;
  readonly authorId: string;
  readonly authorName: string | null;
  readonly text: string;
  /** Epoch ms. */
  readonly at: number;
  /** Cosine similarity, -1 to 1; null for a memory found by keywords. */
  readonly similarity: number | null;
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
 * - `resting`: embedding timed out or failed several times; it is retried within ten seconds
 * - `cancelled`: the caller cancelled the recall
 */
export type SkipReason =
  'no_question' | 'off' | 'nothing_embedded' | 'nothing_allowed' | 'cold' | 'late' | 'failed' | 'resting' | 'cancelled';

/** Outcome of one search; durations in ms since the start of the recall. */
export type SearchOutcome =
  { readonly found: number; readonly durationMs: number } | { readonly skipped: SkipReason; readonly durationMs: number };

export interface RecallResult {
  /** Semantic matches, nearest first, followed by keyword matches, best first. */
  readonly memories: readonly RecalledMemory[];
  readonly byMeaning: SearchOutcome;
  readonly byWords: SearchOutcome;
  /** When the recall finished, epoch ms. */
  readonly at: number;
  readonly durationMs: number;
}

const NO_QUESTION = { skipped: 'no_question', durationMs: 0 } as const;
export const emptyRecall = (at: number): RecallResult => ({
  memories: [],
  byMeaning: NO_QUESTION,
  byWords: NO_QUESTION,
  at,
  durationMs: 0,
});
