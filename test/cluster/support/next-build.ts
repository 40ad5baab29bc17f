import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** What the program reads beside itself. */
const BESIDE = ['node_modules', 'docs', 'characters', 'plugins'];

/**
 * Makes the next version of the built program: a copy with another version and one more module (`notes-module.template`).
 *
 * @param folder where it is made
 * @returns the path of its program
 */
export async function nextBuild(folder: string): Promise<string> {
  const dist = join(folder, 'dist');
  await mkdir(folder, { recursive: true });
  await cp(join(ROOT, 'dist'), dist, { recursive: true, filter: (path) => !/\.map$|dist\/bundle/.test(path) });
  for (const name of BESIDE) await symlink(join(ROOT, name), join(folder, name));
  const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, version: '0.2.0' }));
  await mkdir(join(dist, 'modules', 'notes'));
  await cp(join(import.meta.dirname, 'notes-module.template'), join(dist, 'modules', 'notes', 'index.js'));
  const modules = await readFile(join(dist, 'app.module.js'), 'utf8');
  const last = 'import("./interfaces/console/index.js")';
  if (!modules.includes(last)) throw new Error('the list of modules has another form');
  await writeFile(join(dist, 'app.module.js'), modules.replace(last, `import("./modules/notes/index.js"), ${last}`));
  await writeFile(join(dist, 'main.js'), `import './bootstrap/program.js';\n`);
  return join(dist, 'main.js');
}
