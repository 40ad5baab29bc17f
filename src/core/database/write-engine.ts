import type { Outcome, Row, SqlValue, Statement } from './statement.js';

/** The transaction of `UnitOfWork.run`; valid until the callback returns. */
export interface Transaction {
  /** The locking clause of a query, for example `FOR UPDATE`; empty on SQLite, which runs one transaction at a time. */
  locking(clause: string): string;
  /** Reads inside the transaction; `?` placeholders. */
  rows<T extends object = Row>(sql: string, params: readonly SqlValue[]): Promise<T[]>;
  /** Runs statements in order. @throws AppError when one of them refuses its outcome */
  apply(statements: readonly Statement[]): Promise<Outcome[]>;
}

/** Write access to one database engine: the serial writer of SQLite, or the pool of PostgreSQL. */
export interface WriteEngine {
  /** Commits the statements as one unit, possibly together with others in one transaction; resolves after the commit is durable. */
  commit(statements: readonly Statement[]): Promise<Outcome[]>;
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** As `UnitOfWork.commitAndErase`. */
  commitAndErase(statements: readonly Statement[]): Promise<Error | undefined>;
  close(): Promise<void>;
}
