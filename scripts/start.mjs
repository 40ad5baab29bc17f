// `npm start`: runs the built server, after a build if the sources are newer.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ensureBuild from './ensure-build.mjs';

const root = join(import.meta.dirname, '..');
const stopped = new AbortController();
const stop = (signal) => stopped.abort(signal);
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop);
if (existsSync(join(root, 'src'))) {
  try {
    await ensureBuild(() => process.stderr.write('Building Parley ...\n'), stopped.signal);
  } catch (error) {
    if (!stopped.signal.aborted) {
      process.stderr.write(`Parley could not be built. ${error.message}\n`);
      process.exit(1);
    }
  }
}
if (!stopped.signal.aborted) await import(pathToFileURL(join(root, 'dist', 'main.js')).href);
// The server has its own handlers now.
for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, stop);
if (stopped.signal.aborted) {
  const signal = stopped.signal.reason;
  process.kill(process.pid, signal);
  // The kernel ignores default signal actions for the first process of a container.
  if (process.pid === 1) process.exit(signal === 'SIGINT' ? 130 : 143);
}
