// Installs the packages of a clone when they are missing or others than the lockfile names. Called by `npm start` and `npm test`. Only
// Node.js itself is used: nothing is installed yet.
import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';

const OUTPUT_LINES = 20;

/**
 * Runs `npm ci` if it has to, and says so in one line. The package from a registry has no lockfile and is left as it is, and so is a
 * `node_modules` that is a link: its packages are another folder's.
 *
 * @param options.development whether packages for development are needed in an installation that was made without them
 * @param options.signal ends the installation, which then rejects
 */
export async function ensurePackages(root, { development = false, signal } = {}) {
  if (lack(root, development) === undefined) return;
  await oneAtATime(
    root,
    async () => {
      const reason = lack(root, development);
      if (reason === undefined) return;
      process.stderr.write(`Installing the packages (npm ci), since ${reason} ...\n`);
      await install(root, signal);
    },
    signal,
  );
}

/** @returns why the packages have to be installed */
function lack(root, development) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const folder = join(root, 'node_modules');
  if (wanted === undefined || !existsSync(join(root, 'src')) || lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  if (!existsSync(folder)) return 'node_modules is missing';
  // npm writes it last. An installation that was interrupted does not have it.
  const present = packagesOf(join(folder, '.package-lock.json'));
  if (present === undefined) return 'node_modules is incomplete';
  const all = development || Object.values(present).some(({ dev }) => dev);
  const differs = ([path, { version, integrity, dev, optional, devOptional, peer }]) => {
    const found = present[path];
    if (found === undefined) return !(optional || devOptional || peer || (dev && !all));
    return found.version !== version || (found.integrity !== undefined && integrity !== undefined && found.integrity !== integrity);
  };
  return Object.entries(wanted).some((entry) => entry[0] !== '' && differs(entry)) ? 'package-lock.json names others' : undefined;
}

/** @returns the packages of a lockfile by their folders; undefined when there is none that can be read */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

async function install(root, signal) {
  // Without packages for development there would be nothing that builds or tests, whatever NODE_ENV says.
  const [program, ...args] = [...npm(), 'ci', '--include=dev', '--loglevel=error'];
  const windows = process.platform === 'win32';
  // In a group of its own: npm does not tell the scripts of packages to stop. Windows starts npm.cmd by way of its shell only.
  const options = { detached: !windows, shell: windows && program === 'npm' };
  signal?.throwIfAborted();
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const stop = () => {
    if (windows) child.kill();
    else if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  signal?.addEventListener('abort', stop);
  const failure = await new Promise((resolve) => {
    child.once('error', ({ code, message }) => resolve(code === 'ENOENT' ? 'npm was not found. Install Node.js with npm.' : message));
    child.once('close', (code, killedBy) => resolve(code === 0 ? undefined : `npm ci ended with ${killedBy ?? `code ${code}`}.`));
  });
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  if (failure === undefined) return;
  const lines = output.trim().split('\n').slice(-OUTPUT_LINES);
  const remedy = 'Look at the lines above and at the connection to the registry of npm, then run npm ci or start again.';
  throw new Error(`The packages could not be installed: ${failure}\n${lines.join('\n')}\n${remedy}`);
}

/** The npm that runs this script, otherwise the one in the PATH. */
function npm() {
  const running = process.env.npm_execpath ?? '';
  return basename(running) === 'npm-cli.js' ? [process.execPath, running] : ['npm'];
}
