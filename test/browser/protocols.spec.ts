// Conversations of apps that speak the protocols of others, and how an app connects to an agent, on the built server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { accessibilityFaults, NARROW, settled, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

const run = promisify(execFile);
const KEY = 'sesame';
const HEADERS = { 'x-api-key': KEY };
const STORAGE = { 'parley.key': KEY };
const NAME = "Ada's twin";
const WEATHER = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object', properties: {} } } };
const CLOCK = { type: 'function', function: { name: 'get_time', parameters: { type: 'object', properties: {} } } };

let browser: TestBrowser;
let server: ConsoleServer;
let agentId: string;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({ API_KEY: KEY, PROTOCOLS: 'openai,ai-sdk' }, [{ name: NAME, bio: 'Counts.' }]);
  const { agents } = (await server.call('GET', '/api/agents', undefined, HEADERS)) as { agents: { id: string }[] };
  agentId = agents[0]!.id;
  server.model.otherwise({ kind: 'reply', text: 'Two kettles.' });
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

const open = (path: string, options = {}): Promise<Page> => browser.open(server.url + path, { storage: STORAGE, ...options });
const question = (): Message => ({ role: 'user', content: `How many kettles are there? ${randomUUID()}` });

/** A request of an app over OpenAI's protocol. */
async function complete(messages: readonly Message[], tools: readonly object[] = []): Promise<{ channelId: string; message: Message }> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ model: NAME, messages, ...(tools.length > 0 && { tools }) }),
  });
  const body = (await response.json()) as { choices: { message: Message }[] };
  return { channelId: response.headers.get('x-conversation-id')!, message: body.choices[0]!.message };
}

describe('a conversation of an app', () => {
  it('has a label with the protocol, in the lists too', async () => {
    const { channelId } = await complete([question()]);
    const page = await open(`/channels/${channelId}`);
    await page.getByRole('tabpanel').getByText('Two kettles.').waitFor();
    await page.locator('.channel-doors').getByText('OpenAI', { exact: true }).waitFor();
    expect(await page.locator(`a[href="/channels/${channelId}"] .badge`).textContent()).toBe('OpenAI');

    await page.getByRole('link', { name: 'Open as chat' }).click();
    await page.getByRole('log').getByText('Two kettles.').waitFor();
    await page.locator('.conversation-head').getByText('OpenAI', { exact: true }).waitFor();
    expect(await page.locator('.conversation-row .badge').textContent()).toBe('OpenAI');
  });

  it('that goes on through other protocols is shown once, whole, with a label for each of them', async () => {
    const name = `tea ${randomUUID()}`;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, 'x-conversation-id': name };
    const send = async (path: string, body: object): Promise<string> => {
      const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      await response.text();
      return response.headers.get('x-conversation-id')!;
    };
    const message = { id: '1', role: 'user', parts: [{ type: 'text', text: 'Asked in a page.' }] };
    const channels = [
      await send('/v1/chat/completions', { model: NAME, messages: [{ role: 'user', content: 'Asked in a program.' }] }),
      await send(`/api/agents/${agentId}/chat`, { id: name, message, trigger: 'submit-message' }),
      await send('/v1/responses', { model: NAME, input: 'Asked for a response.', conversation: name }),
    ];
    expect(new Set(channels).size).toBe(1);
    await server.call(
      'POST',
      `/api/messaging/channels/${channels[0]!}/messages`,
      { content: 'Asked here.', author_id: randomUUID(), transport: 'http' },
      HEADERS,
    );
    const page = await open(`/channels/${channels[0]!}`);
    const log = page.getByRole('tabpanel');
    await log.getByText('Asked here.').waitFor();
    for (const text of ['program', 'page', 'response'].map((what) => new RegExp(`^Asked (in|for) an? ${what}\\.$`))) {
      expect(await log.getByText(text).count()).toBe(1);
    }
    expect(await log.getByText('Two kettles.', { exact: true }).count()).toBe(4);
    for (const label of ['OpenAI', 'AI SDK']) await page.locator('.channel-doors').getByText(label, { exact: true }).waitFor();
    expect(await page.locator(`a[href="/channels/${channels[0]!}"]`).count()).toBe(1);
  });

  it('that began elsewhere has none', async () => {
    const body = { name: 'Cellar', type: 'GROUP', participantCentralUserIds: [agentId] };
    const { id } = await server.call('POST', '/api/messaging/channels', body, HEADERS);
    const page = await open(`/channels/${String(id)}`);
    await page.getByRole('heading', { level: 1, name: 'Cellar' }).waitFor();
    expect(await page.locator('.channel-doors').count()).toBe(0);
  });

  it('leads to the one that it branches from', async () => {
    const first = question();
    const { channelId } = await complete([first]);
    const answer = { role: 'assistant', content: 'Two kettles.' };
    await complete([first, answer, question()]);
    const branch = await complete([first, answer, question()]);
    expect(branch.channelId).not.toBe(channelId);
    const page = await open(`/chat/${branch.channelId}`);
    await page.getByRole('link', { name: 'Branch of an earlier conversation' }).click();
    await page.waitForURL(`${server.url}/chat/${channelId}`);
    await page.goto(`${server.url}/channels/${branch.channelId}`);
    await page.getByRole('link', { name: 'Branch of an earlier conversation' }).click();
    await page.waitForURL(`${server.url}/channels/${channelId}`);
  });
});

