import type { QueryRunner, Table, TableForeignKey } from 'typeorm';
import type { Engine } from './options.js';

/**
 * Creates tables, in their order.
 *
 * @param byTrigger names of their foreign keys with ON DELETE CASCADE that PostgreSQL gets as triggers, which delete the same rows: checking a
 *   key costs a query for each inserted row. Insertions must name the row that they belong to (`Statement.parents`). SQLite has the keys.
 */
export async function createTables(runner: QueryRunner, tables: readonly Table[], byTrigger: readonly string[] = []): Promise<void> {
  const engine = engineOf(runner);
  for (const each of tables) {
    const table = each.clone();
    // Each engine writes the value in its own way, as TypeORM expects it of a column of an entity.
    for (const column of table.columns) if (column.default === true) column.default = engine === 'postgres' ? 'true' : '1';
    const triggers = engine === 'postgres' ? table.foreignKeys.filter(({ name }) => byTrigger.includes(name ?? '')) : [];
    table.foreignKeys = table.foreignKeys.filter((foreignKey) => !triggers.includes(foreignKey));
    await runner.createTable(table);
    for (const trigger of triggers) await createTrigger(runner, table.name, trigger);
  }
}

/** Undoes `createTables`. */
export async function dropTables(runner: QueryRunner, tables: readonly Table[], byTrigger: readonly string[] = []): Promise<void> {
  for (const { name: table, foreignKeys } of tables.toReversed()) {
    for (const { name, referencedTableName } of engineOf(runner) === 'postgres' ? foreignKeys : []) {
      if (!byTrigger.includes(name ?? '')) continue;
      await runner.query(`DROP TRIGGER ${name} ON ${referencedTableName}`);
      await runner.query(`DROP FUNCTION ${name}()`);
    }
    await runner.dropTable(table);
  }
}

/** Runs the statements for the engine of the database. */
export async function runOn(runner: QueryRunner, statements: Partial<Record<Engine, readonly string[]>>): Promise<void> {
  for (const sql of statements[engineOf(runner)] ?? []) await runner.query(sql);
}

async function createTrigger(
  runner: QueryRunner,
  table: string,
  { name, columnNames, referencedTableName, referencedColumnNames }: TableForeignKey,
): Promise<void> {
  await runner.query(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM ${table} WHERE (${columnNames.join(', ')}) IN (SELECT ${referencedColumnNames.join(', ')} FROM deleted);
        RETURN NULL;
      END
    $$`);
  await runner.query(`CREATE TRIGGER ${name} AFTER DELETE ON ${referencedTableName} REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`);
}

function engineOf(runner: QueryRunner): Engine {
  return runner.connection.options.type === 'postgres' ? 'postgres' : 'sqlite';
}
