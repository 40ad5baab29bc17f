import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { INIT_USAGE, newProject } from './new-project.js';
import { packageSource } from './package-source.js';
import type { Command } from './program.js';
import type { ParleyPackage } from './project-files.js';

export const initCommand: Command = {
  usage: INIT_USAGE,
  async run(args) {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const { name, version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as ParleyPackage;
    return newProject(args, { name, version, source: packageSource(root, name) });
  },
};
