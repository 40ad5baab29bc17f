import type { EntityManager } from 'typeorm';
import type { Outcome, Row, SqlValue, Statement } from './statement.js';

/** What a read-then-write unit works with; valid until its function returns. */
export interface Transaction {
  /** Reads and writes inside the transaction. */
  readonly manager: EntityManager;
  /** Reads inside the transaction; `?` placeholders. */
  rows<T extends object = Row>(sql: string, params: readonly SqlValue[]): Promise<T[]>;
  /** Runs statements in order. @throws AppError when one of them refuses its outcome */
  apply(statements: readonly Statement[]): Promise<Outcome[]>;
}

/** One database engine's way to write. Two implementations: SQLite's serial writer and PostgreSQL's pool. */
export interface WriteEngine {
  /** Commits the statements as one unit, possibly together with others in one transaction; resolves after the commit is durable. */
  commit(statements: readonly Statement[]): Promise<Outcome[]>;
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** As `UnitOfWork.overwrite`. */
  overwrite(statements: readonly Statement[]): Promise<Error | undefined>;
  close(): Promise<void>;
}
