import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { runCommand } from '../../../src/cli/cli.js';
import { loadConfig } from '../../../src/core/config/index.js';
// Modules define their own settings.
import '../../../src/app.module.js';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** What a command returned and printed. */
export interface Outcome {
  code: number | undefined;
  out: string;
  err: string;
  started: boolean;
}

/** The command line in this process, with a folder of its own for the tests of a file, which has the package. */
export function commandLine(): {
  readonly folder: string;
  parley(...args: string[]): Promise<Outcome>;
  parleyWith(env: Record<string, string>, ...args: string[]): Promise<Outcome>;
} {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-cli-'));
    await mkdir(join(folder, 'node_modules'));
    await symlink(ROOT, join(folder, 'node_modules/parley-server'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const parleyWith = async (env: Record<string, string>, ...args: string[]): Promise<Outcome> => {
    const seen = { out: '', err: '', started: false };
    const program = {
      version: '1.2.3',
      config: async () => loadConfig({ PLUGINS_DIR: join(folder, 'plugins'), DATA_DIR: join(folder, 'data'), ...env }, '1.2.3'),
      start: async () => {
        seen.started = true;
      },
    };
    const code = await runCommand(args, program, { out: (text) => (seen.out += text), err: (text) => (seen.err += text) });
    return { code, ...seen };
  };
  return {
    get folder() {
      return folder;
    },
    parley: (...args) => parleyWith({}, ...args),
    parleyWith,
  };
}
