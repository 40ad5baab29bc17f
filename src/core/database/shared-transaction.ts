import type { Database } from 'sqlite3';
import { timeSlices } from '../clock/index.js';
import { DATABASE_METRICS } from './database.metrics.js';
import { JournalPositions } from './journal-positions.js';
import { PreparedQueries } from './prepared-queries.js';
import { inlineValues } from './sql-text.js';
import { changesOneRow, checkOutcomes, countsRows, type Outcome, type Row, type SqlValue, type Statement } from './statement.js';

/** A caller that waits for its job. */
export interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

type Position = NonNullable<Outcome['position']>;

/** A count of changed rows, or the position of an entry. */
interface OutcomeRow {
  readonly changed: number;
  readonly pos: number | null;
  readonly seq: number | null;
}

const COUNT_CHANGES = 'INSERT INTO temp.outcome (changed) VALUES (changes())';
// Nearly every statement that is counted changes one row. The script demands that, and fails at the first that does not: with an error
// nothing has to be read back.
const ONE_ROW = 'one_row';
export const ONE_ROW_TABLE = `CREATE TEMP TABLE ${ONE_ROW} (id integer PRIMARY KEY, changed integer NOT NULL CONSTRAINT ${ONE_ROW} CHECK (changed = 1))`;
const DEMAND_ONE_ROW = `INSERT OR REPLACE INTO temp.${ONE_ROW} VALUES (1, changes())`;
// This is the only writer, so the newest entries are those just appended.
const OUTCOMES = `SELECT changed, pos, seq FROM (
    SELECT id AS place, changed, NULL AS pos, NULL AS seq FROM temp.outcome
    UNION ALL SELECT pos, NULL, pos, seq FROM (SELECT pos, seq FROM journal ORDER BY pos DESC LIMIT ?)
  ) ORDER BY place`;

/**
 * Transactions of the only writer of a SQLite file. Jobs run one after another and share a commit and its fsync; each can be undone alone.
 * No job learns its result, not even a failure, before what it has seen is committed.
 */
export class SharedTransaction {
  private readonly queries: PreparedQueries;
  private readonly positions = new JournalPositions();
  private readonly finished: { readonly settle: () => void; readonly reject: (error: unknown) => void }[] = [];
  /** A transaction has begun. */
  private open = false;
  /** The newest job that wrote has a savepoint; the first of a transaction has none. */
  private nested = false;
  /** The running job has written. */
  private writing = false;
  private begunAt = 0;
  /** Something was written since the last `commit`. */
  private wrote = false;

  constructor(private readonly database: Database) {
    this.queries = new PreparedQueries(database);
  }

  /** Milliseconds since the first uncommitted write; 0 without one. */
  get age(): number {
    return this.open ? performance.now() - this.begunAt : 0;
  }

  /** Runs a job, which is settled by the next `commit`. */
  async run<T>(work: () => Promise<T>, { resolve, reject }: Waiting<T>): Promise<void> {
    this.writing = false;
    try {
      const result = await work();
      this.finished.push({ settle: () => resolve(result), reject });
    } catch (error) {
      this.finished.push({ settle: () => reject(error), reject });
      await this.undo(error);
    }
  }

  /**
   * Runs jobs whose statements are known as one script. If one fails, each runs by itself.
   *
   * @param last nothing follows, so the commit may travel with the script
   */
  async runTogether(jobs: readonly ({ readonly statements: readonly Statement[] } & Waiting<Outcome[]>)[], last: boolean): Promise<void> {
    const [first] = jobs;
    if (first && jobs.length === 1) return this.run(() => this.apply(first.statements, last), first);
    this.writing = false;
    try {
      const outcomes = await this.apply(
        jobs.flatMap(({ statements }) => statements),
        last,
      );
      let at = 0;
      for (const { statements, resolve, reject } of jobs) {
        const own = outcomes.slice(at, (at += statements.length));
        this.finished.push({ settle: () => resolve(own), reject });
      }
    } catch (error) {
      await this.undo(error);
      for (const job of jobs) await this.runTogether([job], false);
    }
  }

