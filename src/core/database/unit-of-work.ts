import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { timeSlices } from '../clock/index.js';
import { pendingPiggyback, reportCommit } from '../context/request-context.js';
import { AppError } from '../errors/index.js';
import { DATABASE_METRICS } from './database.metrics.js';
import { storageError } from './storage-error.js';
import type { AppendedEntry, Outcome, SqlValue, Statement } from './statement.js';
import type { Transaction, WriteEngine } from './write-engine.js';

const COMMITTED = DATABASE_METRICS.units.with({ outcome: 'committed' });
const ROLLED_BACK = DATABASE_METRICS.units.with({ outcome: 'rolled_back' });

// One for the process: every AsyncLocalStorage costs time with each promise and is never let go of.
const unitAround = new AsyncLocalStorage<{ readonly of: UnitOfWork; readonly name: string }>();

/**
 * The only way to write. The changes and the journal entries of a unit become visible together, after the commit is durable, or not at all.
 * A unit must not wait for networks, models or files.
 */
export class UnitOfWork {
  private readonly listeners = new Set<(appended: readonly AppendedEntry[]) => void>();
  private closing = false;
  private newestOffset = 0;
  private newestControl = 0;

  constructor(private readonly engine: WriteEngine) {}

  /**
   * Commits predefined statements, in order, as one unit. Faster than `run`.
   *
   * @returns the outcome of each statement
   * @throws AppError of the first `refuse` callback that returns one; the unit is rolled back
   */
  async commit(statements: readonly Statement[]): Promise<Outcome[]> {
    this.assertOutside('commit');
    const startedAt = performance.now();
    try {
      const piggybacked = pendingPiggyback();
      const outcomes = await this.engine.commit(piggybacked ? [...statements, piggybacked.statement] : statements);
      if (piggybacked) {
        piggybacked.state = 'committed';
        outcomes.pop();
      }
      COMMITTED.observe(performance.now() - startedAt);
      this.notifyListeners(appendedBy(statements, outcomes));
      return outcomes;
    } catch (error) {
      ROLLED_BACK.observe(performance.now() - startedAt);
      throw storageError(error);
    }
  }

  /**
   * Runs a unit that reads before it writes. On SQLite such units run one after another. On PostgreSQL a unit is repeated after a
   * serialization failure, so `work` must have no side effects outside its transaction.
   *
   * @param name for error messages
   */
  async run<T>(name: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    this.assertOutside(name);
    let appended: AppendedEntry[] = [];
    const piggybacked = pendingPiggyback();
    // The engine calls it from the context of another request, if that request started the queue.
    const context = unitAround.run({ of: this, name }, () => new AsyncResource('UnitOfWork'));
    const startedAt = performance.now();
    try {
      const result = await this.engine.run(async (transaction) => {
        appended = [];
        const done = await context.runInAsyncScope(work, undefined, {
          locking: (clause: string) => transaction.locking(clause),
          rows: <T extends object>(sql: string, params: readonly SqlValue[]) => transaction.rows<T>(sql, params),
          apply: async (statements: readonly Statement[]) => {
            const outcomes = await transaction.apply(statements);
            appended.push(...appendedBy(statements, outcomes));
            return outcomes;
          },
        });
        if (piggybacked) await transaction.apply([piggybacked.statement]);
        return done;
      });
      COMMITTED.observe(performance.now() - startedAt);
      if (piggybacked) piggybacked.state = 'committed';
      this.notifyListeners(appended);
      return result;
    } catch (error) {
      ROLLED_BACK.observe(performance.now() - startedAt);
      throw storageError(error);
    }
  }

  /**
   * Commits statements and then erases the replaced and deleted data from the files of a SQLite database, which takes as long as copying the
   * file. A failed erasure stays pending: called without statements, this completes it, or does nothing. On PostgreSQL it is a plain commit.
   *
   * @returns why the old data may still be in unused parts of the files although the statements were committed; undefined on success
   */
  async commitAndErase(statements: readonly Statement[]): Promise<Error | undefined> {
    this.assertOutside('commitAndErase');
    try {
      return await this.engine.commitAndErase(statements);
    } catch (error) {
      throw storageError(error);
    }
  }

  /**
   * Calls `listener` after each commit of this process that appended to the journal. Commits of other processes, and commits just before a
   * crash, are not reported.
   */
  onCommit(listener: (appended: readonly AppendedEntry[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Offset of the newest journal entry that this process has committed, before its commit is acknowledged; 0 before the first. */
  get committedTo(): number {
    return this.newestOffset;
  }

  /** On PostgreSQL: offset of the newest entry for every process that units of this one have met; 0 before the first. */
  get metControlTo(): number {
    return this.newestControl;
  }

  /** Waits for submitted units; later ones fail with SERVER_STOPPING. */
  async close(): Promise<void> {
    this.closing = true;
    await this.engine.close();
  }

  private notifyListeners(appended: readonly AppendedEntry[]): void {
    const newest = appended.at(-1);
    if (!newest) return;
    reportCommit(newest.position.offset);
    for (const { position } of appended) {
      this.newestOffset = Math.max(this.newestOffset, position.offset);
      this.newestControl = Math.max(this.newestControl, position.control ?? 0);
    }
    // Deferred, so that the writer's promise resolves first.
    timeSlices.add(() => {
      for (const listener of this.listeners) listener(appended);
    });
  }

  // On a serial writer, a nested unit would deadlock.
  private assertOutside(name: string): void {
    const outer = unitAround.getStore();
    if (outer?.of === this) throw new Error(`unit "${name}" was started inside unit "${outer.name}"; use the transaction it was given`);
    if (this.closing) throw new AppError('SERVER_STOPPING', 'The server is shutting down.', 'Nothing was written; send the request again.');
  }
}

function appendedBy(statements: readonly Statement[], outcomes: readonly Outcome[]): AppendedEntry[] {
  return statements.flatMap((statement, index) => {
    const position = outcomes[index]?.position;
    return position ? [{ statement, position }] : [];
  });
}

/** True when a write failed because a row with the same key exists, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '23505' || (code === 'SQLITE_CONSTRAINT' && /UNIQUE/.test(message ?? ''));
}

/** True when a write failed because a row it refers to does not exist, on either engine. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '23503' || (code === 'SQLITE_CONSTRAINT' && /FOREIGN KEY/.test(message ?? ''));
}
