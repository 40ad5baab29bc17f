// Programs that the check of a release starts.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const PATIENCE_MS = 60_000;

/**
 * Runs a program to its end.
 *
 * @param options.withErrors whether to return its standard error output, too
 * @returns its standard output
 * @throws Error with all its output when it fails
 */
export function run(program, args, { cwd, env, withErrors = false } = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return withErrors ? stdout + stderr : stdout;
}

/** Starts a server by any command, waits until it listens, and lets `work` use its address; then stops it as a service manager does. */
export async function withServer(command, { cwd, env }, work) {
  const [program, ...args] = command;
  // In a process group of its own, so that nothing is left when the check fails.
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, SERVER_PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const closed = once(child, 'close');
  try {
    const url = await Promise.race([listening(child, () => output), closed.then(() => undefined)]);
    if (url === undefined) throw new Error('it did not start');
    await work(url, output);
    child.kill('SIGTERM');
    let late = false;
    const tooLong = setTimeout(() => {
      late = true;
      stopGroup(child);
    }, PATIENCE_MS);
    // Its pipes are closed when no process of it is left.
    const [code, signal] = await closed;
    clearTimeout(tooLong);
    if (late) throw new Error(`it still ran ${PATIENCE_MS} ms after SIGTERM`);
    if (signal === 'SIGKILL' || ![0, 143].includes(code ?? 143)) throw new Error(`it ended with ${signal ?? code} after SIGTERM`);
    if (
      await fetch(`${url}/livez`).then(
        () => true,
        () => false,
      )
    ) {
      throw new Error('it still answers after SIGTERM');
    }
  } catch (error) {
    throw new Error(`${command.join(' ')}: ${error.message}\n${output}`, { cause: error });
  } finally {
    stopGroup(child);
  }
}

async function listening(child, output) {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const url = /^Parley \S+ listens on (http:\/\/\S+)$/m.exec(output())?.[1];
    if (url !== undefined) return url;
    await once(child.stdout, 'data', { signal });
  }
}

function stopGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