  /** Reads inside the transaction. Nothing else writes, so the transaction need not have begun. */
  rows<T extends object>(sql: string, params: readonly SqlValue[]): Promise<T[]> {
    return this.queries.rows<T>(sql, params);
  }

  /**
   * Executes statements as one script: a single call to the driver's thread, in order, up to the first failing statement. Prepared
   * statements that are queued at once have no guaranteed order.
   *
   * @param last also commits, if no outcome has to be read first
   * @throws the error of a statement, or of a `refuse` callback
   */
  async apply(statements: readonly Statement[], last = false): Promise<Outcome[]> {
    if (statements.length === 0) return [];
    try {
      return await this.execute(statements, last);
    } catch (error) {
      // Also when the unit goes on after the error.
      this.positions.forget();
      throw error;
    }
  }

  /** Commits what has been written and settles the jobs that have run. If the commit fails, all of them fail. */
  async commit(): Promise<void> {
    try {
      if (this.open) await this.exec('COMMIT');
      this.ended();
      if (this.wrote) DATABASE_METRICS.group.observe(this.finished.length);
      this.wrote = false;
      await this.settle();
    } catch (error) {
      await this.abandon(error);
    }
  }

  /** Tells the jobs their results. What hundreds of them go on with must not hold the event loop. */
  private async settle(): Promise<void> {
    const results = this.finished.splice(0).map(({ settle }) => settle);
    if (results.length > 1) await timeSlices.addAll(results);
    else results[0]?.();
  }

  /** Releases the connection so that it can be closed. */
  close(): Promise<void> {
    return this.queries.close();
  }

  /** What precedes the first write of a job. Sent with it, because each call to the driver's thread takes time. */
  private opening(): string {
    if (this.writing) return '';
    this.writing = this.wrote = true;
    if (!this.open) {
      this.open = true;
      this.begunAt = performance.now();
      return 'BEGIN IMMEDIATE;\n';
    }
    const release = this.nested ? 'RELEASE job;\n' : '';
    this.nested = true;
    return `${release}SAVEPOINT job;\n`;
  }

  private async undo(error: unknown): Promise<void> {
    if (!this.writing) return;
    this.positions.forget();
    if (!this.nested) {
      this.ended();
      this.wrote = false;
      await this.rollback();
      return;
    }
    try {
      await this.exec('ROLLBACK TO job');
    } catch {
      // A full disk, for example, has made SQLite roll back the whole transaction.
      await this.abandon(error);
    }
  }

  private async abandon(error: unknown): Promise<void> {
    this.positions.forget();
    this.ended();
    this.wrote = false;
    await this.rollback();
    for (const { reject } of this.finished.splice(0)) reject(error);
  }

  private ended(): void {
    if (this.open) DATABASE_METRICS.hold.observe(this.age);
    this.open = this.nested = false;
  }

  private async rollback(): Promise<void> {
    // Fails when BEGIN has failed, or when SQLite has rolled back already. After any other error, the next BEGIN fails.
    await this.exec('ROLLBACK').catch(() => undefined);
  }

  private async execute(statements: readonly Statement[], last: boolean): Promise<Outcome[]> {
    const demanded = await this.executeDemanding(statements, last);
    if (demanded) return demanded;
    const counts = statements.some(countsRows);
    const opening = this.opening();
    const expected = this.positions.expect(statements);
    const returns = statements.some((statement) => statement.returns);
    const commits = last && !counts && !returns && expected !== undefined;
    try {
      await this.exec(`${opening}${scriptOf(statements, counts ? COUNT_CHANGES : undefined)}${commits ? ';\nCOMMIT' : ''}`);
    } catch (error) {
      if (counts && isConstraintViolation(error)) await this.checkCounted(statements);
      throw error;
    }
    if (commits) this.ended();
    const outcomes = await this.outcomesOf(statements, { counts, returns, expected });
    checkOutcomes(statements, outcomes);
    return outcomes;
  }

