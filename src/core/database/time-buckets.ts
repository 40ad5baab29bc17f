import { idKeys } from './sql-text.js';
import type { SqlValue } from './statement.js';

/** A time range in buckets of equal length. */
export interface BucketRange {
  /** Beginning of the first bucket, epoch ms; at most `from`. */
  readonly origin: number;
  /** Epoch ms. */
  readonly from: number;
  /** Epoch ms, exclusive. */
  readonly to: number;
  readonly bucketMs: number;
  /** Only rows of these agents; all when absent. */
  readonly agentIds?: readonly string[];
}

/**
 * SQL for rows of a range: `bucket`, the number of a row's bucket, and `where`, a condition with its `params`.
 *
 * @param at name of the column that has the instant of a row; the condition suits an index that begins with it
 */
export function inBuckets(at: string, range: BucketRange): { bucket: string; where: string; params: SqlValue[] } {
  const { origin, from, to, bucketMs, agentIds } = range;
  // Whole numbers in the text: the driver of SQLite binds large ones as fractions.
  const bucket = `(${at} - ${Math.trunc(origin)}) / ${Math.trunc(bucketMs)}`;
  const within = `${at} >= ? AND ${at} < ?`;
  if (agentIds === undefined) return { bucket, where: within, params: [from, to] };
  // Not by an index of the agents: a short range has fewer rows than an agent.
  return { bucket, where: `${within} AND agent_id || '' IN (SELECT key FROM json_each(?))`, params: [from, to, idKeys(agentIds)] };
}
