import type { Database, Statement as PreparedStatement } from 'sqlite3';
import type { SqlValue } from './statement.js';

// Texts are constants but for a number here and there, so there are not many; what comes beyond is not kept.
const MOST_KEPT = 256;

/** Queries of one SQLite connection, each prepared once: preparing a small query costs more than running it (bench/README.md). */
export class PreparedQueries {
  private readonly kept = new Map<string, Promise<PreparedStatement>>();
  private closed = false;

  constructor(private readonly database: Database) {}

  async rows<T extends object>(sql: string, params: readonly SqlValue[]): Promise<T[]> {
    const prepared = await (this.kept.get(sql) ?? this.prepare(sql));
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, rows: T[]): void => (error ? reject(error) : resolve(rows));
      if (prepared) prepared.all<T>(params, done);
      else this.database.all<T>(sql, params, done);
    });
  }

  /** Lets go of the connection, which can't be closed before. Queries that come later are not prepared. */
  async close(): Promise<void> {
    this.closed = true;
    const prepared = await Promise.allSettled(this.kept.values());
    this.kept.clear();
    for (const outcome of prepared) {
      if (outcome.status === 'fulfilled') await new Promise<void>((done) => outcome.value.finalize(() => done()));
    }
  }

  private prepare(sql: string): Promise<PreparedStatement> | undefined {
    if (this.closed || this.kept.size >= MOST_KEPT) return undefined;
    const preparing = new Promise<PreparedStatement>((resolve, reject) => {
      const statement = this.database.prepare(sql, (error) => (error ? reject(error) : resolve(statement)));
    });
    this.kept.set(sql, preparing);
    preparing.catch(() => this.kept.delete(sql));
    return preparing;
  }
}
