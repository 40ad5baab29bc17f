import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AppError, errorMessage } from '../core/errors/index.js';
import { COMMANDS } from './commands.js';
import { testFile, writePlugin } from './new-plugin.js';
import { oneLine } from './one-line.js';
import { UsageError, type Program, type Terminal } from './program.js';

const HELP = `Usage: parley [command]

  start               run the server (default); configured by environment variables, see docs/reference/config.md
${Object.values(COMMANDS)
  .map(({ usage }) => usage)
  .join('')}  plugin new NAME     create a working plugin with a test in PLUGINS_DIR
  plugin check NAME   check whether a plugin (a path or a package) can be loaded; list its routes and warnings

  --help, --version
`;

/** Required arguments of commands. */
const REQUIRED_ARGUMENTS: Readonly<Record<string, string>> = {
  plugin: 'a command: new or check',
  'plugin new': 'the NAME of the plugin',
  'plugin check': 'the path or the package NAME of the plugin',
};

/**
 * Runs one command.
 *
 * @returns the exit code; undefined when the server was started and the process must continue
 */
export async function runCommand(args: readonly string[], program: Program, terminal: Terminal): Promise<number | undefined> {
  const own = COMMANDS[args[0] ?? ''];
  if (own && !args.includes('--help') && !args.includes('-h')) {
    return attempt(terminal, () => own.run(args.slice(1), program, terminal));
  }
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
  const typed = positionals.join(' ');
  const missing = REQUIRED_ARGUMENTS[typed];
  return refuse(missing === undefined ? `There is no command "${typed}".` : `"${typed}" needs ${missing}.`, terminal);
}

function newPlugin(name: string, program: Program, terminal: Terminal): Promise<number> {
  return attempt(terminal, async () => {
    const { pluginsDir, setVariables } = await program.config();
    // Without a folder of plugins here, the configuration names that of the package.
    const folder = await writePlugin(setVariables.has('PLUGINS_DIR') ? pluginsDir : resolve('plugins'), name);
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

/** Prints the result of a command, or its error. @returns the exit code */
async function attempt(terminal: Terminal, work: () => Promise<string | number>): Promise<number> {
  const { out, err } = terminal;
  try {
    const result = await work();
    if (typeof result === 'number') return result;
    out(result);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) return refuse(error.message, terminal);
    err(`${error instanceof AppError ? oneLine(error) : (error as Error).message}\n`);
    return 1;
  }
}

function refuse(message: string, { err }: Terminal): number {
  err(`${message}\n\n${HELP}`);
  return 2;
}
