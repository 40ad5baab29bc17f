import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { DURATION_STEPS_MS, TurnStatistics, type AskedCount, type TurnCount } from '../turns/index.js';
import { ModelPrices, UsageService, type BucketUsage } from '../usage/index.js';
import { ServerSamples, type Sample } from './server-samples.js';
import type { StatisticsBucketView, StatisticsFiguresView, StatisticsView } from './statistics.dto.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BUCKETS_MS = { hour: HOUR_MS, day: DAY_MS } as const;
const MAX_HOURLY_MS = 7 * DAY_MS;
const MAX_BUCKETS = 750;
// A range is counted in slices, because other reads wait for each query on SQLite.
const SLICE_MS = 6 * HOUR_MS;
const MAX_SLICES = 400;

type Measured = Omit<Sample, 'at'> & { readonly bucket: number };

interface Counts {
  readonly turns: TurnCount[];
  readonly asked: AskedCount[];
  readonly usage: BucketUsage[];
}

export interface StatisticsRequest {
  /** Epoch ms. */
  readonly from: number | undefined;
  /** Epoch ms. */
  readonly to: number | undefined;
  readonly bucket: 'hour' | 'day' | undefined;
  readonly agentIds: readonly string[] | undefined;
  /** Whether to include memory and database size, which are those of the server. */
  readonly ofServer: boolean;
}

