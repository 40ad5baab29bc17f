import { memoryUsage } from 'node:process';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock, PeriodicTask } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { engineOf, inBuckets, Reader, tableOf, UnitOfWork, type BucketRange } from '../../core/database/index.js';
import { newId } from '../../core/ids/index.js';
import { Log } from '../../core/logging/index.js';
import type { RetentionSweep } from '../../core/retention/index.js';
import { ServerSampleRow } from './entities/server-sample.entity.js';

const MINUTE_MS = 60_000;
const EVERY_MS = 5 * MINUTE_MS;
const HOUR_MS = 60 * MINUTE_MS;
const KEPT_MS = 90 * 24 * HOUR_MS;
const PAGE = 1000;
const SAMPLE = tableOf(ServerSampleRow);
const SIZES = {
  sqlite: 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
  postgres: 'SELECT pg_database_size(current_database()) AS bytes',
} as const;

export interface Sample {
  /** Epoch ms. */
  readonly at: number;
  readonly processId: string;
  readonly memoryBytes: number;
  readonly databaseBytes: number;
}

/** Stores the memory of this process and the size of the database every 5 minutes. Samples are kept for 90 days. */
@Injectable()
export class ServerSamples implements OnModuleInit, BeforeApplicationShutdown, RetentionSweep {
  readonly removes = 'samples of memory and database size';
  readonly everyMs = HOUR_MS;
  private readonly processId = newId();
  private readonly log = new Log('statistics');
  private readonly task: PeriodicTask;

  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    const failed = (error: unknown): void => this.log.warn('a sample of memory and database size was not stored', { error: String(error) });
    this.task = new PeriodicTask(clock, EVERY_MS, () => this.store(), failed);
  }

  onModuleInit(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Measures now; stores nothing. */
  async take(): Promise<Sample> {
    const at = this.clock.now();
    const [row] = await this.reader.rows<{ bytes: number | string }>(SIZES[engineOf(this.config.databaseUrl)]);
    return { at, processId: this.processId, memoryBytes: memoryUsage().rss, databaseBytes: Number(row?.bytes ?? 0) };
  }

  /** The largest of each process and bucket. */
  async byTime(range: BucketRange): Promise<(Omit<Sample, 'at'> & { readonly bucket: number })[]> {
    const { bucket, where, params } = inBuckets('at', range);
    const rows = await this.reader.rows<Record<string, number | string>>(
      `SELECT ${bucket} AS bucket, process_id, max(memory_bytes) AS memory_bytes, max(database_bytes) AS database_bytes
        FROM server_samples WHERE ${where} GROUP BY bucket, process_id`,
      params,
    );
    return rows.map((row) => ({
      bucket: Number(row['bucket']),
      processId: String(row['process_id']),
      memoryBytes: Number(row['memory_bytes']),
      databaseBytes: Number(row['database_bytes']),
    }));
  }

  async sweep(stopping?: AbortSignal): Promise<void> {
    const before = this.clock.now() - KEPT_MS;
    for (let deleted = PAGE; deleted === PAGE && !stopping?.aborted;) {
      const sql = 'DELETE FROM server_samples WHERE id IN (SELECT id FROM server_samples WHERE at < ? LIMIT ?)';
      const [outcome] = await this.unitOfWork.commit([{ sql, params: [before, PAGE], counted: true }]);
      deleted = outcome?.changed ?? 0;
    }
  }

  private async store(): Promise<void> {
    await this.unitOfWork.commit([SAMPLE.insert({ id: newId(), ...(await this.take()) })]);
  }
}
