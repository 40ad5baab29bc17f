// Speaking to an agent: Chromium's microphone plays a recording, the built-in recogniser writes it down, and the answer is heard.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { titleFromTexts } from '../../src/modules/turns/titles/title-text.js';
import { axe, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

const PART_MS = 250;
const LATE_MS = 400;

let folder: string;
let browser: TestBrowser;
let server: ConsoleServer;
/** Length of the recording, ms. */
let length: number;

beforeAll(async () => {
  server = await ConsoleServer.start();
  const { agents } = (await server.call('GET', '/api/agents')) as { agents: { id: string }[] };
  const spoken = await fetch(`${server.url}/api/audio/${agents[0]!.id}/speech/generate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'The weather is good today.' }),
  });
  const sound = Buffer.from(await spoken.arrayBuffer());
  length = ((sound.length - 44) / sound.readUInt32LE(28)) * 1000;
  folder = await mkdtemp(join(tmpdir(), 'parley-voice-'));
  await writeFile(join(folder, 'said.wav'), sound);
  browser = await TestBrowser.start([
    // Played again and again: on a busy machine, a recording that is dropped may take longer than the sound.
    `--use-file-for-fake-audio-capture=${join(folder, 'said.wav')}`,
    '--autoplay-policy=no-user-gesture-required',
  ]);
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Counts what goes over the sockets of a page, by the name of the event. */
function count(page: Page): { sent: (name: string, times: number) => Promise<void>; heard: (text: RegExp) => Promise<void> } {
  const frames: string[] = [];
  const waiting: { matches: () => boolean; resolve: () => void }[] = [];
  const note =
    (direction: string) =>
    (frame: { payload: string | Buffer }): void => {
      frames.push(`${direction} ${typeof frame.payload === 'string' ? frame.payload : ''}`);
      for (const { matches, resolve } of waiting) if (matches()) resolve();
    };
  page.on('websocket', (socket) => {
    socket.on('framesent', note('sent'));
    socket.on('framereceived', note('received'));
  });
  const until = (matches: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ matches, resolve });
      if (matches()) resolve();
    });
  return {
    sent: (name, times) => until(() => frames.filter((frame) => frame.startsWith('sent') && frame.includes(`"${name}"`)).length >= times),
    heard: (text) => until(() => frames.some((frame) => frame.startsWith('received') && text.test(frame))),
  };
}

/** Delays what the server sends over the sockets of a page. @returns waits until the page has sent so many chunks of a recording */
async function respondLate(page: Page): Promise<(times: number) => Promise<void>> {
  let sent = 0;
  let heard = (): void => undefined;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    const connection = socket.connectToServer();
    socket.onMessage((message) => {
      if (message.includes('"audioChunk"')) sent += 1;
      heard();
      connection.send(message);
    });
    connection.onMessage((message) => setTimeout(() => socket.send(message), LATE_MS));
  });
  return (times) =>
    new Promise((resolve) => {
      heard = () => sent >= times && resolve();
      heard();
    });
}

describe('the microphone', () => {
  it('starts a conversation, and the reply plays until it is interrupted', async () => {
    server.model.next({ kind: 'reply', text: `${'I am glad to hear that. '.repeat(20)}Goodbye.` });
    let frames!: ReturnType<typeof count>;
    const page = await browser.open(server.url, { prepare: (opened) => Promise.resolve((frames = count(opened))) });
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Listening').waitFor();
    expect(await axe(page)).toEqual([]);
    await frames.sent('audioChunk', Math.ceil(length / PART_MS) + 2);
    await page.getByRole('button', { name: 'Send recording' }).click();
    // The sound begins again before the recording ends, so more words may be heard than were said once.
    const heard = await page
      .getByRole('log')
      .getByText(/weather is good today/i)
      .innerText();
    await page.getByRole('link', { name: titleFromTexts([heard]) }).waitFor();
    await page
      .getByRole('log')
      .getByText(/I am glad to hear that.*Goodbye/)
      .waitFor();
    // The voice of the whole answer is there long before it has been played.
    await frames.heard(/"speechEnd"/);
    await page.getByRole('button', { name: 'Interrupt the voice' }).click();
    await page.getByRole('button', { name: 'Speak', exact: true }).waitFor();
  });

  it('stores nothing of a discarded recording, and accepts the next one', async () => {
    server.model.next({ kind: 'reply', text: 'Indeed.' });
    let frames!: ReturnType<typeof count>;
    const page = await browser.open(server.url, { prepare: (opened) => Promise.resolve((frames = count(opened))) });
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Listening').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Speak', exact: true }).waitFor();
    await page.getByText('No messages yet.').waitFor();
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Listening').waitFor();
    await frames.sent('audioChunk', Math.ceil(length / PART_MS) + 4);
    await page.getByRole('button', { name: 'Send recording' }).click();
    await page.getByRole('log').getByText('Indeed.').waitFor();
    expect(await page.getByRole('log').getByRole('article').count()).toBe(2);
  });

  it('accepts the next recording when the server hears late of the discarded one', async () => {
    server.model.next({ kind: 'reply', text: 'Indeed.' });
    let chunks!: (times: number) => Promise<void>;
    const prepare = async (opened: Page): Promise<void> => void (chunks = await respondLate(opened));
    const page = await browser.open(server.url, { prepare });
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Listening').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Speak', exact: true }).click();
    await page.getByText('Listening').waitFor();
    await chunks(Math.ceil(length / PART_MS) + 4);
    await page.getByRole('button', { name: 'Send recording' }).click();
    await page.getByRole('log').getByText('Indeed.').waitFor();
    expect(await page.getByRole('log').getByRole('article').count()).toBe(2);
  });
});
