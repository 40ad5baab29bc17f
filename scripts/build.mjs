// Compiles src to dist and client/src to client/dist, bundles the program and builds the console: `npm run build`; also called by `npm start` and jest when the build is out of date.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(import.meta.dirname, '..');
/** Written last, so that an interrupted or failed build does not have it. */
export const STAMP = join(root, 'dist', '.complete');

/** @param options.signal aborts the build, which then rejects */
export async function build({ stdio = 'pipe', signal } = {}) {
  await run([compiler(), 'build'], 'nest build', { stdio, signal });
  const typescript = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await run([typescript, '-p', join(root, 'tsconfig.sdk.json')], 'The build of the types of the plugin SDK', { stdio, signal });
  // Unchecked: its types follow from the OpenAPI document, which `npm run docs` makes from this build.
  await run([typescript, '-p', join(root, 'client', 'tsconfig.json'), '--noCheck'], 'The build of the client', { stdio, signal });
  // Loaded here, because a production installation, which has a build, does not have esbuild.
  const { bundle } = await import('./bundle.mjs');
  await bundle(root);
  signal?.throwIfAborted();
  await run([join(import.meta.dirname, 'console.mjs')], 'The build of the console', { stdio, signal });
  writeFileSync(STAMP, '');
}

async function run(args, name, { stdio, signal }) {
  const child = spawn(process.execPath, args, { cwd: root, stdio });
  const stop = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', stop);
  let output = '';
  child.stdout?.on('data', (text) => (output += text));
  child.stderr?.on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (status !== 0) throw new Error(`${name} failed:\n${output}`);
}

function compiler() {
  try {
    return createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  } catch (error) {
    const way = 'Run npm ci, or bring a dist folder that is newer than src and package-lock.json.';
    throw new Error(`The packages that build it are not installed. ${way}`, { cause: error });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build({ stdio: 'inherit' }).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
}
