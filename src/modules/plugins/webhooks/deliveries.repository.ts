import { Injectable } from '@nestjs/common';
import { Reader, type Outcome, type SqlValue, type Statement, UnitOfWork } from '../../../core/database/index.js';
import { append } from '../../../core/journal/index.js';
import { JobTable, LeaseLost } from '../../../core/queue/index.js';
import { Tracer } from '../../../core/telemetry/index.js';
import { cutText } from '../../../core/text/index.js';
import { PLUGIN_METRICS } from '../plugins.metrics.js';
import type { Delivery, DeliveryStatus, DeliverySummary, NewDelivery, StoredRequest, ClaimedDelivery } from './deliveries.types.js';

const COLUMNS = `id, plugin, route, agent_id, mode, dedupe_key, sender_id, status, attempts, due_at, lease_owner, request, body, trace_context, error,
  created_at, updated_at`;
const INSERT = `INSERT INTO webhook_deliveries (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?)`;

// A failed delivery, or one whose process crashed, is handled again when the sender repeats it.
const CLAIM_INLINE = `${INSERT} ON CONFLICT (dedupe_key) DO UPDATE SET status = 'running', attempts = webhook_deliveries.attempts + 1,
  due_at = excluded.due_at, lease_owner = excluded.lease_owner, error = NULL, updated_at = excluded.updated_at
  WHERE webhook_deliveries.status IN ('failed', 'dead') OR (webhook_deliveries.status = 'running' AND webhook_deliveries.due_at < ?)`;

// An unhandled delivery without further attempts is stored again when the sender repeats it.
const STORE = `${INSERT} ON CONFLICT (dedupe_key) DO UPDATE SET mode = 'ack', status = 'received', attempts = 0, due_at = excluded.due_at,
  request = excluded.request, body = excluded.body, trace_context = excluded.trace_context, error = NULL, updated_at = excluded.updated_at
  WHERE webhook_deliveries.status = 'dead' OR (webhook_deliveries.status = 'failed' AND webhook_deliveries.mode = 'inline')`;

const BY_KEY = 'SELECT id, status, attempts, lease_owner FROM webhook_deliveries WHERE dedupe_key = ?';

const DELIVERIES = new JobTable({
  queue: 'webhook_deliveries',
  table: 'webhook_deliveries',
  key: ['id'],
  waiting: ['received', 'failed'],
  retried: 'failed',
  failed: 'dead',
  due: 'due_at',
  since: 'created_at',
  where: `mode = 'ack'`,
  onClaim: 'updated_at = ?',
  onEnd: 'updated_at = ?',
});

const SUMMARY = `SELECT id, plugin, route, agent_id, mode, sender_id, status, attempts, due_at, error, created_at, updated_at
  FROM webhook_deliveries`;

const SWEEP_PAGE = 1000;
const DELETE = 'DELETE FROM webhook_deliveries';
const MAX_COUNTED = 1000;

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
  request: string | null;
  body: string | null;
  trace_context: string | null;
  error: string | null;
  created_at: number | string;
  updated_at: number | string;
}

/** The result of storing a delivery. */
export interface ClaimResult {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** False for a duplicate. */
  readonly claimed: boolean;
}

/** The deliveries of all webhooks. Acknowledged deliveries are the jobs of a queue. */
@Injectable()
export class DeliveriesRepository {
  readonly table = DELIVERIES;

  constructor(
    private readonly reader: Reader,
    private readonly unitOfWork: UnitOfWork,
    private readonly tracer: Tracer,
  ) {}

  /** Claims a delivery whose handler responds to the sender. */
  async claimInline(delivery: NewDelivery, owner: string, now: number, leaseUntil: number): Promise<ClaimResult> {
    return this.upsert(delivery, CLAIM_INLINE, [
      ...insertion({ ...delivery, mode: 'inline', status: 'running', attempts: 1, dueAt: leaseUntil, owner, now }),
      now,
    ]);
  }

  /** Stores a delivery for later handling. */
  async store(delivery: NewDelivery, request: StoredRequest, now: number): Promise<ClaimResult> {
    return this.upsert(
      delivery,
      STORE,
      insertion({
        ...{ ...delivery, request, mode: 'ack', status: 'received', attempts: 0, dueAt: now, now },
        traceContext: this.tracer.toStore('webhook.queued'),
      }),
    );
  }

