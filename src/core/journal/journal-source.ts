import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { Reader } from '../database/index.js';
import type { MetricSource, Reading } from '../telemetry/index.js';
import { Journal } from './journal.js';
import { JOURNAL_METRICS } from './journal.metrics.js';

const OLDEST_AFTER = 'SELECT at FROM journal WHERE pos > ? ORDER BY pos LIMIT 1';

/** How far this process is behind the newest entry of the journal. */
@Injectable()
export class JournalSource implements MetricSource {
  readonly source = 'journal';
  readonly asksDatabase = true;

  constructor(
    private readonly journal: Journal,
    private readonly reader: Reader,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<readonly Reading[]> {
    const [head, [oldest]] = await Promise.all([
      this.journal.head(),
      this.reader.rows<{ at: number | string }>(OLDEST_AFTER, [this.journal.tail]),
    ]);
    // Entries delivered while the queries ran are no lag.
    const entries = Math.max(Number(head) - this.journal.tail, 0);
    const age = entries === 0 || !oldest ? 0 : Math.max(this.clock.now() - Number(oldest.at), 0);
    return [JOURNAL_METRICS.lagEntries.reading(entries, {}), JOURNAL_METRICS.lag.reading(age, {})];
  }
}
