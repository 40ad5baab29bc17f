// Runs jest, after an installation if it is out of date: `node scripts/jest.mjs [jest arguments]`.
import { spawn } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ensurePackages } from './ensure-packages.mjs';
import { interruptible } from './interruptible.mjs';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

// Workers get them too. Applications make much garbage as they start, and a large young generation collects it at once.
const NODE_OPTIONS = ['--no-warnings', '--max-semi-space-size=64'];

try {
  await interruptible((signal) => ensurePackages(join(import.meta.dirname, '..'), { development: true, signal }));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const given = process.argv.slice(2);
const workers = given.some((argument) => /^(-w|-i|--maxWorkers|--runInBand)\b/.test(argument)) ? [] : ['--maxWorkers=3'];

// The tests flush hundreds of databases to disk, so they use a file system in memory where there is one.
const env = { ...(roomInMemory() ? { TMPDIR: MEMORY } : {}), ...process.env };

const child = spawn(process.execPath, [...NODE_OPTIONS, jest, ...workers, ...given], {
  stdio: 'inherit',
  env,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (signal !== null) process.stderr.write(`jest was terminated by ${signal}\n`);
  process.exitCode = code ?? 1;
});

function roomInMemory() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES;
}
