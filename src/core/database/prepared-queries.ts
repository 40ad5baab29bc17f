import type { Database, Statement as PreparedStatement } from 'sqlite3';
import { RepeatedTexts } from './repeated-texts.js';
import type { SqlValue } from './statement.js';

// Queries beyond this limit are not prepared.
const MAX_PREPARED = 256;

/** Cache of prepared queries of a SQLite connection: preparing a small query takes longer than running it (bench/README.md). */
export class PreparedQueries {
  private readonly statements = new Map<string, Promise<PreparedStatement>>();
  private readonly unprepared = new RepeatedTexts();
  private closed = false;

  constructor(private readonly database: Database) {}

  async rows<T extends object>(sql: string, params: readonly SqlValue[]): Promise<T[]> {
    const prepared = await (this.statements.get(sql) ?? this.prepare(sql));
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, rows: T[]): void => (error ? reject(error) : resolve(rows));
      if (prepared) prepared.all<T>(params, done);
      else this.database.all<T>(sql, params, done);
    });
  }

  /** Finalizes the prepared statements, which the connection requires before it can be closed. Later queries are not prepared. */
  async close(): Promise<void> {
    this.closed = true;
    const prepared = await Promise.allSettled(this.statements.values());
    this.statements.clear();
    for (const outcome of prepared) {
      if (outcome.status === 'fulfilled') await new Promise<void>((done) => outcome.value.finalize(() => done()));
    }
  }

  private prepare(sql: string): Promise<PreparedStatement> | undefined {
    if (this.closed || this.statements.size >= MAX_PREPARED || !this.unprepared.repeats(sql)) return undefined;
    const preparing = new Promise<PreparedStatement>((resolve, reject) => {
      const statement = this.database.prepare(withOpaqueLimit(sql), (error) => (error ? reject(error) : resolve(statement)));
    });
    this.statements.set(sql, preparing);
    preparing.catch(() => this.statements.delete(sql));
    return preparing;
  }
}

/** SQLite plans for the value of a bare `LIMIT ?` and prepares the statement again for each execution; it does not look into a sum. */
function withOpaqueLimit(sql: string): string {
  return sql.replaceAll(/\b(LIMIT|OFFSET) \?/g, '$1 (? + 0)');
}
