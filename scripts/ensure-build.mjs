// Builds the server when dist is missing, incomplete, or older than its inputs. Called by `npm start`, and by jest before tests that start
// the built program.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build, STAMP } from './build.mjs';
import { oneAtATime } from './one-at-a-time.mjs';

const root = join(import.meta.dirname, '..');
const INPUTS = [
  ...[
    'src',
    'client/src',
    'client/tsconfig.json',
    'console',
    'scripts/build.mjs',
    'scripts/bundle.mjs',
    'scripts/console.mjs',
    'package.json',
    'package-lock.json',
  ],
  ...['tsconfig.json', 'tsconfig.build.json', 'tsconfig.sdk.json', 'nest-cli.json', '.swcrc'],
].map((path) => join(root, path));

/**
 * @param announce called before a build; jest passes its configuration instead
 * @param signal aborts the build, which then rejects
 */
export default async function ensureBuild(announce, signal) {
  if (isCurrent()) return;
  const stop = signal instanceof AbortSignal ? signal : undefined;
  const work = async () => {
    if (isCurrent()) return;
    if (typeof announce === 'function') announce();
    await build({ signal: stop });
  };
  await oneAtATime(root, work, stop);
}

function isCurrent() {
  return existsSync(STAMP) && statSync(STAMP).mtimeMs >= Math.max(...INPUTS.map(newest));
}

function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  return stats.isDirectory() ? Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name)))) : stats.mtimeMs;
}
