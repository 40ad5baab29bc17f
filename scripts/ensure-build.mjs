// Builds the server when dist is missing or older than what it is built from. `npm start` calls it, and jest before the tests
// that start the built program.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const INPUTS = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', '.swcrc'].map((path) => join(root, path));

export default function ensureBuild(announce) {
  const built = join(root, 'dist', 'main.js');
  if (existsSync(built) && statSync(built).mtimeMs >= Math.max(...INPUTS.map(newest))) return;
  if (typeof announce === 'function') announce();
  const nest = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`nest build failed:\n${stdout}${stderr}`);
}

function newest(path) {
  const stats = statSync(path);
  return stats.isDirectory() ? Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name)))) : stats.mtimeMs;
}
