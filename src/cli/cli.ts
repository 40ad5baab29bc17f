import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBackup, restoreBackup } from '../core/backup/index.js';
import { SystemClock } from '../core/clock/index.js';
import type { Config } from '../core/config/index.js';
import { AppError, errorMessage } from '../core/errors/index.js';
import { restrictPermissions, restrictUmask } from '../core/file-permissions/index.js';
import { readKeyRequest, sendKeyRequest, type KeyRequest } from './keys.js';
import { testFile, writePlugin } from './new-plugin.js';
import { oneLine } from './one-line.js';

/** Output streams of the command line. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Access to the program, for commands that need it. */
export interface Program {
  readonly version: string;
  readonly config: () => Promise<Config>;
  /** Runs the server until it is stopped. */
  readonly start: () => Promise<void>;
}

const HELP = `Usage: parley [command]

  start               run the server (default); configured by environment variables, see docs/reference/config.md
  key create --name NAME --scope read|write|admin [--agent ID]... [--user ID|all]... [--expires DAYS]
                      create an API key and print it once; options restrict it to agents, name the users it vouches for, and
                      let it expire
  key list            list the API keys
  key revoke ID       revoke an API key; key commands call the server at SERVER_URL (or SERVER_HOST and SERVER_PORT) with API_KEY
  plugin new NAME     create a working plugin with a test in PLUGINS_DIR
  plugin check NAME   check whether a plugin (a path or a package) can be loaded; list its routes and warnings
  backup [FOLDER]     back up the database and the files of DATA_DIR while the server runs; by default to DATA_DIR/backups
  restore FOLDER      replace the current data with a backup; the current data is moved aside; "latest" is the newest in DATA_DIR/backups

  --help, --version
`;

/** Required arguments of commands. */
const REQUIRED_ARGUMENTS: Readonly<Record<string, string>> = {
  plugin: 'a command: new or check',
  'plugin new': 'the NAME of the plugin',
  'plugin check': 'the path or the package NAME of the plugin',
  restore: 'the FOLDER of a backup, or latest',
};

/**
 * Runs one command.
 *
 * @returns the exit code; undefined when the server was started and the process must continue
 */
export async function runCommand(args: readonly string[], program: Program, terminal: Terminal): Promise<number | undefined> {
  if (args[0] === 'key' && !args.includes('--help') && !args.includes('-h')) return key(args.slice(1), program, terminal);
  let parsed: { values: { help?: boolean; version?: boolean }; positionals: string[] };
  try {
    const options = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return refuse((error as Error).message, terminal);
  }
  const { values, positionals } = parsed;
  if (values.version) {
    terminal.out(`${program.version}\n`);
    return 0;
  }
  const [command = 'start', action, subject, ...more] = positionals;
  if (values.help || command === 'help') {
    terminal.out(HELP);
    return 0;
  }
  if (command === 'start' && action === undefined) {
    await program.start();
    return undefined;
  }
  if (command === 'plugin' && subject !== undefined && more.length === 0) {
    if (action === 'new') return newPlugin(subject, program, terminal);
    if (action === 'check') return check(subject, program, terminal);
  }
  if (command === 'backup' && subject === undefined) {
    return attempt(terminal, async () => `The backup is in ${await makeBackup(await restrictedConfig(program), now(), action)}.\n`);
  }
  if (command === 'restore' && action !== undefined && subject === undefined) {
    return attempt(terminal, async () => {
      const { folder, replaced } = await restoreBackup(await restrictedConfig(program), action, now());
      return `${folder} is restored; the previous data is in ${replaced}.\n`;
    });
  }
  const typed = positionals.join(' ');
  const missing = REQUIRED_ARGUMENTS[typed];
  return refuse(missing === undefined ? `There is no command "${typed}".` : `"${typed}" needs ${missing}.`, terminal);
}

async function key(args: readonly string[], program: Program, terminal: Terminal): Promise<number> {
  let request: KeyRequest;
  try {
    request = readKeyRequest(args, now().getTime());
  } catch (error) {
    return refuse((error as Error).message, terminal);
  }
  return attempt(terminal, async () => {
    const { out, note } = request.format(await sendKeyRequest(request, await program.config()));
    if (note !== undefined) terminal.err(note);
    return out;
  });
}

/** Loads the configuration and restricts the permissions of new and existing files to this user. */
async function restrictedConfig(program: Program): Promise<Config> {
  const config = await program.config();
  restrictUmask();
  await restrictPermissions(config);
  return config;
}

function newPlugin(name: string, program: Program, terminal: Terminal): Promise<number> {
  return attempt(terminal, async () => {
    const folder = await writePlugin((await program.config()).pluginsDir, name);
    return `The plugin is in ${folder}. Start the server to load it; node --test ${join(folder, testFile(name))} runs its test.\n`;
  });
}

function check(path: string, program: Program, terminal: Terminal): Promise<number> {
  return attempt(terminal, async () => {
    try {
      const { checkPlugin } = await import('../modules/plugins/index.js');
      const { plugin, routes, warnings } = await checkPlugin(path, await program.config());
      const lines = routes.map((route) => `  ${route.type.padEnd(6)} ${route.path}`);
      return [
        `${plugin.name}${plugin.version === undefined ? '' : ` ${plugin.version}`} can be loaded.`,
        ...lines,
        ...warnings.map((warning) => `  warning: ${warning}`),
        '',
      ].join('\n');
    } catch (error) {
      throw new Error(`${path} cannot be loaded: ${errorMessage(error)}`, { cause: error });
    }
  });
}

/** Prints the result of a command, or its error. */
async function attempt({ out, err }: Terminal, work: () => Promise<string>): Promise<number> {
  try {
    out(await work());
    return 0;
  } catch (error) {
    err(`${error instanceof AppError ? oneLine(error) : (error as Error).message}\n`);
    return 1;
  }
}

function now(): Date {
  return new Date(new SystemClock().now());
}

function refuse(message: string, { err }: Terminal): number {
  err(`${message}\n\n${HELP}`);
  return 2;
}
