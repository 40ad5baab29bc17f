import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dependencyOn, projectFiles, type ParleyPackage } from './project-files.js';

/** Names that npm accepts for a package without a scope, and that begin with a letter or digit. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;
const RESERVED = new Set(['parley', 'node_modules', 'favicon.ico']);
/** What a folder may contain and still be called empty. */
const IGNORED = new Set(['.git', '.DS_Store']);

/** How `parley init` is called. */
export const INIT_USAGE = `  init [FOLDER]       write a project with a character, a plugin and its test into an empty folder, by default this one;
                      --name NAME names it otherwise than its folder; --force adds what is missing to a folder with files
`;

/**
 * Writes a new project.
 *
 * @param args arguments of `parley init`
 * @param parley the package that the project depends on
 * @returns what was written and how to go on, for the terminal
 * @throws Error with a readable message: the code of `parseArgs` when the arguments are invalid; the name is invalid; the folder has files
 */
export async function newProject(args: readonly string[], parley: ParleyPackage): Promise<string> {
  const options = { name: { type: 'string' }, force: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [given = '.', unexpected] = positionals;
  if (unexpected !== undefined) throw new Error(`One folder is enough: "${unexpected}" is not expected.`);
  const folder = resolve(given);
  const name = values.name ?? (resolve('.') === folder ? nameFrom(basename(folder)) : basename(folder));
  if (!NAME.test(name) || RESERVED.has(name)) {
    const rule = 'use lower-case letters, digits, ".", "_" and "-", and begin with a letter or digit';
    const reason = RESERVED.has(name) ? 'it is reserved' : rule;
    throw new Error(`"${name}" is not a valid project name: ${reason}. Choose another folder, or pass --name ${nameFrom(name)}.`);
  }
  if (values.force !== true) await assertEmpty(folder);
  return summary(folder, await write(folder, projectFiles(name, parley)), parley);
}

/** A valid name that resembles a text. */
function nameFrom(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  return NAME.test(name) && !RESERVED.has(name) ? name : 'my-agents';
}

async function assertEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    const reason = error.code === 'ENOTDIR' ? 'it is a file' : error.message;
    throw new Error(`The project cannot be written to ${folder}: ${reason}.`, { cause: error });
  });
  const found = names.filter((name) => !IGNORED.has(name)).sort();
  if (found.length === 0) return;
  const some = found.slice(0, 3).join(', ') + (found.length > 3 ? ` and ${found.length - 3} more` : '');
  throw new Error(`${folder} is not empty (${some}). Choose another folder, or pass --force to add only the files that are missing.`);
}

/** Never replaces a file. @returns the paths that were written, and those that existed */
async function write(folder: string, files: Readonly<Record<string, string>>): Promise<{ written: string[]; kept: string[] }> {
  const written: string[] = [];
  const kept: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { flag: 'wx' });
      written.push(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new Error(`${file} cannot be written: ${String(error)}`, { cause: error });
      }
      kept.push(path);
    }
  }
  return { written, kept };
}

function summary(folder: string, { written, kept }: { written: string[]; kept: string[] }, parley: ParleyPackage): string {
  const enter = relative('.', folder);
  const depend = kept.includes('package.json') ? [`  npm install --save-exact ${dependencyArgument(parley)}`] : ['  npm install'];
  return [
    ...written.map((path) => `wrote  ${path}`),
    ...kept.map((path) => `kept   ${path}`),
    '',
    'Next:',
    ...(enter === '' ? [] : [`  cd ${/^[\w./-]+$/.test(enter) ? enter : JSON.stringify(enter)}`]),
    ...depend,
    ...(kept.includes('package.json') ? ['  npx parley'] : ['  npm test', '  npm start']),
    '',
  ].join('\n');
}

function dependencyArgument(parley: ParleyPackage): string {
  return `parley@${dependencyOn(parley)}`;
}
