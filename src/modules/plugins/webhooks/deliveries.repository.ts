import { Injectable } from '@nestjs/common';
import { Reader, type Outcome, type SqlValue, type Statement, UnitOfWork } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { append } from '../../../core/journal/index.js';
import type { Delivery, DeliveryStatus, DeliverySummary, NewDelivery, StoredRequest, TakenDelivery } from './deliveries.types.js';

const COLUMNS = `id, plugin, route, agent_id, mode, dedupe_key, sender_id, status, attempts, due_at, lease_owner, request, body, error,
  created_at, updated_at`;
const INSERT = `INSERT INTO webhook_deliveries (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)`;

// One that failed may be handled again when its sender sends it again; so may one whose process died.
const CLAIM_INLINE = `${INSERT} ON CONFLICT (dedupe_key) DO UPDATE SET status = 'running', attempts = webhook_deliveries.attempts + 1,
  due_at = excluded.due_at, lease_owner = excluded.lease_owner, error = NULL, updated_at = excluded.updated_at
  WHERE webhook_deliveries.status IN ('failed', 'dead') OR (webhook_deliveries.status = 'running' AND webhook_deliveries.due_at < ?)`;

// One that was never handled, and that nobody would try again, is taken up when it is sent again.
const STORE = `${INSERT} ON CONFLICT (dedupe_key) DO UPDATE SET mode = 'ack', status = 'received', attempts = 0, due_at = excluded.due_at,
  request = excluded.request, body = excluded.body, error = NULL, updated_at = excluded.updated_at
  WHERE webhook_deliveries.status = 'dead' OR (webhook_deliveries.status = 'failed' AND webhook_deliveries.mode = 'inline')`;

const BY_KEY = 'SELECT id, status, attempts, lease_owner FROM webhook_deliveries WHERE dedupe_key = ?';

const CLAIM = `UPDATE webhook_deliveries SET status = 'running', attempts = attempts + 1, due_at = ?, lease_owner = ?, updated_at = ?
  WHERE id = ? AND mode = 'ack' AND due_at <= ?`;

const END = `UPDATE webhook_deliveries SET status = ?, error = ?, due_at = ?, lease_owner = NULL, updated_at = ?
  WHERE id = ? AND lease_owner = ?`;

const SUMMARY = `SELECT id, plugin, route, agent_id, mode, sender_id, status, attempts, due_at, error, created_at, updated_at
  FROM webhook_deliveries`;

const SWEEP_PAGE = 1000;

interface Row {
  id: string;
  plugin: string;
  route: string;
  agent_id: string;
  mode: 'inline' | 'ack';
  sender_id: string | null;
  status: DeliveryStatus;
  attempts: number;
  due_at: number | string | null;
  lease_owner: string | null;
  request: string | null;
  body: string | null;
  error: string | null;
  created_at: number | string;
  updated_at: number | string;
}

/** What became of a delivery that came in. */
export interface Claimed {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** False when it was there already. */
  readonly taken: boolean;
}

/** The deliveries of all webhooks, and the queue of those that were acknowledged. */
@Injectable()
export class DeliveriesRepository {
  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Takes a delivery for a handler that answers its sender. */
  async claimInline(delivery: NewDelivery, owner: string, now: number, leaseUntil: number): Promise<Claimed> {
    return this.enter(delivery, CLAIM_INLINE, [...insertion(delivery, 'inline', 'running', 1, leaseUntil, owner, undefined, now), now]);
  }

  /** Stores a delivery to be handled later. */
  async store(delivery: NewDelivery, request: StoredRequest, now: number): Promise<Claimed> {
    return this.enter(delivery, STORE, insertion(delivery, 'ack', 'received', 0, now, null, request, now));
  }

