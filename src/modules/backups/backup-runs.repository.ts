import { Injectable } from '@nestjs/common';
import { Reader, tableOf, UnitOfWork, type ColumnsOf, type Statement } from '../../core/database/index.js';
import { JobTable } from '../../core/queue/index.js';
import { BackupRunRow } from './entities/backup-run.entity.js';

const RUNS = tableOf(BackupRunRow);
const SELECT = `SELECT ${RUNS.columns} FROM backup_runs`;
const MADE = RUNS.pick('name', 'address');
const RESULT = RUNS.pick('size', 'verifiedAt');
const JOBS = new JobTable({
  queue: 'backups',
  table: 'backup_runs',
  key: ['tick'],
  waiting: ['queued'],
  due: 'due_at',
  onClaim: 'started_at = ?',
  onEnd: 'ended_at = ?',
});
// Whatever is older than the newest complete one by this.
const KEPT_ROWS = 200;

/** A due backup of the schedule, and what became of it. */
export type BackupRun = ColumnsOf<BackupRunRow>;

/** The backups of the schedule. Their rows are the jobs of a queue. */
@Injectable()
export class BackupRunsRepository {
  readonly table = JOBS;

  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The newest ones, the newest first. */
  async newest(limit: number): Promise<BackupRun[]> {
    return (await this.reader.rows(`${SELECT} ORDER BY tick DESC LIMIT ?`, [limit])).map((row) => RUNS.read(row));
  }

  async newestComplete(): Promise<BackupRun | undefined> {
    const [row] = await this.reader.rows(`${SELECT} WHERE status = 'complete' ORDER BY tick DESC LIMIT 1`);
    return row && RUNS.read(row);
  }

  /** The due ones, and when the next becomes due. */
  due(now: number, limit: number): ReturnType<typeof JOBS.withNextDue<{ tick: string }>> {
    const sql = `SELECT tick FROM backup_runs WHERE ${JOBS.claimable} ORDER BY tick DESC LIMIT ?`;
    return JOBS.withNextDue(this.reader, now, this.reader.rows<{ tick: string }>(sql, [now, limit]));
  }

  /** Stores that a backup is due, once, in place of older ones that wait for another attempt. No effect when a later one is stored. */
  plan(tick: string, now: number): Statement[] {
    return [
      {
        sql: `INSERT INTO backup_runs (tick, status, attempts, due_at) SELECT ?, 'queued', 0, ?
          WHERE NOT EXISTS (SELECT 1 FROM backup_runs WHERE tick >= ?) ON CONFLICT (tick) DO NOTHING`,
        params: [tick, now, tick],
      },
      { sql: `UPDATE backup_runs SET status = 'failed', due_at = NULL WHERE status = 'queued' AND tick < ?`, params: [tick] },
    ];
  }

  /** Claims a due one; undefined when another process holds it. */
  async claim(tick: string, claim: Statement): Promise<BackupRun | undefined> {
    const row = await JOBS.claimed(this.unitOfWork, claim, { sql: `${SELECT} WHERE tick = ?`, params: [tick] });
    return row && RUNS.read(row);
  }

  /** The name of the backup that is about to be made. */
  setMade(tick: string, made: Pick<BackupRun, 'name' | 'address'>): Statement {
    return { sql: `UPDATE backup_runs SET ${MADE.assignments} WHERE tick = ?`, params: [...MADE.params(made), tick] };
  }

  setResult(tick: string, result: Pick<BackupRun, 'size' | 'verifiedAt'>): Statement {
    return { sql: `UPDATE backup_runs SET ${RESULT.assignments} WHERE tick = ?`, params: [...RESULT.params(result), tick] };
  }

  /** Deletes old rows, but not the newest complete one. */
  prune(): Statement {
    return {
      sql: `DELETE FROM backup_runs WHERE tick < (SELECT max(tick) FROM backup_runs WHERE status = 'complete')
        AND tick NOT IN (SELECT tick FROM backup_runs ORDER BY tick DESC LIMIT ?)`,
      params: [KEPT_ROWS],
    };
  }
}
