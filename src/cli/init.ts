import { readFileSync } from 'node:fs';
import { INIT_USAGE, newProject } from './new-project.js';
import { UsageError, type Command } from './program.js';
import type { ParleyPackage } from './project-files.js';

export const initCommand: Command = {
  usage: INIT_USAGE,
  async run(args) {
    const parley = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as ParleyPackage;
    try {
      return await newProject(args, parley);
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      throw code.startsWith('ERR_PARSE_ARGS') ? new UsageError(message, { cause: error }) : error;
    }
  },
};
