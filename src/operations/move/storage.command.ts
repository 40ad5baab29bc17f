import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { SystemClock } from '../../core/clock/index.js';
import { parseS3Location, type Config } from '../../core/config/index.js';
import { engineOf, sqlitePath, withReader } from '../../core/database/index.js';
import type { CopyProgress, FileStorage } from '../../providers/storage/index.js';
import { readArguments, readSubcommand, UsageError } from '../../cli/arguments.js';
import { now, restrictedConfig, type Command, type Terminal } from '../../cli/program.js';

const PROGRESS_MS = 2000;
const LISTED = 20;
const MEGABYTE = 1_000_000;

export const storageCommand: Command = {
  usage: `  storage move --to PLACE [--from PLACE] [--delete]
                      copy all uploaded files to an S3-compatible store (s3://BUCKET/FOLDER) or a folder, by default from where they
                      are now; repeat it to continue; --delete removes each file from its old place after its copy was verified
`,
  async run(args, program, terminal) {
    const request = readRequest(args);
    const config = await restrictedConfig(program);
    const move = placesOf(request, config);
    // Imported here, so that other commands start fast.
    const { openFileStorage } = await import('../../providers/storage/index.js');
    const clock = new SystemClock();
    const source = await openFileStorage(move.from.config, clock);
    try {
      const target = await openFileStorage(move.to.config, clock);
      try {
        return await run(source, target, move, config, terminal);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  },
};

interface MoveRequest {
  readonly to: string;
  readonly from?: string;
  readonly deletes: boolean;
}

/** A place of uploaded files. */
interface Place {
  /** `s3://bucket/folder/` or the absolute path of a folder. */
  readonly address: string;
  /** The configuration of a server that has its files there. */
  readonly config: Config;
}

interface Move {
  readonly from: Place;
  readonly to: Place;
  readonly deletes: boolean;
}

/** @throws UsageError */
function readRequest(args: readonly string[]): MoveRequest {
  const text = { type: 'string' } as const;
  const { values, positionals } = readArguments(args, { to: text, from: text, delete: { type: 'boolean' } });
  const [action, ...more] = positionals;
  readSubcommand('storage', action, ['move']);
  if (more.length > 0) throw new UsageError('"storage move" takes options only.');
  const { to, from, delete: deletes = false } = values;
  if (to === undefined || to === '' || from === '') throw new UsageError('"storage move" needs --to with an s3:// address or a folder.');
  return { to, from, deletes };
}

/** @throws UsageError for an address that is none; Error for places that cannot be moved between */
function placesOf({ to, from, deletes }: MoveRequest, config: Config): Move {
  const current = currentPlace(config);
  const move = { from: from === undefined ? current : placeOf(from, '--from', config), to: placeOf(to, '--to', config), deletes };
  if (move.from.address === move.to.address) {
    throw new Error(`The files are in ${move.to.address} already. Choose another --to or --from.`);
  }
  // The server makes its own folder with the first upload.
  if (move.from.address !== current.address && move.from.config.mediaStorage === undefined && !existsSync(move.from.address)) {
    throw new Error(`The folder ${move.from.address} does not exist.`);
  }
  if (deletes && move.from.address === current.address) {
    throw new Error(
      `${current.address} is where the server has its files. Move without --delete, set ${variableFor(move.to)}, restart the server, and then move with --from and --delete.`,
    );
  }
  return move;
}

function currentPlace(config: Config): Place {
  const { mediaStorage, mediaDir } = config;
  return { address: mediaStorage ? `s3://${mediaStorage.bucket}/${mediaStorage.prefix}` : mediaDir, config };
}

function placeOf(text: string, option: string, config: Config): Place {
  if (!/^s3:/i.test(text)) return currentPlace({ ...config, mediaStorage: undefined, mediaDir: resolve(text) });
  try {
    return currentPlace({ ...config, mediaStorage: parseS3Location(text) });
  } catch (error) {
    throw new UsageError(`${option} ${(error as Error).message}.`, { cause: error });
  }
}

async function run(source: FileStorage, target: FileStorage, move: Move, config: Config, terminal: Terminal): Promise<number> {
  let printedAt = now().getTime();
  const onProgress = (progress: Readonly<CopyProgress>): void => {
    if (now().getTime() - printedAt < PROGRESS_MS) return;
    printedAt = now().getTime();
    terminal.err(`${summary(progress)} so far\n`);
  };
  const { copyContents } = await import('../../providers/storage/index.js');
  const progress = await copyContents(source, target, { deleteSource: move.deletes, onProgress });
  terminal.out(`${summary(progress)}.\n`);
  for (const { hash, reason } of progress.failures.slice(0, LISTED)) terminal.err(`not copied: ${hash}: ${reason}\n`);
  const failed = new Set(progress.failures.map(({ hash }) => hash));
  const { late, lost } = await missingContents(source, target, failed, config, terminal);
  if (late > 0) terminal.err(`${late} files arrived in ${move.from.address} meanwhile. Run the command again to copy them.\n`);
  if (lost.length > 0) {
    terminal.err(`${lost.length} files that the database refers to are in neither place, and were missing before the move:\n`);
    for (const hash of lost.slice(0, LISTED)) terminal.err(`missing: ${hash}\n`);
    if (lost.length > LISTED) terminal.err(`and ${lost.length - LISTED} more\n`);
  }
  if (progress.failed > 0) {
    terminal.err(`${progress.failed} files were not copied. Run the command again to copy the rest.\n`);
    return 1;
  }
  terminal.out(nextSteps(move, currentPlace(config)));
  return 0;
}

function summary({ found, copied, bytes, present, deleted, failed }: Readonly<CopyProgress>): string {
  const parts = [
    `${found} files`,
    `${copied} copied (${(bytes / MEGABYTE).toFixed(1)} MB)`,
    `${present} were there`,
    ...(deleted > 0 ? [`${deleted} deleted from the old place`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
  ];
  return parts.join(', ');
}

/** The contents that rows refer to and that the target lacks, without those that failed: how many the source has, and those that neither has. */
async function missingContents(
  source: FileStorage,
  target: FileStorage,
  failed: ReadonlySet<string>,
  config: Config,
  terminal: Terminal,
): Promise<{ readonly late: number; readonly lost: readonly string[] }> {
  if (engineOf(config.databaseUrl) === 'sqlite' && !existsSync(sqlitePath(config.databaseUrl))) {
    terminal.err('There is no database, so it was not checked whether files are missing.\n');
    return { late: 0, lost: [] };
  }
  const stored = new Set<string>();
  for await (const hash of target.hashes()) stored.add(hash);
  const [{ mediaHashes }, { documentHashes }] = await Promise.all([
    import('../../modules/media/index.js'),
    import('../../modules/knowledge/index.js'),
  ]);
  const missing = new Set<string>();
  await withReader(config, async (reader) => {
    for (const hashes of [mediaHashes(reader), documentHashes(reader)]) {
      for await (const hash of hashes) if (!stored.has(hash) && !failed.has(hash)) missing.add(hash);
    }
  });
  const lost: string[] = [];
  for (const hash of missing) if ((await source.stat(hash)) === undefined) lost.push(hash);
  return { late: missing.size - lost.length, lost };
}

function nextSteps(move: Move, current: Place): string {
  if (move.to.address === current.address) return `With the present settings, the server uses ${move.to.address}.\n`;
  const again = `npx parley-server storage move --from ${move.from.address} --to ${move.to.address} --delete`;
  return `Set ${variableFor(move.to)} for every server and restart them. Then copy what arrived meanwhile, and delete the old files:\n  ${again}\n`;
}

function variableFor({ address, config }: Place): string {
  return config.mediaStorage ? `MEDIA_STORAGE=${address}` : `MEDIA_DIR=${address} and unset MEDIA_STORAGE`;
}
