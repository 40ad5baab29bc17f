import type { Pool, PoolClient } from 'pg';
import { currentRequestId } from '../context/request-context.js';
import type { Notifier } from './notifier.js';
import { withClient } from './postgres-client.js';
import { isStalePlan, sendTogether, type PostgresResult } from './postgres-pipeline.js';
import { numberPlaceholders } from './sql-text.js';
import type { ReadQuery, SqlValue } from './statement.js';

interface Waiting {
  readonly query: ReadQuery;
  /** Whether it may become a part of a larger statement. */
  readonly joins: boolean;
  readonly resolve: (rows: never[]) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_TOGETHER = 4;
// Hints that have waited for so long are sent with the next queries of a request. With fewer pauses, there would be more notifications.
const HINTS_MS = 8;

/**
 * Reads from PostgreSQL. Queries that a request begins in the same round of the event loop share a round trip, a few to a connection.
 */
export class PostgresReads {
  /** By request, because a slow query holds up those behind it on its connection. */
  private waiting = new Map<string | undefined, Waiting[]>();

  constructor(
    private readonly pool: Pool,
    private readonly prepares: boolean,
    private readonly notifier?: Pick<Notifier, 'take'>,
  ) {}

  rows<T extends object>(sql: string, params: readonly SqlValue[]): Promise<T[]> {
    return this.wait({ sql, params }, false);
  }

  joined<T extends object>(sql: string, params: readonly SqlValue[]): Promise<T[]> {
    return this.wait({ sql, params }, true);
  }

  private wait<T extends object>(query: ReadQuery, joins: boolean): Promise<T[]> {
    return new Promise<T[]>((resolve, reject) => {
      const requestId = currentRequestId();
      const together = this.waiting.get(requestId);
      if (!together && this.waiting.size === 0) setImmediate(() => this.sendWaiting());
      const waiting = { query, joins, resolve, reject };
      if (together) together.push(waiting);
      else this.waiting.set(requestId, [waiting]);
    });
  }

  async inOrder<T extends object>(queries: readonly ReadQuery[]): Promise<T[][]> {
    const results = await withClient(this.pool, (client) => this.read(client, queries));
    return results.map(({ rows }) => rows as T[]);
  }

  private sendWaiting(): void {
    const all = this.waiting;
    this.waiting = new Map();
    for (const [requestId, begun] of all) {
      const queries = requestId === undefined ? begun : withJoined(begun, () => this.notifier?.take(0));
      const notification = requestId === undefined ? undefined : this.notifier?.take(HINTS_MS);
      const most = requestId === undefined ? 1 : MAX_TOGETHER;
      for (let at = 0; at < queries.length; at += most) {
        const together = queries.slice(at, at + most);
        void this.send(notification && at === 0 ? [alone(notification), ...together] : together);
      }
    }
  }

  private async send(together: readonly Waiting[]): Promise<void> {
    try {
      // Each has a transaction of its own: the error of one does not reach the others.
      await withClient(this.pool, (client) =>
        Promise.all(
          together.map(async ({ query, resolve, reject }) => {
            await this.read(client, [query]).then(([result]) => resolve((result?.rows ?? []) as never[]), reject);
          }),
        ),
      );
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  private async read(client: PoolClient, queries: readonly ReadQuery[]): Promise<readonly PostgresResult[]> {
    const numbered = queries.map(({ sql, params }) => ({ text: numberPlaceholders(sql), values: params }));
    try {
      return await sendTogether(client, numbered, this.prepares);
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return sendTogether(client, numbered, this.prepares);
    }
  }
}

/** A notification as a query of its own. Losing it costs its readers a poll. */
function alone({ sql, params }: ReadQuery): Waiting {
  return { query: { sql: `SELECT ${sql}`, params }, joins: false, resolve: () => undefined, reject: () => undefined };
}

/**
 * The queries, of which those that join others are one.
 *
 * @param take returns further columns, which save the round trip of a notification
 */
function withJoined(queries: readonly Waiting[], take: () => ReadQuery | undefined): readonly Waiting[] {
  const joining = queries.filter(({ joins }) => joins);
  if (joining.length < 2) return queries;
  const columns = joining.map(({ query }, index) => `(SELECT json_agg(t) FROM (${query.sql}) t) AS r${index}`);
  const notification = take();
  if (notification) columns.push(notification.sql);
  const joined: Waiting = {
    query: {
      sql: `SELECT ${columns.join(', ')}`,
      params: [...joining.flatMap(({ query }) => query.params), ...(notification?.params ?? [])],
    },
    joins: false,
    resolve: ([row]) => {
      joining.forEach(({ resolve }, index) => resolve(row?.[`r${index}`] ?? []));
    },
    reject: (error) => {
      for (const { reject } of joining) reject(error);
    },
  };
  return [joined, ...queries.filter(({ joins }) => !joins)];
}
