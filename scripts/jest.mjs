// Runs jest with the one Node flag that ES modules need: `node scripts/jest.mjs [jest arguments]`.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const given = process.argv.slice(2);
const workers = given.some((argument) => /^(-w|-i|--maxWorkers|--runInBand)\b/.test(argument)) ? [] : ['--maxWorkers=2'];

const child = spawn(process.execPath, ['--experimental-vm-modules', '--no-warnings', jest, ...workers, ...given], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (signal !== null) process.stderr.write(`jest was ended by ${signal}\n`);
  process.exitCode = code ?? 1;
});
