/** A memory that has to do with a question. */
export interface Recalled {
  readonly memoryId: string;
  readonly roomId: string;
  readonly authorId: string;
  readonly authorName: string | null;
  readonly text: string;
  /** When it was said, epoch ms. */
  readonly at: number;
  /** Nearness of meaning, -1 to 1; null when it was found by its words. */
  readonly similarity: number | null;
}

/**
 * Why one way to search was skipped:
 * - `no_question`: the question has no text
 * - `off`: there is no embedding model (EMBEDDING_PROVIDER=none)
 * - `nothing_embedded`: the agent has no memory with a vector
 * - `nothing_allowed`: it has none that this caller may hear
 * - `cold`: the encoder did not start in time
 * - `late`: the time was up (RECALL_TIMEOUT_MS)
 * - `failed`: the log has the cause
 * - `resting`: embeddings were late or failed several times; they are tried again within ten seconds
 * - `cancelled`: the answer is no longer wanted
 */
export type Skipped = 'no_question' | 'off' | 'nothing_embedded' | 'nothing_allowed' | 'cold' | 'late' | 'failed' | 'resting' | 'cancelled';

/** What one way to search came to; ms since the search began. */
export type SearchOutcome =
  { readonly found: number; readonly durationMs: number } | { readonly skipped: Skipped; readonly durationMs: number };

/** What was found, and how. */
export interface Recollection {
  /** What was found by its meaning, the nearest first; behind it what was found by its words, the best first. */
  readonly memories: readonly Recalled[];
  readonly byMeaning: SearchOutcome;
  readonly byWords: SearchOutcome;
  /** When it was there, epoch ms. */
  readonly at: number;
  /** How long it took, ms. */
  readonly durationMs: number;
}

const NOT_ASKED = { skipped: 'no_question', durationMs: 0 } as const;
export const nothingAsked = (at: number): Recollection => ({ memories: [], byMeaning: NOT_ASKED, byWords: NOT_ASKED, at, durationMs: 0 });
