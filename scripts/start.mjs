// Runs the built server, and builds it first when the sources are newer than the build.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const main = join(root, 'dist', 'main.js');

function newest(path) {
  const stats = statSync(path);
  return stats.isDirectory() ? Math.max(...readdirSync(path).map((name) => newest(join(path, name)))) : stats.mtimeMs;
}

function buildIsOld() {
  if (!existsSync(main)) return true;
  return existsSync(join(root, 'src')) && newest(join(root, 'src')) > statSync(main).mtimeMs;
}

if (buildIsOld()) {
  const cli = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  process.stderr.write('Building Parley ...\n');
  const { status } = spawnSync(process.execPath, [cli, 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    process.stderr.write('Parley could not be built; run "npm run build" to see why.\n');
    process.exit(1);
  }
}

await import(main);
