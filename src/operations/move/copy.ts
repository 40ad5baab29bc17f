import type { Connection, TableShape } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import type { Progress } from './progress.js';
import { adapted, insertRows, keyOf, keyText, readBatch, type MovedRow } from './tables.js';
import { isMalformed, mayBeMalformed, obstacleOf } from './values.js';

/** A value that the target cannot store as it is. */
export interface UnstorableValue {
  readonly table: string;
  /** Values of the primary key, separated by spaces. */
  readonly key: string;
  readonly column: string;
  readonly reason: string;
  /** Whether `--replace` stores something instead. */
  readonly isReplaceable: boolean;
}

/** Rows that a step has finished with. */
export type Report = (table: string, rows: number) => void;

/** Calls `visit` with all rows of a table, in batches, in the order of the primary key. */
export async function eachBatch(
  source: Connection,
  table: TableShape,
  visit: (rows: MovedRow[]) => Promise<void>,
  after?: Parameters<typeof readBatch>[2],
): Promise<void> {
  let last = after;
  for (;;) {
    const rows = await readBatch(source, table, last);
    const end = rows.at(-1);
    if (!end) return;
    last = keyOf(table, end);
    await visit(rows);
  }
}

/** Finds what the target cannot store, in all rows of a table. It reads the source only. */
export async function findUnstorable(
  source: Connection,
  target: Connection['engine'],
  table: TableShape,
  found: (value: UnstorableValue) => void,
): Promise<void> {
  await eachBatch(source, table, async (rows) => {
    for (const row of rows) {
      for (const column of table.columns) {
        const value = row[column.name];
        const at = { table: table.name, key: keyText(table, row), column: column.name };
        const obstacle = obstacleOf(column, value, target);
        if (obstacle) found({ ...at, reason: obstacle.reason, isReplaceable: obstacle.replacement !== undefined });
        else if (mayBeMalformed(value) && (await isMalformedIn(source, table, row, column.name))) {
          found({ ...at, reason: 'it is not valid UTF-8', isReplaceable: true });
        }
      }
    }
  });
}

async function isMalformedIn(source: Connection, table: TableShape, row: MovedRow, column: string): Promise<boolean> {
  if (source.engine === 'postgres') return false;
  const key = table.key.map(({ name }) => `"${name}" = ?`).join(' AND ');
  const [found] = await source.rows<{ bytes: Uint8Array }>(
    `SELECT CAST("${column}" AS BLOB) AS bytes FROM "${table.name}" WHERE ${key}`,
    keyOf(table, row),
  );
  return found !== undefined && isMalformed(found.bytes);
}

/** The row as the target stores it. */
export function stored(row: MovedRow, table: TableShape, target: Connection): MovedRow {
  const result = adapted(row, table, target);
  for (const column of table.columns) {
    const obstacle = obstacleOf(column, result[column.name], target.engine);
    if (obstacle?.replacement !== undefined) result[column.name] = obstacle.replacement;
  }
  return result;
}

/**
 * Copies the rows of a table that have not been copied yet.
 *
 * @throws AppError CONFLICT naming the rows that the target refuses
 */
export async function copyTable(
  source: Connection,
  target: Connection,
  table: TableShape,
  progress: Progress,
  report: Report,
): Promise<void> {
  let { rows: copied } = progress.of(table.name);
  const { after, done } = progress.of(table.name);
  if (done) return;
  // Migrations have inserted some rows.
  if (after === undefined) await target.rows(`DELETE FROM "${table.name}"`);
  await eachBatch(
    source,
    table,
    async (rows) => {
      const batch = rows.map((row) => stored(row, table, target));
      const last = batch.at(-1) ?? {};
      await target
        .transaction(async () => {
          await insertRows(target, table, batch);
          await progress.record(table.name, { after: keyOf(table, last), rows: copied + batch.length, done: false });
        })
        .catch(async (error: unknown) => {
          throw await refusalOf(target, table, batch, error);
        });
      copied += batch.length;
      report(table.name, copied);
    },
    after,
  );
  await progress.record(table.name, { rows: copied, done: true });
}

const MAX_NAMED = 20;

// PostgreSQL: data exception, constraint, limit of the program.
const OF_A_ROW = /^(22|23|54)|^SQLITE_(CONSTRAINT|TOOBIG|MISMATCH|RANGE)/;

function isOfARow(error: unknown): boolean {
  return OF_A_ROW.test((error as { code?: string }).code ?? '');
}

/** The error that names the rows of a batch that the target refuses, or says what else is wrong. */
async function refusalOf(target: Connection, table: TableShape, rows: readonly MovedRow[], error: unknown): Promise<AppError> {
  const refused: string[] = [];
  const undone = new Error('the row is not kept');
  for (const row of isOfARow(error) ? rows : []) {
    if (refused.length === MAX_NAMED) break;
    await target
      .transaction(async () => {
        await insertRows(target, table, [row]);
        throw undone;
      })
      .catch((reason: unknown) => {
        if (isOfARow(reason)) refused.push(`${keyText(table, row)} (${(reason as Error).message})`);
      });
  }
  if (refused.length === 0) {
    return new AppError(
      'STORAGE_UNAVAILABLE',
      `Rows of ${table.name} cannot be written: ${(error as Error).message}.`,
      'Run the same command again; it goes on where it was.',
      error,
    );
  }
  return new AppError(
    'CONFLICT',
    `The target refuses rows of ${table.name}: ${refused.join('; ')}.`,
    'Change or delete these rows in the source, and run the same command again. Nothing was lost: the source is unchanged.',
    error,
  );
}
