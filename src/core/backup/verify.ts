import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Config } from '../config/index.js';
import { DataDirLock, distinctValues, engineOf, openStore, sqlitePath, type Schema, type Store } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { openVault } from '../vault/index.js';
import { assertSound, rowsOfSqlite } from './copy-database.js';
import { sha256Of, readManifest, type Manifest } from './manifest.js';
import { rowsOfPostgres, withScratchDatabase } from './postgres-copy.js';
import { restoreBackup } from './restore.js';

/** Faults of one kind that a verification lists. */
const MAX_FAULTS = 20;
/** Codes of errors that are about the backup itself, and not about the place where it is restored. */
const DAMAGED: readonly string[] = ['BACKUP_INVALID', 'DATABASE_CORRUPT'];
/** The same for a restored database: another version wrote it, or the key is not that of its secrets. */
const UNUSABLE: readonly string[] = [...DAMAGED, 'CONFIG_INVALID'];
/** Checks that tell whether a backup is the copy that it claims to be. */
const OF_COPY: ReadonlySet<BackupCheck['name']> = new Set(['files', 'database', 'rows']);

/** One part of a verification. */
export interface BackupCheck {
  readonly name: 'files' | 'database' | 'rows' | 'migrations' | 'secrets' | 'contents';
  /** The finding, in a few words. */
  readonly about: string;
  /** Empty when nothing is wrong. */
  readonly faults: readonly string[];
}

/** Result of the rehearsal of a restore. */
export interface Verification {
  readonly manifest: Manifest;
  /** In their order. When a backup cannot be restored, those that need the restored data are missing. */
  readonly checks: readonly BackupCheck[];
  /** All faults of the checks. */
  readonly faults: readonly string[];
  /** Whether the copy is damaged. Other faults are those of the data that was copied, such as a file that is missing there, too. */
  readonly isDamaged: boolean;
}

export interface VerifyOptions {
  readonly schema: Schema;
  readonly now: Date;
  readonly signal?: AbortSignal;
  /** Whether a content is stored outside of DATA_DIR, where no backup contains it. */
  readonly isStoredElsewhere?: (hash: string) => Promise<boolean>;
}

/**
 * Rehearses a restore: restores a backup to a scratch place with the code of `restoreBackup`, opens it as the server does, migrations
 * included, and compares it with the manifest. The scratch place is `DATA_DIR/cache/backup-verify`, and on PostgreSQL a scratch database
 * next to that of the server; both are gone afterwards. The server may run.
 *
 * @param prepare returns the folder of the backup; it may write to the folder that it gets, which is gone afterwards
 * @throws AppError BACKUP_INVALID when the folder contains no complete backup; CONFLICT while another verification runs; STORAGE_FULL,
 *   STORAGE_UNAVAILABLE or CONFIG_INVALID when the backup cannot be restored for a reason that is not in it
 */
export async function verifyBackup(
  config: Config,
  prepare: (scratch: string) => Promise<string>,
  options: VerifyOptions,
): Promise<Verification> {
  return withScratchFolder(config.dataDir, async (scratch) => {
    const folder = await prepare(join(scratch, 'backup'));
    const manifest = await readManifest(folder);
    const checks = [await checkFiles(folder, manifest, options.signal)];
    if (checks[0]?.faults.length === 0) checks.push(...(await checkRestored(config, folder, manifest, join(scratch, 'data'), options)));
    const isDamaged = checks.some(({ name, faults }) => OF_COPY.has(name) && faults.length > 0);
    return { manifest, checks, faults: checks.flatMap(({ faults }) => faults), isDamaged };
  });
}

async function withScratchFolder<T>(dataDir: string, work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = join(resolve(dataDir), 'cache', 'backup-verify');
  const lock = await DataDirLock.acquire(scratch).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'DATA_DIR_IN_USE') throw error;
    throw new AppError('CONFLICT', 'Another backup is being verified.', 'Try again later.', error);
  });
  // A killed process leaves its copy behind.
  const clear = async (): Promise<void> => {
    for (const name of ['backup', 'data']) await rm(join(scratch, name), { recursive: true, force: true });
  };
  try {
    await clear();
    return await work(scratch);
  } finally {
    await clear();
    await lock.release();
  }
}

async function checkFiles(folder: string, { files }: Manifest, signal?: AbortSignal): Promise<BackupCheck> {
  const faults = new Faults();
  const paths = Object.entries(files);
  for (const [path, digest] of paths) {
    signal?.throwIfAborted();
    const found = await sha256Of(join(folder, path)).catch((error: unknown) => {
      if ((error as { code?: string }).code === 'ENOENT') return undefined;
      throw error;
    });
    if (found === undefined) faults.add(`${path} is missing`);
    else if (found !== digest) faults.add(`${path} is damaged: its SHA-256 is not that of the manifest`);
  }
  return { name: 'files', about: `${number(paths.length - faults.count)} of ${number(paths.length)} unchanged`, faults: faults.listed() };
}

