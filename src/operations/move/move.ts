import { relative, resolve } from 'node:path';
import { assertNoUnfinishedRestore } from '../../core/backup/index.js';
import type { Config } from '../../core/config/index.js';
import { Connection, DataDirLock, engineOf, type Schema, type TableShape } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { compareTable, unequal } from './compare.js';
import { copyTable, findUnstorable, type UnstorableValue } from './copy.js';
import { assertSameKey, copyFiles, databaseIn, isWithin, missingUploads } from './files.js';
import type { Progress } from './progress.js';
import { assertExists, openSource, type Source } from './source.js';
import { countRows, foreignKeysOf, inOrder } from './tables.js';
import { beginTarget, closeTarget, openTarget, type Target } from './target.js';

/** What a move is doing. */
export interface MoveStep {
  readonly kind: 'check' | 'copy' | 'compare' | 'files';
  /** Of a table; empty for files. */
  readonly table: string;
  readonly done: number;
  readonly total: number;
}

export interface MoveOptions {
  /** `postgres://…`, or `sqlite:` and the data directory of the new installation. */
  readonly target: string;
  /** Folder of a backup of a SQLite database to move instead of the database of the configuration. */
  readonly from?: string;
  /** Store something similar in place of values that the target cannot store. */
  readonly replace?: boolean;
  readonly onStep: (step: MoveStep) => void;
  /** Called once, before the first row is copied. */
  readonly onBegin: (begun: Target['begun']) => void;
  /** Called for each value that the target cannot store as it is. */
  readonly onUnstorable: (value: UnstorableValue) => void;
}

/** Result of a move. */
export interface Moved {
  readonly rows: number;
  readonly tables: number;
  /** Values that were replaced. */
  readonly replaced: number;
  /** Files that were copied; undefined when they stay where they are. */
  readonly files?: number;
  /** The data directory with the files. */
  readonly dataDir: string;
  /** Uploads that the database has, and those that are not in MEDIA_DIR; none with an object store. */
  readonly uploads: { readonly total: number; readonly missing: number };
}

/**
 * Copies a database to one of the other engine, compares every row, and lets servers start on it. It can be killed at any time; called
 * again, it continues. The source is only read.
 *
 * @param schema tables of this version, which the source must have
 * @throws AppError CONFIG_INVALID, CONFLICT, DATA_DIR_IN_USE, BACKUP_INVALID, with a remedy. The source is unchanged, and a target that is
 *   not complete is refused by servers.
 */
export async function moveDatabase(config: Config, schema: Schema, options: MoveOptions): Promise<Moved> {
  const way = wayOf(config, options);
  if (options.from === undefined) await assertExists(config);
  const locks = [await DataDirLock.acquire(config.dataDir)];
  let source: Source | undefined;
  let target: Target | undefined;
  try {
    if (way.dataDir !== resolve(config.dataDir)) locks.push(await DataDirLock.acquire(way.dataDir));
    await assertNoUnfinishedRestore(config.dataDir);
    source = await openSource(config, schema, options.from);
    const copiesFiles = resolve(source.filesFrom) !== way.dataDir;
    if (copiesFiles) await assertSameKey(source.filesFrom, way.dataDir);
    target = await openTarget(way.databaseUrl, schema, source.origin);
    const replaced = await check(source.connection, target.connection.engine, options);
    options.onBegin(target.begun);
    const progress = await beginTarget(target, source.origin);
    const { rows, tables } = await copyRows(source.connection, target.connection, progress, options);
    const step = (done: number, total: number): void => options.onStep({ kind: 'files', table: '', done, total });
    const files = copiesFiles ? await copyFiles(source.filesFrom, way.dataDir, step) : undefined;
    // A folder of uploads outside of the data directory stays where it is.
    const isCopied = copiesFiles && isWithin(config.dataDir, config.mediaDir);
    const mediaDir = isCopied ? resolve(way.dataDir, relative(config.dataDir, config.mediaDir)) : config.mediaDir;
    const isInStore = config.variable('MEDIA_STORAGE') !== undefined;
    const uploads = isInStore ? { total: 0, missing: 0 } : await missingUploads(target.connection, mediaDir);
    await complete(target.connection, progress);
    return { rows, tables, replaced, dataDir: way.dataDir, uploads, ...(files === undefined ? {} : { files }) };
  } finally {
    if (target) await closeTarget(target.connection);
    await source?.connection.close();
    for (const lock of locks) await lock.release();
  }
}

