import { IsIn, IsString } from 'class-validator';
import { IfPresent, IsUuidText } from '../../core/http/index.js';

/** Query of `GET /api/server/statistics`. */
export class StatisticsQuery {
  /** Beginning: epoch ms or an ISO 8601 instant. Buckets are counted from it. Default: 24 hours before the end. */
  @IfPresent()
  @IsString()
  from?: string;

  /** End, exclusive: epoch ms or an ISO 8601 instant. Default: now. */
  @IfPresent()
  @IsString()
  to?: string;

  /** Length of a bucket. Default: `hour` for up to 7 days, else `day`. A range has at most 750 buckets. */
  @IfPresent()
  @IsIn(['hour', 'day'])
  bucket?: 'hour' | 'day';

  /** Only this agent. Memory and database size are those of the server. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;
}

/** Figures of a time. */
export class StatisticsFiguresView {
  /** Messages that agents were asked to reply to, and their replies. */
  messages!: number;
  /** Completed turns. */
  completed!: number;
  failed!: number;
  cancelled!: number;
  /** Turns that have not ended. */
  pending!: number;
  /** Median time from a message to its reply, ms, within 10 %; null without replies. */
  durationP50Ms!: number | null;
  /** The time that 95 % of the replies took at most, ms, within 10 %; null without replies. */
  durationP95Ms!: number | null;
  /** Calls of language models, including those of summaries and of extracted facts. */
  modelCalls!: number;
  /** As reported by the services. */
  inputTokens!: number;
  /** As reported by the services. */
  outputTokens!: number;
  /** US dollars of the models with a price in MODEL_PRICES; null without any. */
  costUsd!: number | null;
}

/** Figures of one bucket. */
export class StatisticsBucketView extends StatisticsFiguresView {
  /** Beginning of the bucket, epoch ms. */
  at!: number;
  /** Resident memory of all processes, bytes, each at its largest; null without samples, and for callers limited to agents. */
  memoryBytes!: number | null;
  /** Size of the database, bytes; null as `memoryBytes`. */
  databaseBytes!: number | null;
}

/** Statistics of a range. */
export class StatisticsView {
  /** Epoch ms. */
  from!: number;
  /** Epoch ms, exclusive. */
  to!: number;
  bucket!: 'hour' | 'day';
  totals!: StatisticsFiguresView;
  /** All buckets of the range, oldest first. */
  buckets!: StatisticsBucketView[];
  /** Resident memory of the process that responds, bytes; null for callers limited to agents. */
  memoryBytes!: number | null;
  /** Present size of the database, bytes; null for callers limited to agents. */
  databaseBytes!: number | null;
}