  /** Ids of a plugin's due deliveries, longest due first. */
  async due(plugin: string, now: number, limit: number): Promise<string[]> {
    const rows = await this.reader.rows<{ id: string }>(
      `SELECT id FROM webhook_deliveries WHERE plugin = ? AND due_at <= ? AND mode = 'ack' ORDER BY due_at, id LIMIT ?`,
      [plugin, now, limit],
    );
    return rows.map(({ id }) => id);
  }

  /** When a plugin's next waiting delivery becomes due, epoch ms. */
  async nextDue(plugin: string, now: number): Promise<number | undefined> {
    const [row] = await this.reader.rows<{ at: number | string | null }>(
      `SELECT min(due_at) AS at FROM webhook_deliveries WHERE plugin = ? AND due_at > ? AND mode = 'ack' AND status <> 'running'`,
      [plugin, now],
    );
    return row?.at === null || row?.at === undefined ? undefined : Number(row.at);
  }

  /** Claims a stored delivery; undefined when another process holds it. */
  async claim(id: string, { sql, params }: Statement): Promise<ClaimedDelivery | undefined> {
    // Counted instead of `refuse`: a lost race must not roll back other units that share the transaction.
    const returns = { sql: `SELECT ${COLUMNS} FROM webhook_deliveries WHERE id = ?`, params: [id] };
    const [outcome] = await this.unitOfWork.commit([{ sql, params, counted: true, returns }]);
    const row = rowOf<Row>(outcome);
    if (outcome?.changed !== 1 || row?.request === undefined || row.request === null) return undefined;
    return {
      ...summaryOf(row),
      request: JSON.parse(row.request) as StoredRequest,
      rawBody: Buffer.from(row.body ?? '', 'base64'),
      traceContext: row.trace_context,
    };
  }

  /** Ends an attempt and appends the event to the journal. @returns false when `owner` no longer holds the delivery */
  async end(
    { id, plugin, route, agentId, senderId, attempts }: Delivery & { readonly attempts: number },
    owner: string,
    status: 'done' | 'failed' | 'dead',
    now: number,
    rest: { error?: string; dueAt?: number } = {},
  ): Promise<boolean> {
    // PostgreSQL stores no NUL, and the end would be refused again and again.
    const error = rest.error === null || rest.error === undefined ? null : cutText(rest.error.replaceAll('\0', ''), 2000);
    try {
      await this.unitOfWork.commit([
        DELIVERIES.end([id], owner, status, now, { error, dueAt: rest.dueAt }),
        append(`delivery.${status}`, null, { deliveryId: id, plugin, route, agentId, senderId: senderId ?? null, attempts, error }, now),
      ]);
      // Each outcome begins at 0 with the first, so that the increase to the first dead delivery is seen.
      for (const outcome of ['done', 'failed', 'dead'] as const) {
        PLUGIN_METRICS.deliveries.with({ plugin, outcome }).add(outcome === status ? 1 : 0);
      }
      return true;
    } catch (failure) {
      if (failure instanceof LeaseLost) return false;
      throw failure;
    }
  }

  async findByKey(dedupeKey: string): Promise<Pick<ClaimResult, 'id' | 'status'> | undefined> {
    const [row] = await this.reader.rows<Row>(BY_KEY, [dedupeKey]);
    return row;
  }

  async find(plugin: string, id: string): Promise<DeliverySummary | undefined> {
    const [row] = await this.reader.rows<Row>(`${SUMMARY} WHERE plugin = ? AND id = ?`, [plugin, id]);
    return row && summaryOf(row);
  }

  /** The request of a delivery; undefined when it is not stored, or no longer. */
  async content(plugin: string, id: string): Promise<(StoredRequest & { readonly rawBody: Buffer }) | undefined> {
    const [row] = await this.reader.rows<Pick<Row, 'request' | 'body'>>(
      'SELECT request, body FROM webhook_deliveries WHERE plugin = ? AND id = ?',
      [plugin, id],
    );
    if (!row || row.request === null) return undefined;
    return { ...(JSON.parse(row.request) as StoredRequest), rawBody: Buffer.from(row.body ?? '', 'base64') };
  }

  /** A plugin's deliveries, newest first. @param before returns only deliveries older than this one */
  async list(plugin: string, status: DeliveryStatus | undefined, limit: number, before?: DeliverySummary): Promise<DeliverySummary[]> {
    const at = before?.createdAt ?? Number.MAX_SAFE_INTEGER;
    const rows = await this.reader.rows<Row>(
      `${SUMMARY} WHERE plugin = ? AND (CAST(? AS varchar(16)) = '' OR status = ?) AND (created_at < ? OR (created_at = ? AND id < ?))
        ORDER BY created_at DESC, id DESC LIMIT ?`,
      [plugin, status ?? '', status ?? '', at, at, before?.id ?? '', limit],
    );
    return rows.map(summaryOf);
  }

