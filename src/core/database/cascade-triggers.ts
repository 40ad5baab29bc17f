import type { QueryRunner } from 'typeorm';

/** A foreign key with ON DELETE CASCADE. */
export interface CascadingKey {
  readonly table: string;
  /** Name of the constraint. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
}

/**
 * On PostgreSQL, replaces foreign keys by triggers that delete the same rows, because checking a key costs a query for each inserted row.
 * Insertions must name the row that they belong to (`Statement.parents`). On SQLite, the keys stay.
 */
export async function replaceByTriggers(runner: QueryRunner, keys: readonly CascadingKey[]): Promise<void> {
  if (runner.connection.options.type !== 'postgres') return;
  for (const { table, name, columns, target, targetColumns } of keys) {
    await runner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
    await runner.query(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM ${table} WHERE (${columns.join(', ')}) IN (SELECT ${targetColumns.join(', ')} FROM deleted);
        RETURN NULL;
      END
    $$`);
    await runner.query(`CREATE TRIGGER ${name} AFTER DELETE ON ${target} REFERENCING OLD TABLE AS deleted
      FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`);
  }
}

/** Undoes `replaceByTriggers`. */
export async function restoreForeignKeys(runner: QueryRunner, keys: readonly CascadingKey[]): Promise<void> {
  if (runner.connection.options.type !== 'postgres') return;
  for (const { table, name, columns, target, targetColumns } of keys) {
    await runner.query(`DROP TRIGGER ${name} ON ${target}`);
    await runner.query(`DROP FUNCTION ${name}()`);
    await runner.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name}
      FOREIGN KEY (${columns.join(', ')}) REFERENCES ${target} (${targetColumns.join(', ')}) ON DELETE CASCADE`);
  }
}
