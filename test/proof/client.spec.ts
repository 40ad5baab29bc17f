// parley-client while the server is killed and started again: the answer arrives whole, over HTTP and over the socket.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Parley, type ChannelEvent } from 'parley-client';
import { connectLive } from 'parley-client/socket';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { killAll, ServerProcess, type ServerEnv } from '../crash/support/server-process.js';

const WORDS = Array.from({ length: 60 }, (_, index) => `word ${index} `);

let directory: string;
let env: ServerEnv;
let model: ModelServer;
let server: ServerProcess;
let proxy: FaultyProxy;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-client-'));
  model = await startModelServer({ otherwise: { kind: 'reply', deltas: WORDS, delayMs: 10 } });
  const characters = join(directory, 'characters');
  await mkdir(characters);
  await writeFile(join(characters, 'iris.json'), JSON.stringify({ name: 'Iris', bio: 'An agent of the tests.' }));
  env = { DATA_DIR: join(directory, 'data'), CHARACTERS_DIR: characters, OPENAI_BASE_URL: model.baseUrl, LOG_LEVEL: 'error' };
  server = await ServerProcess.start(env);
  proxy = await FaultyProxy.to(() => Number(new URL(server.url).port));
});
afterEach(async () => {
  await proxy.close();
  await killAll();
  await model.close();
  await rm(directory, { recursive: true, force: true });
});

async function killAndStart(): Promise<void> {
  await server.kill();
  server = await ServerProcess.start(env);
}

/** The text as a page shows it. */
function shown(text: string, event: ChannelEvent): string {
  if (event.type !== 'message.chunk') return text;
  return event.reset ? event.text : text + event.text;
}

it('a conversation gets its reply although the server is killed midway, and the page can be reloaded', async () => {
  const open = (): Promise<Awaited<ReturnType<Parley['conversation']>>> =>
    new Parley({ url: proxy.url }).conversation({ agent: 'Iris', user: 'ada@example.com' });
  const conversation = await open();
  let text = '';
  let chunks = 0;
  for await (const event of conversation.send('Say sixty words.')) {
    text = shown(text, event);
    if (event.type === 'message.chunk' && (chunks += 1) === 3) await killAndStart();
  }
  expect(chunks).toBeGreaterThan(3);
  expect(text).toBe(WORDS.join(''));
  await killAndStart();
  const { messages } = await (await open()).history();
  expect(messages.map((message) => message.text)).toEqual(['Say sixty words.', WORDS.join('').trim()]);
});

it('a client that follows a channel over a socket misses and repeats nothing when the server is killed', async () => {
  const parley = new Parley({ url: proxy.url });
  const agentId = await parley.agents.idOf('Iris');
  const { id: channelId } = await parley.channels.create({ name: 'a channel', participantCentralUserIds: [agentId] });
  const live = connectLive(parley);
  const events: ChannelEvent[] = [];
  let kill = (): void => undefined;
  const inTheMiddle = new Promise<void>((resolve) => (kill = resolve));
  const done = new Promise<void>((resolve, reject) => {
    live.follow(channelId, {
      after: 0,
      onError: reject,
      onEvent: (event) => {
        events.push(event);
        if (events.filter(({ type }) => type === 'message.chunk').length === 3) kill();
        if (event.type === 'turn.finished') resolve();
      },
    });
  });
  await parley.messages.post(channelId, 'ada', 'Say sixty words.');
  await inTheMiddle;
  await killAndStart();
  await done;
  live.close();
  expect(events.reduce(shown, '')).toBe(WORDS.join(''));
  // Parts of a running reply repeat the offset of the entry before them.
  const offsets = events.flatMap(({ type, offset }) => (type === 'message.chunk' ? [] : [offset]));
  expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
  expect(events.flatMap((event) => (event.type === 'message.created' ? event.message.text : []))).toEqual([
    'Say sixty words.',
    WORDS.join('').trim(),
  ]);
});
