import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { readArguments } from './arguments.js';
import { dependencyOn, PACKAGE_NAME, projectFiles, type ParleyPackage } from './project-files.js';

/** Names that npm accepts for a package without a scope, and that begin with a letter or digit. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;
const RESERVED = new Set([PACKAGE_NAME, 'node_modules', 'favicon.ico']);
/** What a folder may contain and still be called empty. */
const IGNORED = new Set(['.git', '.DS_Store']);

/** How `parley init` is called. */
export const INIT_USAGE = `  init [FOLDER]       write a project with a character, a plugin and its test into an empty folder, by default this one;
                      --name NAME names it otherwise than its folder; --force adds what is missing to a folder with files;
                      --package PATH makes it depend on that archive of Parley
`;

/**
 * Writes a new project.
 *
 * @param args arguments of `parley init`
 * @param parley the package that the project depends on
 * @returns what was written and how to go on, for the terminal
 * @throws UsageError; Error with a readable message when the name is invalid or the folder has files
 */
export async function newProject(args: readonly string[], parley: ParleyPackage): Promise<string> {
  const options = { name: { type: 'string' }, force: { type: 'boolean' }, package: { type: 'string' } } as const;
  const { values, positionals } = readArguments(args, options);
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
  const source = values.package === undefined ? parley.source : archive(values.package);
  const dependency = dependencyOn({ ...parley, source });
  return summary(folder, await write(folder, projectFiles(name, dependency)), dependency);
}

function archive(path: string): string {
  if (!existsSync(path)) {
    throw new Error(`--package ${path}: no such file or folder. Run "npm pack" in a clone of Parley to make the archive.`);
  }
  return resolve(path);
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

function summary(folder: string, { written, kept }: { written: string[]; kept: string[] }, dependency: string): string {
  const enter = relative('.', folder);
  const argument = dependency.startsWith('file:') ? dependency : `${PACKAGE_NAME}@${dependency}`;
  const depend = kept.includes('package.json') ? [`  npm install --save-exact ${quoted(argument)}`] : ['  npm install'];
  return [
    ...written.map((path) => `wrote  ${path}`),
    ...kept.map((path) => `kept   ${path}`),
    '',
    'Next:',
    ...(enter === '' ? [] : [`  cd ${quoted(enter)}`]),
    ...depend,
    ...(kept.includes('package.json') ? ['  npx parley-server'] : ['  npm test', '  npm start']),
    '',
  ].join('\n');
}

/** @returns the text as one word of a shell */
function quoted(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : JSON.stringify(text);
}
