import type { PoolClient } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { assertReleased, readRecords } from './migration-records.js';
import { dataSourceOptions, engineOf, type Engine, type Schema } from './options.js';
import { isBehindPooler } from './pooler.js';
import { numberPlaceholders } from './sql-text.js';
import type { Row } from './statement.js';
import { assertCurrent, upgradeSchema } from './upgrade.js';

/** A column of a table, in terms that both engines share. */
export interface ColumnShape {
  readonly name: string;
  readonly type: 'varchar' | 'text' | 'bigint' | 'integer' | 'boolean';
  /** Maximum length of a varchar, characters. Only PostgreSQL enforces it. */
  readonly length: number;
}

/** A table of the entities. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly ColumnShape[];
  /** The columns of the primary key. */
  readonly key: readonly ColumnShape[];
}

/** One connection to a database of either engine, for programs that work on a database which no server uses. */
export class Connection {
  private constructor(
    readonly engine: Engine,
    private readonly source: DataSource,
    private readonly runner: QueryRunner,
    private readonly schema: Schema,
  ) {}

  /** @throws the error of the driver; a SQLite file that does not exist is created unless `access` is `read` */
  static async open(databaseUrl: string, schema: Schema, access: 'read' | 'write'): Promise<Connection> {
    const source = await new DataSource(dataSourceOptions({ databaseUrl, poolSize: 2, schema, access })).initialize();
    return new Connection(engineOf(databaseUrl), source, source.createQueryRunner(), schema);
  }

  /** Whether a pooler is between this process and PostgreSQL, so that locks of the connection do not last. */
  async isPooled(): Promise<boolean> {
    return this.engine === 'postgres' && isBehindPooler((await this.runner.connect()) as PoolClient);
  }

  /** The tables of the entities, by name. */
  get tables(): TableShape[] {
    return this.source.entityMetadatas
      .map(({ tableName, columns, primaryColumns }) => {
        const shapes = new Map(
          columns.map(({ databaseName, type, length }) => [databaseName, shapeOf(databaseName, String(type), length)]),
        );
        const key = primaryColumns.map(({ databaseName }) => shapes.get(databaseName) as ColumnShape);
        return { name: tableName, columns: [...shapes.values()], key };
      })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Runs a statement with `?` placeholders. */
  async rows<R extends object = Row>(sql: string, params: readonly unknown[] = []): Promise<R[]> {
    const text = this.engine === 'postgres' ? numberPlaceholders(sql) : sql;
    return (await this.runner.query(text, [...params])) as R[];
  }

  /** Runs `work` in a transaction, which is rolled back when it fails. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.runner.startTransaction();
    try {
      const result = await work();
      await this.runner.commitTransaction();
      return result;
    } catch (error) {
      await this.runner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }

  /** Creates the tables in an empty database. */
  async createSchema(): Promise<void> {
    await upgradeSchema(this.source, this.schema, undefined);
  }

  /** @throws AppError CONFIG_INVALID when a build from before the first release made the database */
  async assertReleased(): Promise<void> {
    assertReleased((await readRecords(this.runner)).applied, this.schema, 'The database');
  }

  /** @throws AppError CONFIG_INVALID when the schema is not that of this version, or the database is the target of an unfinished move */
  async assertCurrent(): Promise<void> {
    assertCurrent(this.source, this.schema, await readRecords(this.runner));
  }

  async close(): Promise<void> {
    await this.runner.release();
    await this.source.destroy();
  }
}

function shapeOf(name: string, type: string, length: string): ColumnShape {
  const known = type === 'simple-json' ? 'text' : type;
  if (!['varchar', 'text', 'bigint', 'integer', 'boolean'].includes(known)) throw new Error(`column ${name} has the unknown type ${type}`);
  return { name, type: known as ColumnShape['type'], length: length === '' ? Number.POSITIVE_INFINITY : Number(length) };
}
