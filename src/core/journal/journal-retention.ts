import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { Reader, STORE, UnitOfWork, type Store } from '../database/index.js';
import type { RetentionSweep } from '../retention/index.js';
import { transientTypes } from './events.js';

// Transient entries are for clients that reconnect while a reply is generated; later the message itself has the text.
const TRANSIENT_KEPT_MS = 15 * 60_000;
const PAGE = 5000;
// One connection deletes about 100,000 entries per second; 10,000 streamed replies per second leave twice as many transient ones.
const PAGES_AT_ONCE_ON_POSTGRES = 4;

interface Floor {
  trimmed_to: number;
  compacted_to: number;
}

/** Deletes journal entries after JOURNAL_RETENTION_HOURS, and transient ones after 15 minutes. */
@Injectable()
export class JournalRetention implements RetentionSweep {
  readonly removes = 'journal entries';
  readonly everyMs = 60_000;
  private readonly isShared: boolean;

  constructor(
    @Inject(STORE) store: Store,
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.isShared = store.readSource.options.type === 'postgres';
  }

  async sweep(stopping?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const trim = async (): Promise<void> => {
      while (!stopping?.aborted && (await this.trimPage(now - this.config.journalRetentionHours * 3_600_000)));
    };
    const compact = async (): Promise<void> => {
      while (!stopping?.aborted && (await this.compactPages(now - TRANSIENT_KEPT_MS)));
    };
    // SQLite has one writer, whom two pages would hold for twice as long.
    if (!this.isShared) return trim().then(compact);
    for (const ended of await Promise.allSettled([trim(), compact()])) if (ended.status === 'rejected') throw ended.reason;
  }

  /** Keeps the newest entry of each channel and of the journal, because the next positions are computed from them. */
  private async trimPage(before: number): Promise<boolean> {
    const { trimmed_to: from } = await this.floor();
    const to = await this.lastBefore(from, before);
    if (to === from) return false;
    await this.unitOfWork.commit([
      // The newest entries of channels that were quiet and are no longer, and the newest of all that is so no longer.
      {
        sql: 'DELETE FROM journal WHERE channel_id IN (SELECT DISTINCT channel_id FROM journal WHERE pos > ? AND pos <= ?) AND pos <= ?',
        params: [from, to, from],
      },
      { sql: 'DELETE FROM journal WHERE channel_id IS NULL AND pos <= ?', params: [from] },
      {
        sql: `DELETE FROM journal WHERE pos > ? AND pos <= ? AND CASE WHEN channel_id IS NULL
          THEN EXISTS (SELECT 1 FROM journal later WHERE later.pos > journal.pos)
          ELSE EXISTS (SELECT 1 FROM journal later WHERE later.channel_id = journal.channel_id AND later.pos > journal.pos) END`,
        params: [from, to],
      },
      { sql: 'UPDATE journal_floor SET trimmed_to = ? WHERE id = 1', params: [to] },
    ]);
    return true;
  }

  /** No reader is told of a missing transient entry, so pages may be deleted in any order before the floor follows. */
  private async compactPages(before: number): Promise<boolean> {
    const { compacted_to: from } = await this.floor();
    const pages: { from: number; to: number }[] = [];
    for (let start = from; pages.length < (this.isShared ? PAGES_AT_ONCE_ON_POSTGRES : 1);) {
      const to = await this.lastBefore(start, before);
      if (to === start) break;
      pages.push({ from: start, to });
      start = to;
    }
    const last = pages.at(-1);
    if (!last) return false;
    const transient = transientTypes();
    const sql = `DELETE FROM journal WHERE pos > ? AND pos <= ? AND type IN (${transient.map(() => '?').join(', ') || 'NULL'}) AND EXISTS
      (SELECT 1 FROM journal later WHERE later.channel_id = journal.channel_id AND later.pos > journal.pos)`;
    await Promise.all(pages.map((page) => this.unitOfWork.commit([{ sql, params: [page.from, page.to, ...transient] }])));
    await this.unitOfWork.commit([{ sql: 'UPDATE journal_floor SET compacted_to = ? WHERE id = 1', params: [last.to] }]);
    return true;
  }

  /** Last offset of the next page after `from` whose entries are all older than `before`; `from` if there is none. */
  private async lastBefore(from: number, before: number): Promise<number> {
    const rows = await this.reader.rows<{ pos: number; at: number }>(
      `SELECT pos, at FROM journal WHERE pos > ? ORDER BY pos LIMIT ${PAGE}`,
      [from],
    );
    const fresh = rows.findIndex((row) => row.at >= before);
    return rows[(fresh === -1 ? rows.length : fresh) - 1]?.pos ?? from;
  }

  private async floor(): Promise<Floor> {
    const [row] = await this.reader.rows<Floor>('SELECT trimmed_to, compacted_to FROM journal_floor WHERE id = 1');
    if (!row) throw new Error('the journal has no floor row');
    return row;
  }
}
