import { resolve } from 'node:path';
import type { Config } from '../../core/config/index.js';
import { engineOf, withoutPassword } from '../../core/database/index.js';
import { moveDatabase, type Moved, type MoveStep } from './index.js';
import { readArguments, UsageError } from '../../cli/arguments.js';
import { now, restrictedConfig, type Command, type Terminal } from '../../cli/program.js';

const LINE_MS = 1000;
const MAX_LISTED = 1000;

export const moveCommand: Command = {
  usage: `  move postgres://…   copy the SQLite database of DATA_DIR to an empty PostgreSQL database, and compare every row; the server must be stopped.
                      Run it again after an interruption to continue. --from FOLDER copies a backup instead; --replace stores
                      something similar in place of what PostgreSQL cannot store
  move sqlite:FOLDER  copy the PostgreSQL database of DATABASE_URL, and the files of DATA_DIR, to a new data directory
  move --to-file      the same to DATA_DIR/parley.sqlite
`,
  async run(args, program, terminal) {
    const { target: given, from, replace } = readRequest(args);
    const config = await restrictedConfig(program);
    const target = given ?? `sqlite:${config.dataDir}`;
    // The modules define the tables.
    const { SCHEMA } = await import('../../app.module.js');
    const begun = now().getTime();
    let listed = 0;
    const moved = await moveDatabase(config, SCHEMA, {
      target,
      ...(from === undefined ? {} : { from }),
      replace,
      onStep: progressLines(terminal),
      onBegin: (state) => terminal.err(BEGUN[state]),
      onUnstorable: ({ table, key, column, reason }) => {
        listed += 1;
        if (listed <= MAX_LISTED) terminal.err(`${table} ${JSON.stringify(key)}, column ${column}: ${reason}\n`);
        else if (listed === MAX_LISTED + 1) terminal.err('… and more\n');
      },
    });
    const seconds = Math.max(1, Math.round((now().getTime() - begun) / 1000));
    return [summary(moved, seconds), ...nextSteps(config, target, moved, from)].map((line) => `${line}\n`).join('');
  },
};

const BEGUN = {
  new: '',
  resumed: 'The interrupted move is continued.\n',
  again: 'The source has changed since the interrupted move, so everything is copied again.\n',
};

interface MoveRequest {
  /** Undefined for the file of DATA_DIR. */
  readonly target: string | undefined;
  readonly from: string | undefined;
  readonly replace: boolean;
}

function readRequest(args: readonly string[]): MoveRequest {
  const options = { from: { type: 'string' }, replace: { type: 'boolean' }, 'to-file': { type: 'boolean' } } as const;
  const { values, positionals } = readArguments(args, options);
  const [target, ...more] = positionals;
  const { from, replace = false, 'to-file': toFile = false } = values;
  if (more.length > 0 || (target === undefined) !== toFile) throw new UsageError('"move" needs one target: postgres://… or sqlite:FOLDER.');
  if (target !== undefined && !/^(postgres(ql)?:\/\/|sqlite:.)/.test(target)) {
    throw new UsageError('The target of "move" must begin with postgres:// or sqlite:.');
  }
  return { target, from, replace };
}

/** Prints how far a move has come, at most once a second, and the end of each table. */
function progressLines({ err }: Terminal): (step: MoveStep) => void {
  const verbs = { check: 'checked', copy: 'copied', compare: 'compared', files: 'copied' };
  let last = 0;
  return ({ kind, table, done, total }) => {
    const at = now().getTime();
    const isEnd = done === total && kind !== 'compare';
    if (!isEnd && (kind === 'check' || at - last < LINE_MS)) return;
    last = at;
    const what = kind === 'check' ? 'tables' : kind === 'files' ? 'files' : `rows of ${table}`;
    err(`${verbs[kind]} ${count(done)} of ${count(total)} ${what}\n`);
  };
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}

function summary({ rows, tables, replaced, files }: Moved, seconds: number): string {
  const changed = replaced === 0 ? '' : ` ${count(replaced)} of the values were replaced, as listed above.`;
  const also = files === undefined ? '' : ` and ${count(files)} files`;
  return `${count(rows)} rows of ${tables} tables${also} were copied and compared in ${count(seconds)} s.${changed}`;
}

/** What the operator has to set, and where the files are. */
function nextSteps(config: Config, target: string, { dataDir, uploads }: Moved, from: string | undefined): string[] {
  const steps =
    engineOf(target) === 'postgres'
      ? [`Set DATABASE_URL=${withoutPassword(target)}${/:[^:@/]*@/.test(target) ? ' (with the password)' : ''} and start the server.`]
      : [`Set DATA_DIR=${dataDir}, unset DATABASE_URL, and start the server.`];
  steps.push(
    config.secretKey === undefined
      ? `Keep ${resolve(dataDir, 'secret.key')}. Servers that share the database need the text of this file as SECRET_KEY.`
      : 'Keep SECRET_KEY as it is.',
  );
  if (uploads.missing > 0) {
    steps.push(`Warning: ${count(uploads.missing)} of ${count(uploads.total)} uploaded files are not in MEDIA_DIR. Copy them there.`);
  } else if (uploads.total > 0 && engineOf(target) === 'postgres') {
    steps.push('Uploads stay in MEDIA_DIR. Servers that share the database need it on a shared disk, or an object store (MEDIA_STORAGE).');
  }
  const source = from ?? (engineOf(target) === 'postgres' ? 'the SQLite file' : 'the PostgreSQL database');
  return [...steps, `Nothing was changed in ${source}. Delete it when you no longer need the way back.`];
}
