import type { Connection, TableShape } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { eachBatch, stored, type Report } from './copy.js';
import { countRows, keyText, readSame } from './tables.js';

const MAX_NAMED = 20;

/** Reads every row of a table back and compares each value. @returns the differences, at most 20; none when the tables are equal */
export async function compareTable(source: Connection, target: Connection, table: TableShape, report: Report): Promise<string[]> {
  const differences: string[] = [];
  let compared = 0;
  await eachBatch(source, table, async (rows) => {
    const found = await readSame(target, table, rows);
    for (const row of rows) {
      if (differences.length >= MAX_NAMED) break;
      const key = keyText(table, row);
      const copy = found.get(key);
      const expected = stored(row, table, target);
      // Values may be secrets.
      const columns = copy ? table.columns.filter(({ name }) => copy[name] !== expected[name]).map(({ name }) => name) : [];
      if (!copy) differences.push(`${table.name} ${key}: missing`);
      else if (columns.length > 0) differences.push(`${table.name} ${key}: ${columns.join(', ')}`);
    }
    compared += rows.length;
    report(table.name, compared);
  });
  // Every row of the source is in the target; with as many rows, it has no others.
  const count = await countRows(target, table);
  if (differences.length === 0 && count !== compared) differences.push(`${table.name}: ${count} rows instead of ${compared}`);
  return differences;
}

/** The error after a comparison that found differences. */
export function unequal(differences: readonly string[]): AppError {
  return new AppError(
    'CONFLICT',
    `The copy differs from the source: ${differences.join('; ')}.`,
    'Make sure that nothing writes to either database, and run the same command again; it copies everything anew.',
  );
}
