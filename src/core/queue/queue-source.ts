import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { Reader } from '../database/index.js';
import { Hooks } from '../hooks/index.js';
import type { MetricSource, Reading } from '../telemetry/index.js';
import type { JobTable } from './job-table.js';
import { QUEUE_METRICS } from './queue.metrics.js';

interface BacklogRow {
  readonly due: number | string | null;
  readonly delayed: number | string | null;
  readonly running: number | string | null;
  readonly oldest: number | string | null;
}

/** The owner of a table of jobs, for metrics; a class of the hook kind `queueOwners`. */
export interface QueueOwner {
  readonly table: JobTable;
}

/** Length and age of all queues, from their tables. */
@Injectable()
export class QueueSource implements MetricSource {
  readonly source = 'queues';
  readonly asksDatabase = true;

  constructor(
    private readonly hooks: Hooks,
    private readonly reader: Reader,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<readonly Reading[]> {
    const now = this.clock.now();
    const readings = await Promise.all(
      this.hooks.of('queueOwners').map(async ({ table: { queue, backlog } }) => {
        const [row] = await this.reader.rows<BacklogRow>(backlog, [now, now, now, now]);
        const { jobs, oldest } = QUEUE_METRICS;
        const since = row?.oldest === null || row === undefined ? now : Number(row.oldest);
        return [
          ...(['due', 'delayed', 'running'] as const).map((state) => jobs.reading(Number(row?.[state] ?? 0), { queue, state })),
          oldest.reading(Math.max(now - since, 0), { queue }),
        ];
      }),
    );
    return readings.flat();
  }
}

declare module '../hooks/hook-kinds.js' {
  interface HookKinds {
    queueOwners: QueueOwner;
  }
}
