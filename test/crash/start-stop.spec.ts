// How the built server starts, refuses to start, and stops: what an operator sees of it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { ApiClient } from '../support/api-client.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { serverEvents, type ServerEvent } from '../support/sse-client.js';
import { killAll, ServerProcess, type ServerEnv } from './support/server-process.js';

const AGENT = { id: idFromText('Vera'), name: 'Vera', bio: 'An agent of the tests.' };
const USER = '11111111-1111-1111-1111-111111111111';

describe('the server as a process', () => {
  let directory: string;
  let model: ModelServer;
  let env: ServerEnv;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'parley-process-'));
    model = await startModelServer();
    await mkdir(join(directory, 'characters'));
    await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: AGENT.name, bio: AGENT.bio }));
    env = {
      DATA_DIR: join(directory, 'data'),
      CHARACTERS_DIR: join(directory, 'characters'),
      OPENAI_BASE_URL: model.baseUrl,
      MODEL_RETRIES: '0',
    };
  });
  afterEach(async () => {
    await killAll();
    await model.close();
    await rm(directory, { recursive: true, force: true });
  });

  const openSession = async (api: ApiClient): Promise<{ sessionId: string; channelId: string }> =>
    (await api.post('/api/messaging/sessions', { agentId: AGENT.id, userId: USER })).body.data;
  const say = (api: ApiClient, sessionId: string, content: string, transport: string): ReturnType<ApiClient['post']> =>
    api.post(`/api/messaging/sessions/${sessionId}/messages`, { content, transport });
  const history = async (api: ApiClient, channelId: string): Promise<string[]> =>
    (await api.get(`/api/messaging/channels/${channelId}/messages`)).body.data.messages
      .map((message: { content: string }) => message.content)
      .reverse();

  it('answers on an empty directory, and ends open event streams instead of waiting for them', async () => {
    const server = await ServerProcess.start({ ...env, SHUTDOWN_GRACE_MS: '600000' });
    expect((await fetch(`${server.url}/api/server/health`)).status).toBe(200);
    const { channelId } = await openSession(new ApiClient(() => server.url));
    const stream = await fetch(`${server.url}/api/messaging/channels/${channelId}/events`);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(server.stderr).toBe('');
    await Promise.allSettled([stream.text()]);
  });

  it('reports loaded and failed plugins, names the first agents, and warns of a misspelt setting', async () => {
    const folder = join(directory, 'plugins');
    await mkdir(folder);
    await writeFile(join(folder, 'good.mjs'), `export default { name: 'good' };`);
    await writeFile(join(folder, 'bad.mjs'), `throw new Error('told to fail');`);
    for (let index = 0; index < 21; index += 1) {
      const character = { name: `Agent ${index}`, bio: 'One of many.' };
      await writeFile(join(directory, 'characters', `${index}.json`), JSON.stringify(character));
    }
    const server = await ServerProcess.start({ ...env, PLUGINS_DIR: folder, API_KYE: 'hush-hush', LOG_FILE: 'x' });
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(server.stdout).toMatch(/^plugins good; not loaded: bad/m);
    expect(server.stdout.match(/^ {2}.* \(active\) [0-9a-f-]{36}$/gm)).toHaveLength(20);
    expect(server.stdout).toMatch(/^ {2}and 2 more$/m);
    expect(server.stdout).toMatch(/"level":"warn".*Parley does not read API_KYE; did you mean API_KEY\?/);
    // The value may be a secret; a name that is like no setting is another program's.
    expect(server.stdout).not.toMatch(/hush|LOG_FILE/);
  });

  describe('when it gets the signal to stop', () => {
    it('refuses new requests and gives the running turn time to finish', async () => {
      model.otherwise({ kind: 'reply', text: 'word '.repeat(30).trim(), delayMs: 20 });
      const server = await ServerProcess.start(env);
      const api = new ApiClient(() => server.url);
      const { sessionId, channelId } = await openSession(api);
      const waiting = say(api, sessionId, 'Take your time.', 'http');
      const streaming = await fetch(`${server.url}/api/messaging/channels/${channelId}/events?lastEventId=0`);
      await until(streaming, ({ event }) => event === 'message.chunk');
      server.signal('SIGTERM');
      await server.printed(/"msg":"stopping"/);
      await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
      expect(await outcome(server)).toEqual({ code: 0, signal: null });
      const answer = await waiting;
      expect([answer.status, answer.body.data.agentResponse?.text]).toEqual([201, 'word '.repeat(30).trim()]);
      expect(server.stderr).toBe('');

      const next = await ServerProcess.start(env);
      expect(await history(new ApiClient(() => next.url), channelId)).toEqual(['Take your time.', 'word '.repeat(30).trim()]);
      await next.stop();
    });

    it('first drains: it is not ready, and serves requests until the drain ends or a second signal stops it', async () => {
      const server = await ServerProcess.start({ ...env, DRAIN_MS: '600000' });
      const get = async (path: string): Promise<[number, string | null]> => {
        const response = await fetch(server.url + path);
        await response.text();
        return [response.status, response.headers.get('connection')];
      };
      expect(await get('/readyz')).toEqual([200, 'keep-alive']);
      server.signal('SIGTERM');
      await server.printed(/"msg":"stopping"/);
      // A signal that is repeated within half a second is one signal.
      server.signal('SIGTERM');
      const begin = performance.now();
      expect(await get('/readyz')).toEqual([503, 'close']);
      while (performance.now() - begin < 700) expect(await get('/api/agents')).toEqual([200, 'close']);
      expect(await server.stop()).toEqual({ code: 0, signal: null });
      expect(server.stderr).toBe('');
    });

    it('releases a turn that exceeds the grace time, and resumes it after a restart', async () => {
      model.next({ kind: 'hang', after: 1 });
      const server = await ServerProcess.start({ ...env, SHUTDOWN_GRACE_MS: '300' });
      const api = new ApiClient(() => server.url);
      const { sessionId, channelId } = await openSession(api);
      const waiting = say(api, sessionId, 'Are you there?', 'http');
      await model.received();
      expect(await server.stop()).toEqual({ code: 0, signal: null });
      const { status, body } = await waiting;
      expect([status, body.error.code, body.error.message]).toEqual([503, 'SERVER_STOPPING', expect.stringContaining('still pending')]);

      const next = await ServerProcess.start(env);
      const events = await fetch(`${next.url}/api/messaging/channels/${channelId}/events?lastEventId=0`);
      const finished = await until(events, ({ event }) => event === 'turn.finished');
      expect(finished.data.reply.text).toBe('You said: Are you there?');
      expect(await history(new ApiClient(() => next.url), channelId)).toEqual(['Are you there?', 'You said: Are you there?']);
      expect(await next.stop()).toEqual({ code: 0, signal: null });
    });

    it('does not count the attempt, as a crash does', async () => {
      model.next({ kind: 'hang', after: 1 }, { kind: 'hang', after: 1 });
      const limited = { ...env, SHUTDOWN_GRACE_MS: '100', TURN_MAX_ATTEMPTS: '1' };
      let server = await ServerProcess.start(limited);
      const { sessionId, channelId } = await openSession(new ApiClient(() => server.url));
      await say(new ApiClient(() => server.url), sessionId, 'Are you there?', 'websocket');
      await model.received();
      await server.stop();
      server = await ServerProcess.start(limited);
      await model.received(2);
      await server.kill();
      server = await ServerProcess.start(limited);
      const events = await fetch(`${server.url}/api/messaging/channels/${channelId}/events?lastEventId=0`);
      const { data } = await until(events, ({ event }) => event === 'turn.failed' || event === 'turn.finished');
      expect(data.error).toMatchObject({ code: 'TURN_FAILED', message: 'The server stopped too often during this reply.' });
      await server.stop();
    });
  });

  describe('when it cannot start', () => {
    it('reports in one line that another process uses the data directory, and starts once that process is killed', async () => {
      const first = await ServerProcess.start(env);
      await expectRefusal(env, [/another process uses the data directory/i, /DATA_DIR/]);
      expect((await fetch(`${first.url}/healthz`)).status).toBe(200);
      await first.kill();
      const second = await ServerProcess.start(env);
      expect((await fetch(`${second.url}/healthz`)).status).toBe(200);
    });

    it('reports in one line a used port, or a changed SECRET_KEY', async () => {
      const first = await ServerProcess.start({ ...env, SECRET_KEY: 'the key that the data is encrypted with' });
      const { port } = new URL(first.url);
      await expectRefusal({ ...env, DATA_DIR: join(directory, 'other'), SERVER_PORT: port }, [/the port is in use/, /SERVER_PORT/]);
      await first.stop();
      await expectRefusal({ ...env, SECRET_KEY: 'another key that is as long as the first' }, [/SECRET_KEY/]);
    });

    it('names every invalid variable, and an unreadable environment file', async () => {
      await expectRefusal({ ...env, SERVER_PORT: 'abc', TURN_CONCURRENCY: '0', LOG_LEVEL: 'loud', SESSION_AUTO_RENEW: 'yes' }, [
        /SERVER_PORT/,
        /TURN_CONCURRENCY/,
        /LOG_LEVEL/,
        /SESSION_AUTO_RENEW/,
      ]);
      await expectRefusal({ ...env, ENV_FILE: directory }, [/environment file .* cannot be read\. Set ENV_FILE to a file/]);
    });
  });

  /** One line on standard error that says why, exit code 1, and nothing left behind. */
  async function expectRefusal(refused: ServerEnv, reasons: readonly RegExp[]): Promise<void> {
    const server = ServerProcess.launch(refused);
    expect(await outcome(server)).toEqual({ code: 1, signal: null });
    expect(server.stderr).toMatch(/^Parley cannot start\. [^\n]+\n$/);
    for (const reason of reasons) expect(server.stderr).toMatch(reason);
    expect(server.stdout).not.toMatch(/listens on|"level":"error"/);
    expect(server.leftovers()).toBe(false);
  }
});

/** The end of a process that ends by itself; it is killed when it does not. */
async function outcome(server: ServerProcess): ReturnType<ServerProcess['stop']> {
  const tooLong = setTimeout(() => server.signal('SIGKILL'), 20_000);
  const exit = await server.exited;
  clearTimeout(tooLong);
  return exit;
}

/** Reads a stream up to the event that is asked for. */
async function until(response: Response, wanted: (event: ServerEvent) => boolean): Promise<ServerEvent> {
  for await (const event of serverEvents(response)) if (wanted(event)) return event;
  throw new Error('the stream ended before the event came');
}
