import { SystemClock } from '../core/clock/index.js';
import type { Config } from '../core/config/index.js';
import { restrictPermissions, restrictUmask } from '../core/file-permissions/index.js';

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

/** A command of `parley` with its own file. */
export interface Command {
  /** Lines of the help, each ended by a line break. */
  readonly usage: string;
  /**
   * @param args arguments after the name of the command
   * @returns the text for standard output, or the exit code when everything is printed
   * @throws UsageError; other errors are printed as one line, and the program exits with 1
   */
  run(args: readonly string[], program: Program, terminal: Terminal): Promise<string | number>;
}

/** Loads the configuration and restricts the permissions of new and existing files to this user. */
export async function restrictedConfig(program: Program): Promise<Config> {
  const config = await program.config();
  restrictUmask();
  await restrictPermissions(config);
  return config;
}

/** The present time. */
export function now(): Date {
  return new Date(new SystemClock().now());
}
