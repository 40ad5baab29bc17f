// The built server on a fresh data directory and a free port, for third-party clients.
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

/** @param plugins folders to copy into the folder of plugins */
export async function startServer({ env = {}, plugins = [], characters = ['Ada', 'Bob'] } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-client-'));
  await mkdir(join(dataDir, 'characters'));
  for (const name of characters) {
    const character = {
      name,
      bio: [`${name} answers questions about tea.`],
      system: 'Answer shortly.',
      settings: { secrets: { KEY: 'x' } },
    };
    await writeFile(join(dataDir, 'characters', `${name}.json`), JSON.stringify(character));
  }
  await mkdir(join(dataDir, 'plugins'));
  for (const folder of plugins) await cp(folder, join(dataDir, 'plugins', folder.split('/').at(-1)), { recursive: true });
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'main.js')], {
    cwd: dataDir,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      CHARACTERS_DIR: join(dataDir, 'characters'),
      PLUGINS_DIR: join(dataDir, 'plugins'),
      SERVER_PORT: '0',
      MODEL_PROVIDER: 'offline',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let printed = '';
  const url = await new Promise((resolve, reject) => {
    const read = (text) => {
      printed += text;
      const [found] = /http:\/\/[\d.]+:\d+/.exec(printed) ?? [];
      if (found) resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', read);
    child.stderr.setEncoding('utf8').on('data', read);
    void ended.then(() => reject(new Error(`The server did not start:\n${printed}`)));
  });
  return {
    url,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
