import { Injectable } from '@nestjs/common';
import { Reader, tableOf, UnitOfWork, type ColumnsOf, type Statement, type Transaction } from '../../core/database/index.js';
import { JobTable } from '../../core/queue/index.js';
import { ForgetRequestRow } from './entities/index.js';

const REQUESTS = tableOf(ForgetRequestRow);
const SELECT = `SELECT ${REQUESTS.columns} FROM forget_requests`;
const PROGRESS = REQUESTS.pick('step', 'position', 'erased');
const JOBS = new JobTable({
  queue: 'forget_requests',
  table: 'forget_requests',
  key: ['id'],
  waiting: ['queued'],
  due: 'due_at',
  since: 'created_at',
  onClaim: 'updated_at = ?',
  onEnd: 'updated_at = ?',
});

/** A request to forget a user. */
export type ForgetRequest = ColumnsOf<ForgetRequestRow>;

/** Requests to forget users. Their rows are the jobs of a queue. */
@Injectable()
export class ForgetRequestsRepository {
  readonly table = JOBS;

  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async find(id: string, userHash: string): Promise<ForgetRequest | undefined> {
    const [row] = await this.reader.rows(`${SELECT} WHERE id = ? AND user_hash = ?`, [id, userHash]);
    return row && REQUESTS.read(row);
  }

  /** The request of a user that has not been completed. */
  async findOpen(tx: Transaction, userHash: string): Promise<ForgetRequest | undefined> {
    const [row] = await tx.rows(`${SELECT} WHERE user_hash = ? AND status <> 'done' ORDER BY created_at LIMIT 1`, [userHash]);
    return row && REQUESTS.read(row);
  }

  /** Due requests, and when the next becomes due. */
  due(now: number, limit: number): ReturnType<typeof JOBS.withNextDue<{ id: string }>> {
    const sql = `SELECT id FROM forget_requests WHERE ${JOBS.claimable} ORDER BY due_at, id LIMIT ?`;
    return JOBS.withNextDue(this.reader, now, this.reader.rows<{ id: string }>(sql, [now, limit]));
  }

  /** No effect while the user has a request that has not been completed. */
  insert(request: ForgetRequest): Statement {
    return { ...REQUESTS.insert(request, `ON CONFLICT (user_hash) WHERE status IN ('queued', 'running') DO NOTHING`), counted: true };
  }

  /** Claims a due request; undefined when another process holds it. */
  async claim(id: string, claim: Statement): Promise<ForgetRequest | undefined> {
    const row = await JOBS.claimed(this.unitOfWork, claim, { sql: `${SELECT} WHERE id = ?`, params: [id] });
    return row && REQUESTS.read(row);
  }

  setProgress(request: Pick<ForgetRequest, 'id' | 'step' | 'position' | 'erased'>): Statement {
    return { sql: `UPDATE forget_requests SET ${PROGRESS.assignments} WHERE id = ?`, params: [...PROGRESS.params(request), request.id] };
  }

  /** Removes the user's id, and what the steps have written down. */
  forgetUser(id: string): Statement[] {
    return [
      { sql: 'UPDATE forget_requests SET user_id = NULL WHERE id = ?', params: [id] },
      { sql: 'DELETE FROM forget_scope WHERE request_id = ?', params: [id] },
    ];
  }

  setBackups(id: string, backups: readonly string[]): Statement {
    return { sql: 'UPDATE forget_requests SET backups = ? WHERE id = ?', params: [JSON.stringify(backups), id] };
  }
}
