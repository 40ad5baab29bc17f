import { Inject, Injectable } from '@nestjs/common';
import type { MetricSource, Reading } from '../telemetry/index.js';
import { DATABASE_METRICS } from './database.metrics.js';
import { STORE, type Store } from './store.js';

/** The connections of this process to PostgreSQL. Nothing on SQLite, which has one to write and one to read. */
@Injectable()
export class DatabaseSource implements MetricSource {
  readonly source = 'database';

  constructor(@Inject(STORE) private readonly store: Store) {}

  read(): readonly Reading[] {
    const { pool, notifier } = this.store;
    const { connections, poolLimit, poolWaiting, notifications } = DATABASE_METRICS;
    const readings = notifier ? [notifications.reading(notifier.state === 'connected' ? 1 : 0, {})] : [];
    if (!pool) return readings;
    return [
      ...readings,
      connections.reading(pool.totalCount - pool.idleCount, { state: 'used' }),
      connections.reading(pool.idleCount, { state: 'idle' }),
      poolLimit.reading(pool.options.max, {}),
      poolWaiting.reading(pool.waitingCount, {}),
    ];
  }
}
