// What a machine does to the built server: no descriptors left, a folder that can't be written, two starts in the same moment.
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { killAll, ServerProcess, type ServerEnv } from './support/server-process.js';

const AGENT_ID = idFromText('Vera');
const USER_ID = '11111111-1111-1111-1111-111111111111';

let directory: string;
let env: ServerEnv;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-faults-'));
  await mkdir(join(directory, 'characters'));
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
  env = { DATA_DIR: join(directory, 'data'), CHARACTERS_DIR: join(directory, 'characters'), PLUGINS_DIR: join(directory, 'plugins') };
});
afterEach(async () => {
  await killAll();
  await chmod(env.DATA_DIR, 0o755).catch(() => undefined);
  await rm(directory, { recursive: true, force: true });
});

it('without file descriptors the server refuses new connections, serves existing ones, and recovers', async () => {
  const server = await ServerProcess.start(env, ['sh', '-c', 'ulimit -n 400; exec "$@"', 'sh']);
  const port = Number(new URL(server.url).port);
  const held = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (
    method: string,
    path: string,
    type = '',
    body = '',
    agent: Agent | undefined = held,
  ): Promise<{ status: number; body: string }> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-length': Buffer.byteLength(body), ...(type === '' ? {} : { 'content-type': type }) };
      const sent = request({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      });
      sent.once('error', reject).end(body);
    });
  const createSession = (): ReturnType<typeof send> =>
    send('POST', '/api/messaging/sessions', 'application/json', JSON.stringify({ agentId: AGENT_ID, userId: USER_ID }));
  const upload = (): ReturnType<typeof send> => {
    const form =
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nwords\r\n--x--\r\n';
    return send('POST', `/api/media/agents/${AGENT_ID}/upload-media`, 'multipart/form-data; boundary=x', form);
  };
  expect((await createSession()).status).toBe(201);

  const load: Socket[] = [];
  const turnedAway = new Promise<void>((resolve) => {
    for (let count = 0; count < 450; count += 1) {
      load.push(
        connect(port, '127.0.0.1')
          .on('error', () => undefined)
          .once('close', () => resolve()),
      );
    }
  });
  await turnedAway;
  expect((await createSession()).status).toBe(201);
  expect((await send('GET', '/api/messaging/sessions')).status).toBe(200);
  const refused = await upload();
  expect([refused.status, JSON.parse(refused.body).error.code]).toEqual([503, 'STORAGE_UNAVAILABLE']);

  for (const socket of load) socket.destroy();
  const newcomer = async (): Promise<number> => (await send('GET', '/healthz', '', '', new Agent()).catch(() => ({ status: 0 }))).status;
  while ((await newcomer()) !== 200);
  expect((await upload()).status).toBe(200);
  held.destroy();
  expect(await server.stop()).toEqual({ code: 0, signal: null });
});

it.each([
  ['after a stop', (server: ServerProcess) => server.stop(), { code: 0, signal: null }],
  // Which leaves a write-ahead log that can be written.
  ['after a kill', (server: ServerProcess) => server.kill(), { code: null, signal: 'SIGKILL' }],
] as const)('refuses to start on a read-only database, and names it, %s', async (_when, end, exit) => {
  expect(await end(await ServerProcess.start(env))).toEqual(exit);
  await chmod(env.DATA_DIR, 0o555);
  for (const file of ['parley.lock', 'parley.sqlite']) await chmod(join(env.DATA_DIR, file), 0o444);
  // An administrator may write everywhere, unless that is taken from them.
  const under = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-dac_override'] : [];
  const { code, stderr } = await ServerProcess.fail(env, under);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `Parley cannot start. The database ${join(env.DATA_DIR, 'parley.sqlite')} cannot be written (SQLITE_READONLY). ` +
      'Make the file and its folder readable and writable, or set DATA_DIR to another folder.\n',
  );
});

it('of two servers that start at once on an empty data directory, one runs and the other reports why it does not', async () => {
  const servers = [ServerProcess.launch(env), ServerProcess.launch(env)];
  const ended = await Promise.race(servers.map(async (server) => ({ server, exit: await server.exited })));
  expect(ended.exit).toEqual({ code: 1, signal: null });
  expect(ended.server.stderr).toMatch(/^Parley cannot start\. Another process uses the data directory [^\n]+\n$/);
  const other = servers.find((server) => server !== ended.server)!;
  await other.printed(/listens on/);
  expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
});