/** Where the rows and the files go. */
function wayOf(config: Config, { target, from }: MoveOptions): { readonly databaseUrl: string; readonly dataDir: string } {
  const sourceEngine = from === undefined ? engineOf(config.databaseUrl) : 'sqlite';
  if (sourceEngine === engineOf(target)) {
    throw sourceEngine === 'sqlite'
      ? new AppError(
          'CONFLICT',
          'Both databases are files.',
          'Copy DATA_DIR instead, or use npx parley-server backup and npx parley-server restore.',
        )
      : new AppError(
          'CONFLICT',
          'Both databases are PostgreSQL.',
          'DATABASE_URL is the database to move: unset it to move the SQLite file of DATA_DIR. Between two PostgreSQL servers, use pg_dump.',
        );
  }
  if (engineOf(target) === 'postgres') return { databaseUrl: target, dataDir: resolve(config.dataDir) };
  const folder = resolve(target.slice('sqlite:'.length));
  return { databaseUrl: databaseIn(folder), dataDir: folder };
}

/** @throws AppError CONFLICT when the target cannot store something. @returns the number of values that are replaced */
async function check(source: Connection, target: Connection['engine'], options: MoveOptions): Promise<number> {
  let [found, stuck] = [0, 0];
  const { tables } = source;
  for (const [index, table] of tables.entries()) {
    await findUnstorable(source, target, table, (value) => {
      found += 1;
      if (!value.isReplaceable) stuck += 1;
      options.onUnstorable(value);
    });
    options.onStep({ kind: 'check', table: table.name, done: index + 1, total: tables.length });
  }
  if (stuck > 0) {
    throw new AppError(
      'CONFLICT',
      `The target cannot store ${stuck} ${stuck === 1 ? 'value' : 'values'} of the source.`,
      'Change or delete these rows in the source. Nothing was copied.',
    );
  }
  if (found > 0 && options.replace !== true) {
    throw new AppError(
      'CONFLICT',
      `The target cannot store ${found} ${found === 1 ? 'value' : 'values'} of the source as they are.`,
      'With --replace, U+FFFD is stored in place of what is not a valid character, longer texts are shortened, and numbers rounded. Or change these rows in the source. Nothing was copied.',
    );
  }
  return found;
}

async function copyRows(
  source: Connection,
  target: Connection,
  progress: Progress,
  options: MoveOptions,
): Promise<Pick<Moved, 'rows' | 'tables'>> {
  const sqlite = source.engine === 'sqlite' ? source : target;
  const tables = inOrder(source.tables, await foreignKeysOf(sqlite, source.tables));
  const totals = new Map<TableShape, number>();
  for (const table of tables) totals.set(table, await countRows(source, table));
  const total = (table: TableShape): number => totals.get(table) ?? 0;
  const step =
    (kind: 'copy' | 'compare', table: TableShape) =>
    (_: string, done: number): void =>
      options.onStep({ kind, table: table.name, done, total: total(table) });
  for (const table of tables) await copyTable(source, target, table, progress, step('copy', table));
  const differences: string[] = [];
  for (const table of tables) differences.push(...(await compareTable(source, target, table, step('compare', table))));
  if (differences.length > 0) {
    await progress.discard();
    throw unequal(differences.slice(0, 20));
  }
  return { rows: [...totals.values()].reduce((sum, rows) => sum + rows, 0), tables: tables.length };
}

// As the migration does (JournalHeads), after the rows were inserted without it. A file has none of this.
const HEADS = [
  `SELECT setval('journal_pos', greatest((SELECT max(pos) FROM journal), (SELECT max(trimmed_to) FROM journal_floor), 0), true)`,
  'DELETE FROM journal_heads',
  `INSERT INTO journal_heads (channel_id, seq, pos, changed)
    SELECT DISTINCT ON (channel_id) channel_id, seq, pos, 0 FROM journal WHERE channel_id IS NOT NULL ORDER BY channel_id, pos DESC`,
  'INSERT INTO journal_heads (channel_id, seq, pos, changed) SELECT id, 0, 0, 0 FROM channels ON CONFLICT DO NOTHING',
];

/** Makes what only PostgreSQL has, and lets servers start, in one transaction. */
async function complete(connection: Connection, progress: Progress): Promise<void> {
  await connection.transaction(async () => {
    if (connection.engine === 'postgres') for (const sql of HEADS) await connection.rows(sql);
    await progress.finish();
  });
  // Otherwise PostgreSQL plans the first queries as if the tables were empty.
  if (connection.engine === 'postgres') await connection.rows('ANALYZE');
}
