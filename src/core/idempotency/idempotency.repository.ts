import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Statement } from '../database/index.js';

// An attempt that died before it wrote anything that cannot be repeated leaves its place to the next one.
const CLAIM = `INSERT INTO idempotency_keys (id, fingerprint, attempt, lease_until, written, created_at) VALUES (?, ?, ?, ?, 0, ?)
  ON CONFLICT (id) DO UPDATE SET attempt = excluded.attempt, lease_until = excluded.lease_until
  WHERE idempotency_keys.status IS NULL AND idempotency_keys.written = 0 AND idempotency_keys.lease_until <= ?
    AND idempotency_keys.fingerprint = excluded.fingerprint`;
const READ = 'SELECT attempt, fingerprint, lease_until, written, status, answer FROM idempotency_keys WHERE id = ?';
const MINE = 'WHERE id = ? AND attempt = ? AND status IS NULL';
const OLD = 'DELETE FROM idempotency_keys WHERE id IN (SELECT id FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)';

/** The place of one attempt at a request. */
export interface Attempt {
  readonly id: string;
  readonly attempt: string;
}

/** What is known of a request that came with a key. */
export interface KeptRequest {
  readonly attempt: string;
  readonly fingerprint: string;
  readonly leaseUntil: number;
  readonly written: boolean;
  readonly status: number | null;
  readonly answer: string | null;
}

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Takes the place if it is free. @returns who has it now */
  async claim({ id, attempt }: Attempt, fingerprint: string, leaseUntil: number, now: number): Promise<KeptRequest> {
    const params = [id, fingerprint, attempt, leaseUntil, now, now];
    const [outcome] = await this.unitOfWork.commit([{ sql: CLAIM, params, returns: { sql: READ, params: [id] } }]);
    const row = outcome?.rows[0];
    if (!row) throw new Error(`the idempotency key ${id} was not stored`);
    return {
      attempt: row['attempt'] as string,
      fingerprint: row['fingerprint'] as string,
      leaseUntil: Number(row['lease_until']),
      written: Number(row['written']) === 1,
      status: row['status'] as number | null,
      answer: row['answer'] as string | null,
    };
  }

  /** Goes along with the first unit of a request that cannot be repeated. */
  wrote({ id, attempt }: Attempt): Statement {
    return { sql: `UPDATE idempotency_keys SET written = 1 ${MINE}`, params: [id, attempt] };
  }

  async extend({ id, attempt }: Attempt, leaseUntil: number): Promise<void> {
    await this.unitOfWork.commit([{ sql: `UPDATE idempotency_keys SET lease_until = ? ${MINE}`, params: [leaseUntil, id, attempt] }]);
  }

  async keep({ id, attempt }: Attempt, status: number, answer: string): Promise<void> {
    await this.unitOfWork.commit([
      { sql: `UPDATE idempotency_keys SET status = ?, answer = ? ${MINE}`, params: [status, answer, id, attempt] },
    ]);
  }

  async release({ id, attempt }: Attempt): Promise<void> {
    await this.unitOfWork.commit([{ sql: `DELETE FROM idempotency_keys ${MINE}`, params: [id, attempt] }]);
  }

  /** Ends the leases of all attempts: where one process has the database, those of an earlier one have died. */
  async releaseLeases(): Promise<void> {
    await this.unitOfWork.commit([{ sql: 'UPDATE idempotency_keys SET lease_until = 0 WHERE status IS NULL', params: [] }]);
  }

  /** @returns whether there may be more */
  async forget(before: number, limit: number): Promise<boolean> {
    const [outcome] = await this.unitOfWork.commit([{ sql: OLD, params: [before, limit], counted: true }]);
    return outcome?.changed === limit;
  }
}
