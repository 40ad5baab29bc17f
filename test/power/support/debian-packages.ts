import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/parley-power');

/**
 * Unpacks a Debian package into a folder, without installing it. It is downloaded once.
 *
 * @returns the folder
 * @throws Error when apt-get cannot download it
 */
export async function debianPackage(name: string): Promise<string> {
  const folder = join(CACHE, name);
  if ((await readdir(folder).catch(() => [])).length > 0) return folder;
  await mkdir(CACHE, { recursive: true });
  const download = await mkdtemp(join(CACHE, 'download-'));
  try {
    await run('apt-get', ['download', name], { cwd: download });
    const [file] = await readdir(download);
    const content = join(download, 'content');
    await run('dpkg-deb', ['-x', join(download, file!), content]);
    await rename(content, folder);
  } catch (error) {
    throw new Error(`The Debian package ${name} could not be downloaded. Run apt-get update on a Debian system and try again.`, {
      cause: error,
    });
  } finally {
    await rm(download, { recursive: true, force: true });
  }
  return folder;
}

/** Unpacks the newest Linux kernel of Debian for virtual machines. */
export async function debianKernel(): Promise<{ readonly image: string; readonly modules: string; readonly version: string }> {
  const { stdout } = await run('apt-cache', ['depends', 'linux-image-cloud-amd64']);
  const name = /Depends: (linux-image-\S+)/.exec(stdout)?.[1];
  if (name === undefined) throw new Error('apt-cache knows no linux-image-cloud-amd64. Run apt-get update on a Debian system (amd64).');
  const version = name.replace('linux-image-', '');
  const folder = await debianPackage(name);
  return { version, image: join(folder, 'boot', `vmlinuz-${version}`), modules: join(folder, 'lib/modules', version, 'kernel') };
}