async function checkRestored(
  config: Config,
  folder: string,
  manifest: Manifest,
  dataDir: string,
  options: VerifyOptions,
): Promise<BackupCheck[]> {
  const scratchConfig = (databaseUrl: string): Config => ({ ...config, dataDir, databaseUrl, eventsUrl: [] });
  if (manifest.engine === 'sqlite') {
    return checkDatabase(scratchConfig(`sqlite:${join(dataDir, 'parley.sqlite')}`), folder, manifest, options);
  }
  if (engineOf(config.databaseUrl) !== 'postgres') {
    const remedy = 'Set DATABASE_URL to a PostgreSQL database: the backup is restored to a scratch database next to it.';
    throw new AppError('CONFIG_INVALID', 'A backup of PostgreSQL cannot be verified without a PostgreSQL server.', remedy);
  }
  return withScratchDatabase(config.databaseUrl, (url) => checkDatabase(scratchConfig(url), folder, manifest, options));
}

async function checkDatabase(config: Config, folder: string, manifest: Manifest, options: VerifyOptions): Promise<BackupCheck[]> {
  const { databaseUrl } = config;
  const { schema, now, signal } = options;
  const checks: BackupCheck[] = [];
  const isSqlite = engineOf(databaseUrl) === 'sqlite';
  const path = sqlitePath(databaseUrl);
  const database = await check('database', async (faults) => {
    await faults.of(DAMAGED, async () => {
      await restoreBackup(config, folder, now, { isVerified: true });
      if (isSqlite) await assertSound(path, signal);
    });
    return isSqlite ? 'restored; the integrity check found nothing' : 'restored';
  });
  checks.push(database);
  if (database.faults.length > 0) return checks;
  signal?.throwIfAborted();
  const rows = isSqlite ? await rowsOfSqlite(path, signal) : await rowsOfPostgres(databaseUrl);
  checks.push(checkRows(rows, manifest));
  let store: Store | undefined;
  checks.push(
    await check('migrations', async (faults) => {
      await faults.of(UNUSABLE, async () => (store = await openStore(config, schema)));
      const pending = schema.migrations.length - (rows['migrations'] ?? 0);
      return pending <= 0 ? 'none pending' : `${number(pending)} run for this version`;
    }),
  );
  if (!store) return checks;
  const opened = store;
  try {
    checks.push(
      await check('secrets', async (faults) => {
        await faults.of(UNUSABLE, () => openVault(config, opened.reader, opened.unitOfWork));
        return 'the key opens them';
      }),
      await checkContents(opened, manifest, options),
    );
    return checks;
  } finally {
    await opened.close();
  }
}

function checkRows(found: Readonly<Record<string, number>>, { rows }: Manifest): BackupCheck {
  const total = Object.values(found).reduce((sum, count) => sum + count, 0);
  const about = `${number(total)} in ${number(Object.keys(found).length)} tables`;
  const faults = new Faults();
  for (const table of new Set([...Object.keys(rows), ...Object.keys(found)])) {
    const [expected = 0, present = 0] = [rows[table], found[table]];
    if (expected !== present) faults.add(`the table ${table} has ${number(present)} rows instead of ${number(expected)}`);
  }
  return { name: 'rows', about: faults.count === 0 ? `${about}, as in the manifest` : about, faults: faults.listed() };
}

async function checkContents({ reader, schema }: Store, { files }: Manifest, options: VerifyOptions): Promise<BackupCheck> {
  // A content is in a file that is named for its SHA-256.
  const digests = new Map(Object.entries(files).map(([path, digest]) => [basename(path), digest]));
  const faults = new Faults();
  let [present, elsewhere] = [0, 0];
  for (const { table, column } of schema.fileHashes) {
    for await (const hash of distinctValues(reader, table, column)) {
      options.signal?.throwIfAborted();
      const digest = digests.get(hash);
      if (digest === hash) present += 1;
      else if (digest !== undefined) faults.add(`the file ${hash}, to which ${table} refers, was damaged before the backup was made`);
      else if ((await options.isStoredElsewhere?.(hash)) === true) elsewhere += 1;
      else faults.add(`the file ${hash}, to which ${table} refers, is missing`);
    }
  }
  const outside = elsewhere === 0 ? '' : `; ${number(elsewhere)} are in the storage of the server, which no backup contains`;
  return { name: 'contents', about: `${number(present)} files that rows refer to are there${outside}`, faults: faults.listed() };
}

async function check(name: BackupCheck['name'], work: (faults: Faults) => Promise<string>): Promise<BackupCheck> {
  const faults = new Faults();
  const about = await work(faults);
  return { name, about: faults.count === 0 ? about : 'failed', faults: faults.listed() };
}

/** Collects the faults of a check: the first ones as texts, the others as a number. */
class Faults {
  private readonly texts: string[] = [];
  count = 0;

  add(text: string): void {
    this.count += 1;
    if (this.texts.length < MAX_FAULTS) this.texts.push(text);
  }

  /** Runs `work`, and adds its error when it has one of the codes. */
  async of(codes: readonly string[], work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof AppError) || !codes.includes(error.code)) throw error;
      this.add(`${error.message} ${error.details}`);
    }
  }

  listed(): string[] {
    const more = this.count - this.texts.length;
    return more === 0 ? this.texts : [...this.texts, `and ${number(more)} more`];
  }
}

function number(value: number): string {
  return value.toLocaleString('en');
}
