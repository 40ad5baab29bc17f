import { Inject, Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock, Repetition } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { Reader, UnitOfWork } from '../database/index.js';
import { Log } from '../logging/index.js';

const INTERVAL_MS = 60_000;
// A reply's chunks serve readers that reconnect while it is being made; afterwards the message itself has the text.
const CHUNKS_KEPT_MS = 15 * 60_000;
const PAGE = 5000;

interface Floor {
  trimmed_to: number;
  compacted_to: number;
}

/** Keeps the journal bounded: removes entries past their retention, and the chunks of replies that are long finished. */
@Injectable()
export class JournalRetention implements OnModuleInit, BeforeApplicationShutdown {
  private readonly log = new Log('journal');
  private readonly sweeps: Repetition;

  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.sweeps = new Repetition(
      clock,
      INTERVAL_MS,
      (over) => this.sweep(over),
      (error) => this.log.error('the journal could not be trimmed; trying again in a minute', error),
    );
  }

  onModuleInit(): void {
    this.sweeps.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.sweeps.stop();
  }

  /** One sweep, in pages, so that writers never wait long for it. */
  async sweep(over = (): boolean => false): Promise<void> {
    const now = this.clock.now();
    while (!over() && (await this.trimPage(now - this.config.journalRetentionHours * 3_600_000)));
    while (!over() && (await this.compactPage(now - CHUNKS_KEPT_MS)));
  }

  /** The newest entry stays, of each channel and of the journal: the next positions are counted from them. */
  private async trimPage(before: number): Promise<boolean> {
    const { trimmed_to: from } = await this.floor();
    const to = await this.lastBefore(from, before);
    if (to === from) return false;
    await this.unitOfWork.commit([
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

  private async compactPage(before: number): Promise<boolean> {
    const { compacted_to: from } = await this.floor();
    const to = await this.lastBefore(from, before);
    if (to === from) return false;
    await this.unitOfWork.commit([
      {
        sql: `DELETE FROM journal WHERE pos > ? AND pos <= ? AND type = 'message.chunk' AND EXISTS
          (SELECT 1 FROM journal later WHERE later.channel_id = journal.channel_id AND later.pos > journal.pos)`,
        params: [from, to],
      },
      { sql: 'UPDATE journal_floor SET compacted_to = ? WHERE id = 1', params: [to] },
    ]);
    return true;
  }

  /** Highest offset of the next page behind `from` whose entries are all older than `before`; `from` when there is none. */
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
