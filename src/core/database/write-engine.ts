import type { EntityManager } from 'typeorm';
import type { Row, Statement } from './statement.js';

/** What a read-then-write unit works with; valid until its function returns. */
export interface Transaction {
  /** Reads and writes inside the transaction. */
  readonly manager: EntityManager;
  /** Runs prepared statements in order. @throws AppError when one of them refuses its rows */
  apply(statements: readonly Statement[]): Promise<Row[][]>;
}

/** One database engine's way to write. Two implementations: SQLite's serial writer and PostgreSQL's pool. */
export interface WriteEngine {
  /** Commits the statements as one unit, possibly together with others in one transaction; resolves after the commit is durable. */
  commit(statements: readonly Statement[]): Promise<Row[][]>;
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Checks each statement's rows. @throws the error of the first that refuses */
export function checkRows(statements: readonly Statement[], results: readonly Row[][]): void {
  statements.forEach((statement, index) => {
    const refusal = statement.refuse?.(results[index] ?? []);
    if (refusal) throw refusal;
  });
}
