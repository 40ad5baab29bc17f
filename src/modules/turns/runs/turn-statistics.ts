import { Injectable } from '@nestjs/common';
import { inBuckets, Reader, type BucketRange } from '../../../core/database/index.js';
import type { TurnStatus } from '../entities/turn.entity.js';

/** Turns of one bucket with the same state and about the same duration. */
export interface TurnCount {
  readonly bucket: number;
  readonly status: TurnStatus;
  /** Index of the duration in `DURATION_STEPS_MS`; null for a turn that has not ended. */
  readonly step: number | null;
  readonly turns: number;
}

/** Messages that agents had to reply to, in one bucket. */
export interface AskedCount {
  readonly bucket: number;
  readonly messages: number;
}

const STEPS_PER_DOUBLING = 4;
const LONGEST_MS = 3_600_000;

/** Upper bounds of durations, ms: each a quarter of an octave above the one before; the last one has none. */
export const DURATION_STEPS_MS: readonly number[] = [
  ...Array.from({ length: Math.ceil(Math.log2(LONGEST_MS) * STEPS_PER_DOUBLING) }, (_, step) => 2 ** (step / STEPS_PER_DOUBLING)),
  Infinity,
];

const STEP = `CASE ${DURATION_STEPS_MS.slice(0, -1)
  .map((bound, step) => `WHEN finished_at - created_at <= ${Math.floor(bound)} THEN ${step}`)
  .join(' ')} ELSE ${DURATION_STEPS_MS.length - 1} END`;

/** Counts turns by the time of their message. Turns of deleted messages are not counted. */
@Injectable()
export class TurnStatistics {
  constructor(private readonly reader: Reader) {}

  async turns(range: BucketRange): Promise<TurnCount[]> {
    const { bucket: number, where, params } = inBuckets('created_at', range);
    const rows = await this.reader.rows<Record<string, unknown>>(
      `SELECT bucket, status, step, count(*) AS turns FROM (
        SELECT ${number} AS bucket, status, CASE WHEN finished_at IS NULL THEN NULL ELSE ${STEP} END AS step FROM turns WHERE ${where}
      ) AS ended GROUP BY bucket, status, step`,
      params,
    );
    return rows.map(({ bucket, status, step, turns }) => ({
      bucket: Number(bucket),
      status: status as TurnCount['status'],
      step: step === null ? null : Number(step),
      turns: Number(turns),
    }));
  }

  /** A message that several agents reply to counts once. */
  async asked(range: BucketRange): Promise<AskedCount[]> {
    const { bucket: number, where, params } = inBuckets('created_at', range);
    const rows = await this.reader.rows<Record<string, unknown>>(
      `SELECT ${number} AS bucket, count(DISTINCT message_id) AS messages FROM turns WHERE ${where} GROUP BY bucket`,
      params,
    );
    return rows.map(({ bucket, messages }) => ({ bucket: Number(bucket), messages: Number(messages) }));
  }
}
