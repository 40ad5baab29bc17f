// Runs jest with the one Node flag that ES modules need: `node scripts/jest.mjs [jest arguments]`.
import { spawn } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const given = process.argv.slice(2);
const workers = given.some((argument) => /^(-w|-i|--maxWorkers|--runInBand)\b/.test(argument)) ? [] : ['--maxWorkers=2'];

// Hundreds of databases, each with its commits written through: where there is a file system in memory the tests do not wait for the disk.
const env = { ...(roomInMemory() ? { TMPDIR: MEMORY } : {}), ...process.env };

const child = spawn(process.execPath, ['--experimental-vm-modules', '--no-warnings', jest, ...workers, ...given], {
  stdio: 'inherit',
  env,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (signal !== null) process.stderr.write(`jest was ended by ${signal}\n`);
  process.exitCode = code ?? 1;
});

function roomInMemory() {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES;
}