  /**
   * Executes statements whose outcomes are known before: each counted one changes one row, which the script demands.
   *
   * @returns undefined, with nothing written, if the outcomes cannot be known or one of them differs
   */
  private async executeDemanding(statements: readonly Statement[], last: boolean): Promise<Outcome[] | undefined> {
    // What the job has written before could not be kept if the demand failed.
    if (this.writing || !canDemandOneRow(statements)) return undefined;
    const positions = this.positions.expect(statements);
    if (!positions) return undefined;
    try {
      await this.exec(`${this.opening()}${scriptOf(statements, DEMAND_ONE_ROW)}${last ? ';\nCOMMIT' : ''}`);
    } catch (error) {
      if (!isViolatedDemand(error)) throw error;
      await this.undo(error);
      this.writing = false;
      return undefined;
    }
    if (last) this.ended();
    let entry = 0;
    return statements.map((statement) => ({
      changed: countsRows(statement) ? 1 : 0,
      rows: [],
      ...(statement.journal ? { position: known(positions[entry++]) } : {}),
    }));
  }

  /**
   * After a violated constraint. A row that is gone makes a `refuse` callback refuse, and then another statement violate a foreign key: the
   * refusal is the reason, as on PostgreSQL.
   *
   * @throws the error of a `refuse` callback of a statement before the one that failed
   */
  private async checkCounted(statements: readonly Statement[]): Promise<void> {
    const counted = await this.rows<{ changed: number }>('SELECT changed FROM temp.outcome ORDER BY id', []);
    const executed = statements.filter(countsRows).slice(0, counted.length);
    executed.forEach(({ refuse, returns }, place) => {
      const refusal = returns ? undefined : refuse?.({ changed: counted[place]?.changed ?? 0, rows: [] });
      if (refusal) throw refusal;
    });
  }

  private async outcomesOf(
    statements: readonly Statement[],
    { counts, returns, expected }: { counts: boolean; returns: boolean; expected: readonly Position[] | undefined },
  ): Promise<Outcome[]> {
    const appended = expected ? 0 : statements.filter(({ journal }) => journal).length;
    const found = appended > 0 || counts ? await this.rows<OutcomeRow>(OUTCOMES, [appended]) : [];
    const returned = returns
      ? await Promise.all(statements.map(async (each) => (each.returns ? this.rows<Row>(each.returns.sql, each.returns.params) : [])))
      : [];
    const changes = found.filter(({ pos }) => pos === null);
    const positions = expected ?? found.flatMap(({ pos, seq }) => (pos === null ? [] : { offset: pos, seq: seq ?? 0 }));
    if (!expected) this.positions.learn(statements, positions);
    let [change, place] = [0, 0];
    return statements.map((statement, index) => ({
      changed: countsRows(statement) ? (changes[change++]?.changed ?? 0) : 0,
      rows: returned[index] ?? [],
      ...(statement.journal ? { position: known(positions[place++]) } : {}),
    }));
  }

  private exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.exec(sql, (error) => (error ? reject(error) : resolve()));
    });
  }
}

/** Whether statements are counted, return no rows, and refuse nothing when each changes one row. */
function canDemandOneRow(statements: readonly Statement[]): boolean {
  return (
    statements.some(countsRows) &&
    statements.every((each) => !each.returns && (!countsRows(each) || changesOneRow(each))) &&
    statements.every(({ refuse }) => refuse?.({ changed: 1, rows: [] }) === undefined)
  );
}

function isViolatedDemand(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith(`CHECK constraint failed: ${ONE_ROW}`);
}

function isConstraintViolation(error: unknown): boolean {
  return (error as { code?: string }).code === 'SQLITE_CONSTRAINT';
}

/** The statements as one script, with a statement after each that is counted. */
function scriptOf(statements: readonly Statement[], afterCounted: string | undefined): string {
  const script = afterCounted === COUNT_CHANGES ? ['DELETE FROM temp.outcome'] : [];
  for (const statement of statements) {
    script.push(inlineValues(statement.sql, statement.params));
    if (afterCounted !== undefined && countsRows(statement)) script.push(afterCounted);
  }
  return script.join(';\n');
}

function known(position: Position | undefined): Position {
  if (!position) throw new Error('an appended journal entry was not found');
  return position;
}
