// Compiles src to dist and bundles the program: `npm run build`; also called by `npm start` and jest when the build is out of date.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = join(import.meta.dirname, '..');
/** Written last, so that an interrupted or failed build does not have it. */
export const STAMP = join(root, 'dist', '.complete');

/** @param options.signal aborts the build, which then rejects */
export async function build({ stdio = 'pipe', signal } = {}) {
  const nest = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  const child = spawn(process.execPath, [nest, 'build'], { cwd: root, stdio });
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop);
  let output = '';
  child.stdout?.on('data', (text) => (output += text));
  child.stderr?.on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (status !== 0) throw new Error(`nest build failed:\n${output}`);
  await bundle(root);
  signal?.throwIfAborted();
  writeFileSync(STAMP, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build({ stdio: 'inherit' }).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
}