/** Counts what is stored: turns by their messages, usage, and samples of memory and database size. */
@Injectable()
export class StatisticsService {
  constructor(
    private readonly turns: TurnStatistics,
    private readonly usage: UsageService,
    private readonly samples: ServerSamples,
    private readonly prices: ModelPrices,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError VALIDATION_ERROR for a range that is empty or has too many buckets */
  async read(request: StatisticsRequest): Promise<StatisticsView> {
    const { from, to, bucket } = this.rangeOf(request);
    const bucketMs = BUCKETS_MS[bucket];
    const { agentIds, ofServer } = request;
    const { turns, asked, usage } = await this.count(from, to, bucketMs, agentIds);
    const { measured, present } = ofServer ? await this.measure(from, to, bucketMs) : { measured: [], present: undefined };
    const inBucket = <T extends { readonly bucket: number }>(rows: readonly T[]): Map<number, T[]> => {
      const groups = new Map<number, T[]>();
      for (const row of rows) groups.set(row.bucket, [...(groups.get(row.bucket) ?? []), row]);
      return groups;
    };
    const [turnsIn, askedIn, usageIn, samplesIn] = [inBucket(turns), inBucket(asked), inBucket(usage), inBucket(measured)];
    const buckets = Array.from({ length: Math.ceil((to - from) / bucketMs) }, (_, index): StatisticsBucketView => {
      const messages = sumOf(askedIn.get(index) ?? [], ({ messages: each }) => each);
      const sampled = samplesIn.get(index) ?? [];
      const memory = new Map<string, number>();
      for (const { processId, memoryBytes } of sampled) memory.set(processId, Math.max(memory.get(processId) ?? 0, memoryBytes));
      return {
        at: from + index * bucketMs,
        ...this.figures(turnsIn.get(index) ?? [], messages, usageIn.get(index) ?? []),
        memoryBytes: memory.size === 0 ? null : sumOf([...memory.values()], (bytes) => bytes),
        databaseBytes: sampled.length === 0 ? null : Math.max(...sampled.map(({ databaseBytes }) => databaseBytes)),
      };
    });
    const messages = sumOf(asked, ({ messages: each }) => each);
    const { memoryBytes = null, databaseBytes = null } = present ?? {};
    return { from, to, bucket, totals: this.figures(turns, messages, usage), buckets, memoryBytes, databaseBytes };
  }

  /** Stored samples with a present one, which belongs to its bucket of the range. */
  private async measure(from: number, to: number, bucketMs: number): Promise<{ measured: Measured[]; present: Sample }> {
    const [samples, present] = await Promise.all([this.samples.byTime({ origin: from, from, to, bucketMs }), this.samples.take()]);
    const isInRange = present.at >= from && present.at < to;
    return { measured: isInRange ? [...samples, { ...present, bucket: Math.floor((present.at - from) / bucketMs) }] : samples, present };
  }

  private async count(from: number, to: number, bucketMs: number, agentIds: readonly string[] | undefined): Promise<Counts> {
    const counts: Counts = { turns: [], asked: [], usage: [] };
    const slice = Math.max(SLICE_MS, Math.ceil((to - from) / MAX_SLICES));
    for (let at = from; at < to; at += slice) {
      const range = { origin: from, from: at, to: Math.min(at + slice, to), bucketMs, ...(agentIds && { agentIds }) };
      const [turns, asked, usage] = await Promise.all([this.turns.turns(range), this.turns.asked(range), this.usage.byTime(range)]);
      counts.turns.push(...turns);
      counts.asked.push(...asked);
      counts.usage.push(...usage);
    }
    return counts;
  }

  private rangeOf({
    from: given,
    to = this.clock.now(),
    bucket: wanted,
  }: StatisticsRequest): Pick<StatisticsView, 'from' | 'to' | 'bucket'> {
    const from = given ?? to - DAY_MS;
    if (from >= to) throw new AppError('VALIDATION_ERROR', 'from must be before to', 'Send an earlier "from" or a later "to".');
    const bucket = wanted ?? (to - from <= MAX_HOURLY_MS ? 'hour' : 'day');
    if (Math.ceil((to - from) / BUCKETS_MS[bucket]) > MAX_BUCKETS) {
      const way = bucket === 'hour' ? 'Send bucket=day, or a shorter range.' : 'Send a shorter range.';
      throw new AppError('VALIDATION_ERROR', `from and to are more than ${MAX_BUCKETS} buckets apart`, way);
    }
    return { from, to, bucket };
  }

  private figures(turns: readonly TurnCount[], asked: number, usage: readonly BucketUsage[]): StatisticsFiguresView {
    const count = (...wanted: TurnCount['status'][]): number =>
      sumOf(turns, ({ status, turns: each }) => (wanted.includes(status) ? each : 0));
    const completed = count('done');
    const done = turns.filter(({ status }) => status === 'done');
    const total = (field: 'calls' | 'inputTokens' | 'outputTokens'): number => sumOf(usage, (row) => row[field]);
    const costs = usage.map((row) => this.prices.costOf(row)).filter((cost) => cost !== null);
    return {
      messages: asked + completed,
      completed,
      failed: count('failed'),
      cancelled: count('cancelled'),
      pending: count('queued', 'running', 'suspended'),
      durationP50Ms: quantile(done, 0.5),
      durationP95Ms: quantile(done, 0.95),
      modelCalls: total('calls'),
      inputTokens: total('inputTokens'),
      outputTokens: total('outputTokens'),
      costUsd: costs.length === 0 ? null : sumOf(costs, (cost) => cost),
    };
  }
}

function sumOf<T>(rows: readonly T[], value: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + value(row), 0);
}

/** The middle, by ratio, of the step that contains the quantile, ms. */
function quantile(turns: readonly TurnCount[], share: number): number | null {
  const steps = turns.filter(({ step }) => step !== null).sort((a, b) => a.step! - b.step!);
  const wanted = sumOf(steps, ({ turns: each }) => each) * share;
  let seen = 0;
  for (const { step, turns: each } of steps) {
    seen += each;
    if (seen < wanted) continue;
    const upper = DURATION_STEPS_MS[step!]!;
    const lower = DURATION_STEPS_MS[step! - 1] ?? 0;
    return upper === Infinity ? Math.round(lower) : Math.round(Math.sqrt(Math.max(lower, 0.5) * upper));
  }
  return null;
}
