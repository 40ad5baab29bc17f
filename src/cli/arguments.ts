import { parseArgs, type ParseArgsConfig } from 'node:util';
import { similarName } from '../core/spelling/index.js';

/** The arguments of a command are invalid. The program prints the message and the usage of the command, and exits with 2. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;
interface Parsing<T extends Options> {
  readonly args: string[];
  readonly options: T;
  readonly allowPositionals: true;
}

/** Parses the arguments of a command. @throws UsageError that names the argument at fault, and the option that was probably meant */
export function readArguments<const T extends Options>(args: readonly string[], options: T): ReturnType<typeof parseArgs<Parsing<T>>> {
  try {
    return parseArgs<Parsing<T>>({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(reasonOf(error as NodeJS.ErrnoException, Object.keys(options)), { cause: error });
  }
}

/** Finds the subcommand. @throws UsageError that lists the subcommands when it is missing, or names the one that was probably meant */
export function readSubcommand<T extends string>(command: string, given: string | undefined, known: readonly T[]): T {
  const found = known.find((name) => name === given);
  if (found !== undefined) return found;
  if (given === undefined) {
    throw new UsageError(`"${command}" needs a command: ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(known)}.`);
  }
  throw new UsageError(`There is no command "${command} ${given}".${meant(similarName(given, known), `parley ${command} `)}`);
}

/** Sentence that suggests a name; empty without one. */
export function meant(name: string | undefined, before: string): string {
  return name === undefined ? '' : ` Did you mean ${before}${name}?`;
}

/** The messages of Node.js suggest ways that Parley's commands do not have. */
function reasonOf({ code, message }: NodeJS.ErrnoException, known: readonly string[]): string {
  const option = /'(?:-\w, )?(-[^'\s]*)/.exec(message)?.[1];
  if (option === undefined) return message;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    return `There is no option ${option}.${meant(similarName(option, [...known, 'help']), '--')}`;
  }
  return message.includes('does not take an argument') ? `${option} takes no value.` : `${option} needs a value.`;
}
