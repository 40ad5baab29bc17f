import { parseArgs } from 'node:util';
import { checkPlugin } from '../modules/plugins/index.js';
import { writePlugin } from './new-plugin.js';

/** What the command line needs of the process. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** What the program is; asked for when a command needs it. */
export interface Program {
  readonly version: string;
  readonly pluginsDir: () => string;
  /** Runs the server until it is told to stop. */
  readonly start: () => Promise<void>;
}

const HELP = `Usage: parley [command]

  start               run the server (the default); it is configured by environment variables, see docs/reference/config.md
  plugin new NAME     write a working plugin with a test into PLUGINS_DIR
  plugin check PATH   say whether a plugin can be loaded, and list its routes

  --help, --version
`;

/**
 * Runs one command.
 *
 * @returns the exit code; undefined when the server runs and the process has to stay
 */
export async function runCommand(args: readonly string[], program: Program, terminal: Terminal): Promise<number | undefined> {
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
  return refuse(`There is no command "${positionals.join(' ')}".`, terminal);
}

async function newPlugin(name: string, { pluginsDir }: Program, { out, err }: Terminal): Promise<number> {
  try {
    const folder = await writePlugin(pluginsDir(), name);
    out(`The plugin is in ${folder}. Start the server to load it; node --test ${folder} runs its test.\n`);
    return 0;
  } catch (error) {
    err(`${(error as Error).message}\n`);
    return 1;
  }
}

async function check(path: string, { version }: Program, { out, err }: Terminal): Promise<number> {
  try {
    const { plugin, routes } = await checkPlugin(path, version);
    const lines = routes.map((route) => `  ${route.type.padEnd(6)} ${route.path}`);
    out([`${plugin.name}${plugin.version === undefined ? '' : ` ${plugin.version}`} can be loaded.`, ...lines, ''].join('\n'));
    return 0;
  } catch (error) {
    err(`${path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function refuse(message: string, { err }: Terminal): number {
  err(`${message}\n\n${HELP}`);
  return 2;
}
