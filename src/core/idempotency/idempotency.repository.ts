import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Statement } from '../database/index.js';

// Replaces an attempt whose lease has ended, unless it made changes that cannot be repeated.
const CLAIM = `INSERT INTO idempotency_keys (id, fingerprint, attempt, lease_until, written, created_at) VALUES (?, ?, ?, ?, 0, ?)
  ON CONFLICT (id) DO UPDATE SET attempt = excluded.attempt, lease_until = excluded.lease_until
  WHERE idempotency_keys.status IS NULL AND idempotency_keys.written = 0 AND idempotency_keys.lease_until <= ?
    AND idempotency_keys.fingerprint = excluded.fingerprint`;
const READ = 'SELECT attempt, fingerprint, lease_until, written, status, response FROM idempotency_keys WHERE id = ?';
const OWN_ATTEMPT = 'WHERE id = ? AND attempt = ? AND status IS NULL';
const DELETE_OLDER =
  'DELETE FROM idempotency_keys WHERE id IN (SELECT id FROM idempotency_keys WHERE created_at < ? ORDER BY created_at LIMIT ?)';

/** One attempt at a request. */
export interface Attempt {
  readonly id: string;
  readonly attempt: string;
}

/** The stored state of a request with a key. */
export interface StoredAttempt {
  readonly attempt: string;
  readonly fingerprint: string;
  readonly leaseUntil: number;
  readonly written: boolean;
  readonly status: number | null;
  readonly response: string | null;
}

@Injectable()
export class IdempotencyRepository {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Claims the key if it is free. @returns the attempt that now holds it */
  async claim({ id, attempt }: Attempt, fingerprint: string, leaseUntil: number, now: number): Promise<StoredAttempt> {
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
      response: row['response'] as string | null,
    };
  }

  /** The statement that joins the first unit of work of a request that cannot be repeated. */
  markWritten({ id, attempt }: Attempt): Statement {
    return { sql: `UPDATE idempotency_keys SET written = 1 ${OWN_ATTEMPT}`, params: [id, attempt] };
  }

  async extend({ id, attempt }: Attempt, leaseUntil: number): Promise<void> {
    await this.unitOfWork.commit([
      { sql: `UPDATE idempotency_keys SET lease_until = ? ${OWN_ATTEMPT}`, params: [leaseUntil, id, attempt] },
    ]);
  }

  async complete({ id, attempt }: Attempt, status: number, response: string): Promise<void> {
    await this.unitOfWork.commit([
      { sql: `UPDATE idempotency_keys SET status = ?, response = ? ${OWN_ATTEMPT}`, params: [status, response, id, attempt] },
    ]);
  }

  async release({ id, attempt }: Attempt): Promise<void> {
    await this.unitOfWork.commit([{ sql: `DELETE FROM idempotency_keys ${OWN_ATTEMPT}`, params: [id, attempt] }]);
  }

  /** Ends all leases, where this is the only process of the database: they are left over from an earlier one. */
  async releaseLeases(): Promise<void> {
    await this.unitOfWork.commit([{ sql: 'UPDATE idempotency_keys SET lease_until = 0 WHERE status IS NULL', params: [] }]);
  }

  /** @returns whether more may remain */
  async deleteOlder(before: number, limit: number): Promise<boolean> {
    const [outcome] = await this.unitOfWork.commit([{ sql: DELETE_OLDER, params: [before, limit], counted: true }]);
    return outcome?.changed === limit;
  }
}
