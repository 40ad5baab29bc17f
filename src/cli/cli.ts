import { AppError } from '../core/errors/index.js';
import { similarName } from '../core/spelling/index.js';
import { meant, readArguments, UsageError } from './arguments.js';
import { COMMANDS } from './commands.js';
import { oneLine } from './one-line.js';
import type { Program, Terminal } from './program.js';

const HELP = `Usage: parley [command]

  start               run the server (default); configured by environment variables, see docs/reference/config.md
${Object.values(COMMANDS)
  .map(({ usage }) => usage)
  .join('')}
  --help, --version
`;

/**
 * Runs one command.
 *
 * @returns the exit code; undefined when the server was started and the process must continue
 */
export async function runCommand(args: readonly string[], program: Program, terminal: Terminal): Promise<number | undefined> {
  const [name = '', ...rest] = args;
  if (name === 'help' || args.includes('--help') || args.includes('-h')) {
    terminal.out(HELP);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) return attempt(command.usage, terminal, () => command.run(rest, program, terminal));
  let starts = false;
  const code = await attempt('', terminal, async () => {
    starts = isStart(args);
    return starts ? '' : `${program.version}\n`;
  });
  if (!starts) return code;
  await program.start();
  return undefined;
}

/** Whether the server is to be started; otherwise its version is asked for. @throws UsageError */
function isStart(args: readonly string[]): boolean {
  const [name = 'start', ...more] = args.filter((arg) => !arg.startsWith('-'));
  if (name !== 'start') {
    throw new UsageError(`There is no command "${name}".${meant(similarName(name, ['start', ...Object.keys(COMMANDS)]), 'parley ')}`);
  }
  const { version } = readArguments(args, { version: { type: 'boolean', short: 'v' } }).values;
  if (more.length > 0) throw new UsageError('"start" takes no arguments: settings are environment variables.');
  return version !== true;
}

/** Prints the result of a command, or its error. @returns the exit code */
async function attempt(usage: string, { out, err }: Terminal, work: () => Promise<string | number>): Promise<number> {
  try {
    const result = await work();
    if (typeof result === 'number') return result;
    out(result);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      err(`${error.message}\n\n${usage === '' ? '' : `Usage: parley\n${usage}\n`}"parley --help" lists all commands.\n`);
      return 2;
    }
    err(`${error instanceof AppError ? oneLine(error) : (error as Error).message}\n`);
    return 1;
  }
}
