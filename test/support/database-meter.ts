import pg from 'pg';
import sqlite3 from 'sqlite3';
import type { Engine } from '../../src/core/database/index.js';

/** What work has cost the database. It depends on the program alone, not on the machine. */
export interface DatabaseCost {
  /** Transactions that wrote, each with an fsync. */
  readonly commits: number;
  /** Writing statements, without those that begin and end transactions. */
  readonly writes: number;
  /** Queries. */
  readonly reads: number;
  /** Calls of the driver that had to be waited for: trips to the thread of SQLite, or round trips to PostgreSQL. */
  readonly trips: number;
  /** Rows that the writing statements inserted, changed or deleted. On SQLite with those of triggers and full-text indexes. */
  readonly rows: number;
  /** Length of the writing statements with their values, characters. */
  readonly bytes: number;
}

type Counter = { -readonly [Name in keyof DatabaseCost]: number };

const WRITES = /^\s*(?:INSERT|UPDATE|DELETE|REPLACE|WITH\b[^]*\b(?:INSERT|UPDATE|DELETE)\b)/i;
const TOTAL_CHANGES = 'SELECT total_changes() AS changes';
const CONTROL = /^\s*(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|START TRANSACTION|--)/i;

/** Counts what the applications of this process ask of their databases. Made before the application, stopped after it. */
export class DatabaseMeter {
  private readonly counted: Counter = { commits: 0, writes: 0, reads: 0, trips: 0, rows: 0, bytes: 0 };
  private readonly restore: (() => void)[] = [];
  private changesOf: () => Promise<number> = () => Promise.resolve(0);

  constructor(engine: Engine) {
    if (engine === 'sqlite') this.watchSqlite();
    else this.watchPostgres();
  }

  /**
   * What `work` costs.
   *
   * @param settled resolves when nothing that `work` started is under way any more
   */
  async cost(work: () => Promise<unknown>, settled: () => Promise<unknown>): Promise<DatabaseCost> {
    await settled();
    const before = await this.read();
    await work();
    await settled();
    const after = await this.read();
    const names = Object.keys(after) as (keyof DatabaseCost)[];
    return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as DatabaseCost;
  }

  stop(): void {
    for (const each of this.restore.splice(0)) each();
  }

  private async read(): Promise<DatabaseCost> {
    const rows = await this.changesOf();
    // SQLite reports a statement after the callback of the call that ran it.
    await new Promise((resolve) => setImmediate(resolve));
    return { ...this.counted, rows: this.counted.rows + rows };
  }

  private statement(sql: string, bytes: number): void {
    if (/^\s*COMMIT/i.test(sql)) this.counted.commits += 1;
    if (CONTROL.test(sql)) return;
    if (!WRITES.test(sql)) {
      this.counted.reads += 1;
      return;
    }
    this.counted.writes += 1;
    this.counted.bytes += bytes;
  }

  private watchSqlite(): void {
    const databases = new Set<sqlite3.Database>();
    this.changesOf = async () => {
      const { trips } = this.counted;
      const changes = await Promise.all(
        [...databases].map(
          (database) =>
            new Promise<number>((resolve) => {
              database.all<{ changes: number }>(TOTAL_CHANGES, (error, rows) => resolve(error ? 0 : (rows[0]?.changes ?? 0)));
            }),
        ),
      );
      // Without its own.
      this.counted.trips = trips;
      return changes.reduce((sum, each) => sum + each, 0);
    };
    const onTrace = (sql: string): void => {
      if (sql !== TOTAL_CHANGES) this.statement(sql, sql.length);
    };
    const watch = (database: sqlite3.Database): void => {
      if (!databases.has(database)) databases.add(database.on('trace', onTrace));
    };
    const trip = (): void => void (this.counted.trips += 1);
    this.wrap(sqlite3.Database.prototype, 'prepare', (self) => watch(self as sqlite3.Database));
    this.wrap(sqlite3.Database.prototype, 'exec', (self) => {
      watch(self as sqlite3.Database);
      trip();
    });
    // Those of Database call these.
    for (const name of ['all', 'get', 'run']) this.wrap(sqlite3.Statement.prototype, name, trip);
  }

  private watchPostgres(): void {
    const underWay = new WeakMap<object, number>();
    this.wrap(pg.Client.prototype, 'query', (client, [query, params], result) => {
      // A query sent before the answer of the one before it has come takes no round trip of its own.
      const before = underWay.get(client) ?? 0;
      if (before === 0) this.counted.trips += 1;
      underWay.set(client, before + 1);
      const done = (): void => void underWay.set(client, (underWay.get(client) ?? 1) - 1);
      const submitted = query as {
        queries?: { text: string; values: unknown[] }[];
        text?: string;
        once?: (event: string, then: () => void) => void;
      };
      const together = submitted.queries ?? [
        { text: typeof query === 'string' ? query : (submitted.text ?? ''), values: Array.isArray(params) ? (params as unknown[]) : [] },
      ];
      for (const { text, values } of together) {
        this.statement(text, text.length + values.reduce((sum: number, each) => sum + String(each).length, 0));
      }
      // Outside of a transaction, what is sent together is committed together.
      const inTransaction = (client as pg.Client).getTransactionStatus() === 'T' || together.some(({ text }) => /^BEGIN/.test(text));
      if (!inTransaction && together.some(({ text }) => WRITES.test(text))) this.counted.commits += 1;
      if (result instanceof Promise) result.then(done, done);
      else if (typeof query === 'object' && query !== null) afterAnswer(query, done);
      else done();
    });
  }

  private wrap(prototype: object, name: string, called: (self: object, args: unknown[], result: unknown) => void): void {
    const original = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
    Reflect.set(prototype, name, function watched(this: object, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      called(this, args, result);
      return result;
    });
    this.restore.push(() => Reflect.set(prototype, name, original));
  }
}

/** The driver tells a query of its own class of the answer. */
function afterAnswer(query: object, done: () => void): void {
  for (const name of ['handleReadyForQuery', 'handleError']) {
    const original = Reflect.get(query, name) as (...args: unknown[]) => unknown;
    Reflect.set(query, name, (...args: unknown[]) => {
      done();
      return original.apply(query, args);
    });
  }
}
