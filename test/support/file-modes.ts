import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

async function modesBelow(path: string): Promise<[path: string, mode: string][]> {
  const below = (await lstat(path)).isDirectory() ? await readdir(path, { recursive: true }) : [];
  return Promise.all(
    ['', ...below].map(async (name) => [join(path, name), ((await lstat(join(path, name))).mode & 0o7777).toString(8)] as [string, string]),
  );
}

/** Lets others read these paths and what is below, as an installation before, or a copy, has left it. */
export async function openUp(...paths: string[]): Promise<void> {
  for (const path of paths) {
    for (const [name] of await modesBelow(path)) await chmod(name, (await lstat(name)).isDirectory() ? 0o755 : 0o644);
  }
}

/** Those at these paths and below that other users may use, each with its mode: `644 /path`. */
export async function openBelow(...paths: string[]): Promise<string[]> {
  const modes = (await Promise.all(paths.map(modesBelow))).flat();
  return modes.filter(([, mode]) => !/00$/.test(mode)).map(([path, mode]) => `${mode} ${path}`);
}