describe('a reply that waits for tools of the app', () => {
  it('names them, also after a reload, until their results have come', async () => {
    server.model.next({
      kind: 'calls',
      calls: [
        { id: 'call-1', name: 'get_weather', input: {} },
        { id: 'call-2', name: 'get_time', input: {} },
      ],
    });
    const tools = [WEATHER, CLOCK];
    const asked = question();
    const { channelId, message } = await complete([asked], tools);
    expect(message.tool_calls).toHaveLength(2);
    const page = await open(`/chat/${channelId}`);
    const waiting = page.getByText('Waiting for the app to run get_weather, get_time');
    await waiting.waitFor();
    await page.reload();
    await waiting.waitFor();
    expect(await page.locator('.message .dot.busy').count()).toBe(0);
    const beside = await open(`/channels/${channelId}`);
    await beside.getByText('Waiting for the app to run get_weather, get_time').waitFor();

    const results = message.tool_calls!.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'Fine.' }));
    await complete([asked, message, ...results], tools);
    await page.getByRole('log').getByText('Two kettles.').waitFor();
    await waiting.waitFor({ state: 'detached' });
    await beside.getByRole('log').getByText('Two kettles.').waitFor();
  });

  it('is stopped like any other', async () => {
    server.model.next({ kind: 'calls', calls: [{ id: 'call-1', name: 'get_weather', input: {} }] });
    const { channelId } = await complete([question()], [WEATHER]);
    const page = await open(`/chat/${channelId}`);
    const waiting = page.getByText('Waiting for the app to run get_weather');
    await waiting.waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await waiting.waitFor({ state: 'detached' });
  });
});

describe('how to connect', () => {
  const snippet = (page: Page, name: string): Promise<string> => page.getByLabel(name, { exact: true }).innerText();

  it('has a command that works as it is, and programs without the key', async () => {
    const page = await open(`/agents/${agentId}?tab=connect`);
    const curl = await snippet(page, 'curl');
    const { stdout } = await run('sh', ['-c', curl], { env: { ...process.env, PARLEY_KEY: KEY } });
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'chat.completion',
      model: NAME,
      choices: [{ message: { content: 'Two kettles.' } }],
    });

    expect(await snippet(page, 'openai')).toContain(`baseURL: '${server.url}/v1', apiKey: process.env.PARLEY_KEY`);
    expect(await snippet(page, 'openai')).toContain(String.raw`model: 'Ada\'s twin'`);
    expect(await snippet(page, '@ai-sdk/react')).toContain(`api: '${server.url}/api/agents/${agentId}/chat'`);
    expect(await snippet(page, 'parley-client')).toContain(`agent: '${agentId}'`);
    expect(await page.getByRole('tabpanel').innerText()).not.toContain(KEY);
  });

  it('names the setting of a protocol that is switched off', async () => {
    const page = await open(`/agents/${agentId}?tab=connect`);
    const anthropic = page.getByRole('region', { name: 'Anthropic' });
    await anthropic
      .getByText('Switched off on this server. An administrator switches it on: add “anthropic” to the setting PROTOCOLS.')
      .waitFor();
    expect(await anthropic.getByRole('button').count()).toBe(0);
  });

  it('is reached from the chat, and copies a program by the keyboard', async () => {
    const page = await open(`/?agent=${agentId}`, { viewport: NARROW });
    await page.getByRole('button', { name: 'Use it from your app' }).click();
    await page.getByRole('link', { name: 'Connect with clients of OpenAI, Anthropic or the AI SDK' }).click();
    await page.getByRole('tab', { name: 'Connect', selected: true }).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copy = page.getByRole('region', { name: 'OpenAI' }).getByRole('button', { name: 'Copy' }).first();
    await copy.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await snippet(page, 'curl'));
  });

  it('has no accessibility errors at 320 px and 1440 px', async () => {
    const { channelId } = await complete([question()]);
    for (const path of [`/agents/${agentId}?tab=connect`, `/channels/${channelId}`, `/chat/${channelId}`]) {
      expect(await accessibilityFaults(browser, server.url + path, settled, { storage: STORAGE })).toEqual([]);
    }
  });
});
