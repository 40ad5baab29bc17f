import { UNFINISHED_MOVE, type Connection } from '../../core/database/index.js';
import type { Value } from './values.js';

/** How far a table has been copied. */
export interface TableProgress {
  /** Key of the last row that was copied. */
  readonly after?: readonly Value[];
  readonly rows: number;
  readonly done: boolean;
}

/** Where the rows of an unfinished target come from. */
export interface Origin {
  /** The installation. */
  readonly source: string;
  /** Changes with each write to the source; empty after a comparison that found differences. */
  readonly state: string;
}

/** The record of a move in its target, in one row. It is changed in the transactions that copy rows. */
export class Progress {
  private constructor(
    private readonly target: Connection,
    private readonly tables: Record<string, TableProgress>,
  ) {}

  /** What the target of an earlier attempt says; undefined when there was none. */
  static async origin(target: Connection): Promise<Origin | undefined> {
    if (!(await exists(target))) return undefined;
    const [row] = await target.rows<Origin>(`SELECT source, state FROM ${UNFINISHED_MOVE}`);
    return row ?? { source: '', state: '' };
  }

  static async begin(target: Connection, { source, state }: Origin): Promise<Progress> {
    await target.rows(`CREATE TABLE ${UNFINISHED_MOVE} (source text NOT NULL, state text NOT NULL, progress text NOT NULL)`);
    await target.rows(`INSERT INTO ${UNFINISHED_MOVE} (source, state, progress) VALUES (?, ?, '{}')`, [source, state]);
    return new Progress(target, {});
  }

  static async resume(target: Connection): Promise<Progress> {
    const [row] = await target.rows<{ progress: string }>(`SELECT progress FROM ${UNFINISHED_MOVE}`);
    return new Progress(target, JSON.parse(row?.progress ?? '{}') as Record<string, TableProgress>);
  }

  of(table: string): TableProgress {
    return this.tables[table] ?? { rows: 0, done: false };
  }

  /** Call it in the transaction that copies the rows. */
  async record(table: string, progress: TableProgress): Promise<void> {
    this.tables[table] = progress;
    await this.target.rows(`UPDATE ${UNFINISHED_MOVE} SET progress = ?`, [JSON.stringify(this.tables)]);
  }

  /** The next attempt copies everything again. */
  async discard(): Promise<void> {
    await this.target.rows(`UPDATE ${UNFINISHED_MOVE} SET state = ''`);
  }

  /** From now on a server may start on the target. */
  async finish(): Promise<void> {
    await this.target.rows(`DROP TABLE ${UNFINISHED_MOVE}`);
  }
}

async function exists(target: Connection): Promise<boolean> {
  const sql =
    target.engine === 'postgres'
      ? `SELECT 1 AS found WHERE to_regclass('${UNFINISHED_MOVE}') IS NOT NULL`
      : `SELECT 1 AS found FROM sqlite_master WHERE name = '${UNFINISHED_MOVE}'`;
  return (await target.rows(sql)).length > 0;
}
