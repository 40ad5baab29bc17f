// Runs a built image as a container runs it with `--read-only --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp -v data:/data`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './image.mjs';
import { freePort } from './proxies.mjs';

const PATIENCE_MS = 60_000;
const KEY = 'a-key-of-the-trial';

/**
 * @param image what `buildImage` returned
 * @param work  folder for the data
 * @throws Error that says what the image does not do
 */
export async function tryImage({ root, environment, cwd, metadata }, work) {
  const data = join(work, 'data');
  mkdirSync(data);
  // As Docker does with a new volume: it takes the owner of the image's folder.
  const { uid, gid } = statSync(join(root, 'data'));
  run('chown', [`${uid}:${gid}`, data]);
  const port = await freePort();
  const env = { ...environment, SERVER_PORT: String(port) };
  const command = JSON.parse(metadata.CMD);
  const health = JSON.parse(/CMD (\[.*\])$/.exec(metadata.HEALTHCHECK)[1]);
  const container = { root, data, cwd, user: metadata.USER };

  const without = spawnSync(...contained(container, command), { env, encoding: 'utf8' });
  expect(without.status === 1 && /API_KEY must be set/.test(without.stderr), `without API_KEY it ends with the reason: ${without.stderr}`);

  const server = spawn(...contained(container, command), { env: { ...env, API_KEY: KEY }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (output += text));
  const ended = once(server, 'exit');
  try {
    await listening(server, () => output);
    const probe = (variables) => spawnSync(...contained(container, health), { env: { ...env, ...variables } }).status;
    expect(probe({}) === 0, 'the health check passes');
    expect(probe({ SERVER_PORT: '1' }) === 1, 'the health check fails where no server answers');
    const url = `http://127.0.0.1:${port}`;
    const ask = async (path, body) => {
      const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
      const response = await fetch(url + path, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
      return response.json();
    };
    const [agent] = (await ask('/api/agents')).data.agents;
    const { sessionId } = await ask('/api/messaging/sessions', { agentId: agent.id, userId: crypto.randomUUID() });
    const { agentResponse } = await ask(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hello', transport: 'http' });
    expect(agentResponse.text.length > 0, `${agent.name} answers: ${agentResponse.text}`);
    expect((await fetch(url, { headers: { accept: 'text/html' } })).status === 200, 'the console is served');
    const status = fieldsOf(`/proc/${nodeBelow(server.pid)}/status`);
    expect(status.Uid.startsWith(`${uid}\t`) && status.CapEff === '0000000000000000', `it runs as ${uid} without capabilities`);
    const write = spawnSync(...contained(container, ['sh', '-c', 'touch /app/x']), { env, encoding: 'utf8' });
    expect(/Read-only file system/.test(write.stderr), 'the root file system is read-only');
    expect(spawnSync(...contained(container, ['parley', '--version']), { env }).status === 0, '`parley` is a command in the container');
    const memory = Number.parseInt(status.VmRSS, 10) / 1000;
    process.stdout.write(`memory: ${memory.toFixed(0)} MB resident\n`);
  } finally {
    // The process below unshare is the first of its container: it gets the signal, as from `docker stop`.
    const begin = performance.now();
    process.kill(nodeBelow(server.pid), 'SIGTERM');
    const [code] = await ended;
    process.stdout.write(`SIGTERM: ended with ${code} after ${Math.round(performance.now() - begin)} ms\n`);
    if (code !== 0) process.exitCode = 1;
  }
  expect(readdirSync(data).includes('parley.sqlite'), 'the database is in the volume');
}

/** The command and arguments by which a program runs in the container, first of its processes. */
function contained({ root, data, cwd, user }, command) {
  const [uid, gid] = user.split(':');
  const script = [
    'set -e',
    `mount --bind ${root} ${root}`,
    `mount -o remount,bind,ro ${root}`,
    `mount --bind ${data} ${root}/data`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    `exec chroot ${root} setpriv --reuid ${uid} --regid ${gid} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all ` +
      `sh -c 'cd ${cwd} && exec "$@"' sh "$@"`,
  ];
  return ['unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script.join('\n'), 'sh', ...command]];
}

async function listening(server, output) {
  const until = performance.now() + PATIENCE_MS;
  while (!/listens on/.test(output())) {
    if (server.exitCode !== null || performance.now() > until) throw new Error(`the server did not start:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.stdout.write(output());
}

function expect(holds, what) {
  if (!holds) throw new Error(`not so: ${what}`);
  process.stdout.write(`ok: ${what}\n`);
}

function nodeBelow(pid) {
  return Number(spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout.trim());
}

function fieldsOf(path) {
  const { stdout } = spawnSync('cat', [path], { encoding: 'utf8' });
  return Object.fromEntries(stdout.split('\n').map((line) => line.split(/:\t\s*/)));
}