  /** Ids of a plugin's deliveries that somebody may take up now, the longest waiting first. */
  async due(plugin: string, now: number, limit: number): Promise<string[]> {
    const rows = await this.reader.rows<{ id: string }>(
      `SELECT id FROM webhook_deliveries WHERE plugin = ? AND due_at <= ? AND mode = 'ack' ORDER BY due_at, id LIMIT ?`,
      [plugin, now, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** When the next of a plugin's deliveries is to be tried that is not due yet. */
  async nextDue(plugin: string, now: number): Promise<number | undefined> {
    const [row] = await this.reader.rows<{ at: number | string | null }>(
      `SELECT min(due_at) AS at FROM webhook_deliveries WHERE plugin = ? AND due_at > ? AND mode = 'ack' AND status <> 'running'`,
      [plugin, now],
    );
    return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
  }

  /** Takes a stored delivery; undefined when somebody else has it. */
  async take(id: string, owner: string, now: number, leaseUntil: number): Promise<TakenDelivery | undefined> {
    const [outcome] = await this.unitOfWork.commit([
      {
        sql: CLAIM,
        params: [leaseUntil, owner, now, id, now],
        counted: true,
        returns: { sql: `SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = ?`, params: [id] },
      },
    ]);
    const row = rowOf<Row>(outcome);
    if (outcome?.changed !== 1 || row?.request === undefined || row.request === null) return undefined;
    return { ...summaryOf(row), request: JSON.parse(row.request) as StoredRequest, rawBody: Buffer.from(row.body ?? '', 'base64') };
  }

  /** Ends a try, which the journal tells. @returns false when the delivery is not `owner`'s any more */
  async end(
    { id, plugin, route, agentId, senderId, attempts }: Delivery & { readonly attempts: number },
    owner: string,
    status: 'done' | 'failed' | 'dead',
    now: number,
    rest: { error?: string; dueAt?: number } = {},
  ): Promise<boolean> {
    const error = rest.error?.slice(0, 2000) ?? null;
    const lost = new AppError('CONFLICT', 'Another process has taken the delivery.');
    try {
      await this.unitOfWork.commit([
        {
          sql: END,
          params: [status, error, rest.dueAt ?? null, now, id, owner],
          refuse: ({ changed }) => (changed === 1 ? undefined : lost),
        },
        append(`delivery.${status}`, null, { deliveryId: id, plugin, route, agentId, senderId: senderId ?? null, attempts, error }, now),
      ]);
      return true;
    } catch (failure) {
      if (failure === lost) return false;
      throw failure;
    }
  }

  /** Puts a delivery back that this process will not finish; the attempt does not count. */
  async release(id: string, owner: string, dueAt: number): Promise<void> {
    await this.unitOfWork.commit([
      {
        sql: `UPDATE webhook_deliveries SET status = 'received', attempts = attempts - 1, due_at = ?, lease_owner = NULL
          WHERE id = ? AND lease_owner = ?`,
        params: [dueAt, id, owner],
      },
    ]);
  }

  async extendLeases(owner: string, leaseUntil: number): Promise<void> {
    await this.unitOfWork.commit([
      { sql: `UPDATE webhook_deliveries SET due_at = ? WHERE lease_owner = ? AND status = 'running'`, params: [leaseUntil, owner] },
    ]);
  }

  /** Declares every lease void, for an engine that only one process can have open. */
  async voidLeases(): Promise<void> {
    await this.unitOfWork.commit([{ sql: `UPDATE webhook_deliveries SET due_at = 0 WHERE status = 'running'`, params: [] }]);
  }

  async find(plugin: string, id: string): Promise<DeliverySummary | undefined> {
    const [row] = await this.reader.rows<Row>(`${SUMMARY} WHERE plugin = ? AND id = ?`, [plugin, id]);
    return row && summaryOf(row);
  }

  /** A plugin's deliveries, the newest first. @param before leaves out this one and everything newer */
  async list(plugin: string, status: DeliveryStatus | undefined, limit: number, before?: DeliverySummary): Promise<DeliverySummary[]> {
    const at = before?.createdAt ?? Number.MAX_SAFE_INTEGER;
    const rows = await this.reader.rows<Row>(
      `${SUMMARY} WHERE plugin = ? AND (CAST(? AS varchar(16)) = '' OR status = ?) AND (created_at < ? OR (created_at = ? AND id < ?))
        ORDER BY created_at DESC, id DESC LIMIT ?`,
      [plugin, status ?? '', status ?? '', at, at, before?.id ?? '', limit],
    );
    return rows.map(summaryOf);
  }

  /** Makes a delivery that has ended one that is waiting. @returns false when it has not ended, or what it said is gone */
  async replay(id: string, now: number): Promise<boolean> {
    const [outcome] = await this.unitOfWork.commit([
      {
        sql: `UPDATE webhook_deliveries SET status = 'received', attempts = 0, due_at = ?, error = NULL, updated_at = ?
          WHERE id = ? AND status IN ('done', 'failed', 'dead') AND request IS NOT NULL`,
        params: [now, now, id],
        counted: true,
      },
    ]);
    return outcome?.changed === 1;
  }

  /** Lets go of what old deliveries said, and of old ones altogether, in pages. @returns whether there is more */
  async sweep(limits: { contentBefore: number; doneBefore: number; deadBefore: number }): Promise<boolean> {
    const outcomes = await this.unitOfWork.commit([
      {
        sql: `UPDATE webhook_deliveries SET request = NULL, body = NULL WHERE id IN (SELECT id FROM webhook_deliveries
          WHERE status = 'done' AND created_at < ? AND request IS NOT NULL LIMIT ${SWEEP_PAGE})`,
        params: [limits.contentBefore],
        counted: true,
      },
      removal(`status = 'done' AND created_at < ?`, limits.doneBefore),
      removal(`status = 'failed' AND mode = 'inline' AND created_at < ?`, limits.doneBefore),
      removal(`status = 'running' AND mode = 'inline' AND created_at < ?`, limits.doneBefore),
      removal(`status = 'dead' AND created_at < ?`, limits.deadBefore),
    ]);
    return outcomes.some(({ changed }) => changed === SWEEP_PAGE);
  }

  private async enter({ dedupeKey }: NewDelivery, sql: string, params: SqlValue[]): Promise<Claimed> {
    const [outcome] = await this.unitOfWork.commit([{ sql, params, counted: true, returns: { sql: BY_KEY, params: [dedupeKey] } }]);
    const row = rowOf<Row>(outcome);
    if (!row) throw new Error('a delivery that was stored is not there');
    return { id: row.id, status: row.status, attempts: row.attempts, taken: outcome?.changed === 1 };
  }
}

function insertion(
  { id, plugin, route, agentId, dedupeKey, senderId }: NewDelivery,
  mode: 'inline' | 'ack',
  status: DeliveryStatus,
  attempts: number,
  dueAt: number,
  owner: string | null,
  request: StoredRequest | undefined,
  now: number,
): SqlValue[] {
  const { rawBody, ...seen } = request ?? {};
  const content = request === undefined ? [null, null] : [JSON.stringify(seen), rawBody?.toString('base64') ?? ''];
  return [id, plugin, route, agentId, mode, dedupeKey, senderId ?? null, status, attempts, dueAt, owner, ...content, now, now];
}

function removal(condition: string, before: number): Statement {
  return {
    sql: `DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries WHERE ${condition} LIMIT ${SWEEP_PAGE})`,
    params: [before],
    counted: true,
  };
}

function rowOf<T>(outcome: Outcome | undefined): T | undefined {
  return outcome?.rows[0] as T | undefined;
}

function summaryOf(row: Row): DeliverySummary {
  return {
    id: row.id,
    plugin: row.plugin,
    route: row.route,
    agentId: row.agent_id,
    mode: row.mode,
    senderId: row.sender_id,
    status: row.status,
    attempts: row.attempts,
    nextAttemptAt: row.due_at === null || row.status === 'running' || row.mode === 'inline' ? null : Number(row.due_at),
    error: row.error,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
}
