// `npm start`: runs the built server, after an installation and a build if they are out of date.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ensureBuild from './ensure-build.mjs';
import { ensurePackages } from './ensure-packages.mjs';
import { interruptible } from './interruptible.mjs';

const root = join(import.meta.dirname, '..');

await interruptible(async (signal) => {
  if (existsSync(join(root, 'src'))) {
    await prepare(signal).catch((error) => {
      if (signal.aborted) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    });
  }
  signal.throwIfAborted();
  // The server has its own handlers of signals as soon as it is loaded.
  await import(pathToFileURL(join(root, 'dist', 'main.js')).href);
});

async function prepare(signal) {
  await ensurePackages(root, { signal });
  await ensureBuild(() => process.stderr.write('Building Parley ...\n'), signal).catch((error) => {
    throw new Error(`Parley could not be built. ${error.message}`, { cause: error });
  });
}
