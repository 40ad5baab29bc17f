// Kill -9 in the middle of a turn with actions: what is recorded is not done again, what was interrupted is, under the same key.
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idFromText } from '../../src/core/ids/index.js';
import { ApiClient } from '../support/api-client.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { serverEvents } from '../support/sse-client.js';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

const USER = '11111111-1111-1111-1111-111111111111';
const AGENT = { id: idFromText('Vera'), name: 'Vera', bio: 'An agent of the tests.' };

/** COUNT ends at once. PAUSE never ends in the first life of the server. Both write down that they were called, and with which key. */
const PLUGIN = (folder: string): string => `
  import { appendFileSync, existsSync } from 'node:fs';
  const note = (name, { idempotencyKey }) => appendFileSync(${JSON.stringify(join(folder, 'notes'))}, name + ' ' + idempotencyKey + '\\n');
  export default { name: 'fixture', actions: [
    { name: 'COUNT', description: 'Counts.', async handler(runtime, message, state, options) { note('COUNT', options); return { text: 'counted' } } },
    { name: 'PAUSE', description: 'Waits.', async handler(runtime, message, state, options, callback) {
        await callback('Pausing');
        note('PAUSE', options);
        if (!existsSync(${JSON.stringify(join(folder, 'second-life'))})) await new Promise(() => {});
        return { text: 'paused' };
      } },
  ] };`;

describe('a server that is killed between the steps of a turn', () => {
  let folder: string;
  let model: ModelServer;
  let env: ServerEnv;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-actions-'));
    model = await startModelServer();
    for (const name of ['characters', 'plugins', 'notes-of']) await mkdir(join(folder, name));
    await writeFile(join(folder, 'characters', 'vera.json'), JSON.stringify(AGENT));
    await writeFile(join(folder, 'plugins', 'fixture.mjs'), PLUGIN(join(folder, 'notes-of')));
    env = {
      DATA_DIR: join(folder, 'data'),
      CHARACTERS_DIR: join(folder, 'characters'),
      PLUGINS_DIR: join(folder, 'plugins'),
      OPENAI_BASE_URL: model.baseUrl,
    };
  });
  afterEach(async () => {
    await killAll();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  const notes = async (): Promise<string[]> =>
    (await readFile(join(folder, 'notes-of', 'notes'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

  /** Settles when the plugin has written so many lines. */
  async function noted(count: number): Promise<void> {
    const watcher = watch(join(folder, 'notes-of'));
    try {
      // Listening begins before the notes are read: a change during the reading counts.
      let changed = once(watcher, 'change');
      while ((await notes()).length < count) {
        await changed;
        changed = once(watcher, 'change');
      }
    } finally {
      watcher.close();
    }
  }

  async function ask(server: ServerProcess): Promise<string> {
    const api = new ApiClient(() => server.url);
    const { body } = await api.post('/api/messaging/sessions', { agentId: AGENT.id, userId: USER });
    const { sessionId, channelId } = body.data;
    await api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Go.', transport: 'websocket' });
    return channelId as string;
  }

  /** The channel's messages when the turn has ended, oldest first. */
  async function said(server: ServerProcess, channelId: string): Promise<string[]> {
    const signal = AbortSignal.timeout(60_000);
    const stream = await fetch(`${server.url}/api/messaging/channels/${channelId}/events?lastEventId=0`, { signal });
    for await (const { event } of serverEvents(stream)) if (event === 'turn.finished' || event === 'turn.failed') break;
    const { body } = await new ApiClient(() => server.url).get(`/api/messaging/channels/${channelId}/messages`);
    return body.data.messages.map(({ content }: { content: string }) => content).reverse();
  }

  const results = (index: number): unknown[] =>
    (model.requests[index]?.body['messages'] as { role: string; content: string }[])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => (JSON.parse(content) as { text: string }).text);

  it('in an action: completed actions are not repeated; the interrupted one runs again with the same key, and posts only once', async () => {
    model.next(
      {
        kind: 'calls',
        calls: [
          { id: 'a', name: 'COUNT', input: {} },
          { id: 'b', name: 'PAUSE', input: {} },
        ],
      },
      { kind: 'reply', text: 'All done.' },
    );
    const first = await ServerProcess.start(env);
    const channelId = await ask(first);
    await noted(2);
    await first.kill();
    await writeFile(join(folder, 'notes-of', 'second-life'), '');
    const second = await ServerProcess.start(env);
    expect(await said(second, channelId)).toEqual(['Go.', 'Pausing', 'All done.']);
    const [counted, paused, again, ...more] = await notes();
    expect([counted?.split(' ')[0], paused?.split(' ')[0], more]).toEqual(['COUNT', 'PAUSE', []]);
    expect(again).toBe(paused);
    expect(model.requests).toHaveLength(2);
    expect(results(1)).toEqual(['counted', 'paused']);
  });

  it('while the model replies after an action: the action is not repeated, and the model gets its result', async () => {
    model.next({ kind: 'calls', calls: [{ id: 'a', name: 'COUNT', input: {} }] }, { kind: 'hang' }, { kind: 'reply', text: 'Counted.' });
    const first = await ServerProcess.start(env);
    const channelId = await ask(first);
    await model.received(2);
    await first.kill();
    const second = await ServerProcess.start(env);
    expect(await said(second, channelId)).toEqual(['Go.', 'Counted.']);
    expect(await notes()).toHaveLength(1);
    expect(model.requests).toHaveLength(3);
    expect(results(2)).toEqual(['counted']);
  });
});
