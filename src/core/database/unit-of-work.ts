import { AsyncLocalStorage } from 'node:async_hooks';
import { waitingAlongside } from '../context/request-context.js';
import { AppError } from '../errors/index.js';
import { storageError } from './storage-error.js';
import type { Appended, Outcome, Statement } from './statement.js';
import type { Transaction, WriteEngine } from './write-engine.js';

/**
 * The only way to write. What a unit changed and what it appended to the journal become visible together,
 * after the commit is on disk, or not at all. No network, model or file work belongs inside a unit.
 */
export class UnitOfWork {
  private readonly inside = new AsyncLocalStorage<string>();
  private readonly listeners = new Set<(appended: readonly Appended[]) => void>();
  private closing = false;

  constructor(private readonly engine: WriteEngine) {}

  /**
   * Commits statements that are known beforehand, in order, as one unit; the fast form.
   *
   * @returns what each statement did
   * @throws AppError of the first statement that refuses its outcome; nothing of the unit is then kept
   */
  async commit(statements: readonly Statement[]): Promise<Outcome[]> {
    this.assertOutside('commit');
    try {
      const along = waitingAlongside();
      const outcomes = await this.engine.commit(along ? [...statements, along.statement] : statements);
      if (along) {
        along.state = 'committed';
        outcomes.pop();
      }
      this.announce(appendedBy(statements, outcomes));
      return outcomes;
    } catch (error) {
      throw storageError(error);
    }
  }

  /**
   * Runs a unit that must read before it writes. Units of this form run one after another on SQLite.
   * On PostgreSQL a unit that lost a race for locks is run again, so `work` touches nothing but its transaction.
   *
   * @param name shown when the unit is misused
   */
  async run<T>(name: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    this.assertOutside(name);
    let appended: Appended[] = [];
    const along = waitingAlongside();
    try {
      const result = await this.engine.run(async (transaction) => {
        appended = [];
        const done = await this.inside.run(name, () =>
          work({
            manager: transaction.manager,
            rows: (sql, params) => transaction.rows(sql, params),
            apply: async (statements) => {
              const outcomes = await transaction.apply(statements);
              appended.push(...appendedBy(statements, outcomes));
              return outcomes;
            },
          }),
        );
        if (along) await transaction.apply([along.statement]);
        return done;
      });
      if (along) along.state = 'committed';
      this.announce(appended);
      return result;
    } catch (error) {
      throw storageError(error);
    }
  }

  /**
   * Commits statements after which nothing of what they replaced or deleted can be read in the files of a SQLite database any more.
   * Takes as long as copying the file. It is due until it succeeded once: called without statements it finishes what an earlier
   * process could not, and otherwise does nothing. On PostgreSQL it is a plain commit.
   *
   * @returns why the old text may still be in unused parts of the files although the statements were committed; undefined when it is not
   */
  async overwrite(statements: readonly Statement[]): Promise<Error | undefined> {
    this.assertOutside('overwrite');
    try {
      return await this.engine.overwrite(statements);
    } catch (error) {
      throw storageError(error);
    }
  }

  /**
   * Calls back soon after each commit that appended to the journal, with what it appended. What other processes append is not
   * among it, and a commit that this process does not survive is not told.
   */
  onCommit(listener: (appended: readonly Appended[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Waits for the units that were submitted; later ones are refused. */
  async close(): Promise<void> {
    this.closing = true;
    await this.engine.close();
  }

  private announce(appended: readonly Appended[]): void {
    if (appended.length === 0) return;
    // One turn of the event loop later: whoever wrote is answered first.
    setImmediate(() => {
      for (const listener of this.listeners) listener(appended);
    });
  }

  // On a serial writer a unit that starts another would wait for itself for ever.
  private assertOutside(name: string): void {
    const outer = this.inside.getStore();
    if (outer !== undefined) throw new Error(`unit "${name}" was started inside unit "${outer}"; use the transaction it was given`);
    if (this.closing) throw new AppError('SERVER_STOPPING', 'The server is shutting down.', 'Nothing was written; send the request again.');
  }
}

function appendedBy(statements: readonly Statement[], outcomes: readonly Outcome[]): Appended[] {
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
