import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The release before this one. Each release moves it, together with `FORMER_NEWEST` of `src/migrations`. */
const FORMER_COMMIT = '8088fffe88a636657c9c610213028007427c1fac';

/** What the release before this one sends is not checked: it fits no strict template. */
export const FORMER_TEMPLATE = 'none';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', `parley-${FORMER_COMMIT.slice(0, 12)}`);
const run = promisify(execFile);

/** Builds the release before this one, unless that has been done. @returns the path of its program */
export async function formerVersion(): Promise<string> {
  if (!existsSync(join(CACHE, 'dist', '.complete'))) await build();
  return join(CACHE, 'dist', 'main.js');
}

async function build(): Promise<void> {
  const git = ['-c', 'safe.directory=*', '-C', ROOT];
  await run('git', [...git, 'cat-file', '-e', `${FORMER_COMMIT}^{commit}`]).catch((error: unknown) => {
    const remedy = 'fetch the whole history (git fetch --unshallow)';
    throw new Error(`the release before this one, commit ${FORMER_COMMIT}, is not in this clone: ${remedy}`, { cause: error });
  });
  // Moved into place when it is complete: another run may do the same.
  const folder = `${CACHE}-${process.pid}`;
  await mkdir(folder, { recursive: true });
  try {
    await run('git', [...git, 'archive', '--format=tar', `--output=${join(folder, 'source.tar')}`, FORMER_COMMIT]);
    await run('tar', ['-xf', 'source.tar'], { cwd: folder });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    // What only it depends on is a development dependency of this one: @ai-sdk/anthropic.
    // Its types were checked when it was released.
    const nest = join(folder, 'nest-cli.json');
    await writeFile(nest, (await readFile(nest, 'utf8')).replace('"typeCheck": true', '"typeCheck": false'));
    await run(process.execPath, [join('scripts', 'build.mjs')], { cwd: folder });
    await rm(CACHE, { recursive: true, force: true });
    await rename(folder, CACHE);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