  /** The dead deliveries by plugin, each with its newest one; the newest 1,000 deliveries are counted. */
  async dead(): Promise<{ plugin: string; count: number; updatedAt: number; error: string | null }[]> {
    const rows = await this.reader.rows<Pick<Row, 'plugin' | 'error' | 'updated_at'>>(
      `SELECT plugin, error, updated_at FROM webhook_deliveries WHERE status = 'dead' ORDER BY created_at DESC LIMIT ${MAX_COUNTED}`,
    );
    const byPlugin = new Map<string, { count: number; updatedAt: number; error: string | null }>();
    for (const { plugin, error, updated_at: at } of rows) {
      const newest = byPlugin.get(plugin) ?? { count: 0, updatedAt: Number(at), error };
      byPlugin.set(plugin, { ...newest, count: newest.count + 1 });
    }
    return [...byPlugin].map(([plugin, found]) => ({ plugin, ...found }));
  }

  /** Queues an ended delivery again. @returns false when it has not ended or its content was deleted */
  replay(id: string, now: number, refuse: Statement['refuse']): Statement {
    return {
      sql: `UPDATE webhook_deliveries SET status = 'received', attempts = 0, due_at = ?, error = NULL, updated_at = ?
        WHERE id = ? AND status IN ('done', 'failed', 'dead') AND request IS NOT NULL`,
      params: [now, now, id],
      counted: true,
      refuse,
    };
  }

  /** Deletes the contents of old deliveries and old deliveries, one page each. @returns whether more remain */
  async sweep(limits: { contentBefore: number; doneBefore: number; deadBefore: number }): Promise<boolean> {
    const outcomes = await this.unitOfWork.commit([
      sweeping(
        'UPDATE webhook_deliveries SET request = NULL, body = NULL',
        `status = 'done' AND created_at < ? AND request IS NOT NULL`,
        limits.contentBefore,
      ),
      sweeping(DELETE, `status = 'done' AND created_at < ?`, limits.doneBefore),
      sweeping(DELETE, `status = 'failed' AND mode = 'inline' AND created_at < ?`, limits.doneBefore),
      sweeping(DELETE, `status = 'running' AND mode = 'inline' AND created_at < ?`, limits.doneBefore),
      sweeping(DELETE, `status = 'dead' AND created_at < ?`, limits.deadBefore),
    ]);
    return outcomes.some(({ changed }) => changed === SWEEP_PAGE);
  }

  private async upsert({ dedupeKey }: NewDelivery, sql: string, params: SqlValue[]): Promise<ClaimResult> {
    const [outcome] = await this.unitOfWork.commit([{ sql, params, counted: true, returns: { sql: BY_KEY, params: [dedupeKey] } }]);
    const row = rowOf<Row>(outcome);
    if (!row) throw new Error('a stored delivery was not found');
    return { id: row.id, status: row.status, attempts: row.attempts, claimed: outcome?.changed === 1 };
  }
}

/** A delivery as it is stored first. */
interface StoredDelivery extends NewDelivery {
  readonly mode: 'inline' | 'ack';
  readonly status: DeliveryStatus;
  readonly attempts: number;
  /** Epoch ms. */
  readonly dueAt: number;
  readonly owner?: string;
  readonly request?: StoredRequest;
  readonly traceContext?: string | null;
  /** Epoch ms. */
  readonly now: number;
}

/** Parameters of `INSERT`. */
function insertion(delivery: StoredDelivery): SqlValue[] {
  const { id, plugin, route, agentId, dedupeKey, senderId, mode, status, attempts, dueAt, owner, request, traceContext, now } = delivery;
  const { rawBody, ...seen } = request ?? {};
  const content = request === undefined ? [null, null] : [JSON.stringify(seen), rawBody?.toString('base64') ?? ''];
  return [
    ...[id, plugin, route, agentId, mode, dedupeKey, senderId ?? null, status, attempts, dueAt, owner ?? null],
    ...content,
    ...[traceContext ?? null, now, now],
  ];
}

/**
 * Changes one page of the deliveries that match. PostgreSQL checks the outer condition again when it has waited for a delivery that is being
 * replayed, but not the inner one.
 */
function sweeping(change: string, condition: string, before: number): Statement {
  return {
    sql: `${change} WHERE ${condition} AND id IN (SELECT id FROM webhook_deliveries WHERE ${condition} LIMIT ${SWEEP_PAGE})`,
    params: [before, before],
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
