// The page of operations, on the built server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { accessibilityFaults, settled, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

const STORAGE = { 'parley.key': 'sesame' };
/** One transparent pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let browser: TestBrowser;
let server: ConsoleServer;
let agentId: string;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({ API_KEY: 'sesame' });
  const { agents } = (await call('GET', '/api/agents')) as { agents: { id: string }[] };
  agentId = agents[0]?.id ?? '';
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

const open = (path: string, allow = /^$/): Promise<Page> => browser.open(server.url + path, { storage: STORAGE, allow });
const send = (page: Page): Promise<void> => page.getByRole('button', { name: 'Send' }).click();

function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  return server.call(method, path, body, { 'x-api-key': 'sesame' });
}

async function answer(page: Page): Promise<Record<string, unknown>> {
  return JSON.parse((await page.getByLabel('response', { exact: true }).textContent()) ?? '') as Record<string, unknown>;
}

async function channel(): Promise<string> {
  const body = { name: 'Kitchen', type: 'GROUP', participantCentralUserIds: [agentId] };
  return String((await call('POST', '/api/messaging/channels', body))['id']);
}

describe('the list of operations', () => {
  it('contains every described operation, and is searchable', async () => {
    const { paths } = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as { paths: Record<string, object> };
    const count = Object.values(paths).reduce((sum, methods) => sum + Object.keys(methods).length, 0);
    const page = await open('/operations');
    await page.getByText(`${count} operations`).waitFor();
    await page.getByLabel('Find an operation').fill('delete memoryid');
    const row = page.getByRole('link', { name: /DELETE \/api\/agents\/\{agentId\}\/memories\/\{memoryId\}/ });
    await row.click();
    await page.getByRole('heading', { level: 1, name: 'Deletes a memory of an agent.' }).waitFor();
    await page.getByText('Changes data').waitFor();
    await page.getByText('Requires the scope write').waitFor();
  });

  it('shows the operation of the address in the list', async () => {
    const page = await open('/operations/sessionsCreate');
    await page.getByRole('link', { name: /POST \/api\/messaging\/sessions Creates/ }).waitFor();
  });

  it('reports an unknown operation', async () => {
    const page = await open('/operations/nothing');
    await page.getByText('This server does not have the operation.').waitFor();
  });
});

describe('an operation', () => {
  it("is sent with the tab's key and path parameters, and shown as a command without the key", async () => {
    const page = await open(`/operations/runsList?agentId=${agentId}`);
    await page.getByLabel('limit').fill('7');
    await page.waitForURL(/limit=7/);
    await send(page);
    await page.getByText('Status 200').waitFor();
    expect(await answer(page)).toMatchObject({ success: true, data: { runs: [] } });
    expect(await page.locator('.response-headers').textContent()).toContain('application/json');
    await page.getByText('As a command').click();
    const command = (await page.getByLabel('As a command').textContent()) ?? '';
    expect(command).toContain(`'${server.url}/api/agents/${agentId}/runs?limit=7'`);
    expect(command).toContain('-H "X-API-KEY: $PARLEY_KEY"');
    expect(command).not.toContain('sesame');
  });

  it('is sent with a body based on the example, and its error is shown', async () => {
    const page = await open('/operations/channelsCreate', /status of 400/);
    const body = page.getByLabel('Body (JSON)');
    expect(Object.keys(JSON.parse(await body.inputValue()) as object)).toEqual(['name']);
    await page.getByRole('button', { name: 'All fields' }).click();
    expect(Object.keys(JSON.parse(await body.inputValue()) as object)).toContain('turnPolicy');
    await body.fill('{"name":"Pantry","turnPolicy":"maybe"}');
    await send(page);
    await page.getByText('Status 400').waitFor();
    expect(await answer(page)).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
    await page.locator('.response-headers').getByRole('link').click();
    await page.waitForURL(/\/logs\?requestId=/);
  });

  it('is sent with the Idempotency-Key of the form only', async () => {
    const key = randomUUID();
    const page = await open('/operations/channelsCreate');
    await page.getByLabel('Idempotency-Key').fill(key);
    const request = page.waitForRequest((sent) => sent.url().endsWith('/api/messaging/channels'));
    await send(page);
    expect((await request).headers()['idempotency-key']).toBe(key);
    await page.getByText('Status 201').waitFor();
  });

  it('is not sent with a body that is not JSON', async () => {
    const page = await open('/operations/channelsCreate');
    await page.getByLabel('Body (JSON)').fill('{"name":');
    await send(page);
    await page.locator('.fault').getByText(/JSON/).waitFor();
    await page.getByLabel('Body (JSON)').fill('{"name":"Pantry"}');
    await send(page);
    await page.getByText('Status 201').waitFor();
    expect(await answer(page)).toMatchObject({ data: { name: 'Pantry' } });
  });

  it('shows a streamed response as it arrives', async () => {
    const words = Array.from({ length: 40 }, (_, index) => `word${index} `);
    server.model.next({ kind: 'reply', deltas: words, delayMs: 50 });
    const page = await open(`/operations/channelMessagesPost?channelId=${await channel()}`);
    await page.getByLabel('Body (JSON)').fill(JSON.stringify({ author_id: randomUUID(), content: 'Speak, Ada.', transport: 'sse' }));
    await send(page);
    const shown = page.getByLabel('response', { exact: true });
    await shown.getByText('word3 ').waitFor();
    expect(await shown.getByText('word39').count()).toBe(0);
    await page.getByText('receiving…').waitFor();
    await shown.getByText('event: done').waitFor();
    await page.getByText('receiving…').waitFor({ state: 'detached' });
  });

  it('ends an endless stream on request', async () => {
    const channelId = await channel();
    const page = await open(`/operations/channelMessagesEvents?channelId=${channelId}`);
    await send(page);
    await page.getByText('Status 200').waitFor();
    await call('POST', `/api/messaging/channels/${channelId}/messages`, {
      author_id: randomUUID(),
      content: 'Heard?',
      transport: 'websocket',
    });
    await page.getByLabel('response', { exact: true }).getByText('Heard?').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('receiving…').waitFor({ state: 'detached' });
    await page.getByLabel('response', { exact: true }).getByText('Heard?').waitFor();
  });

  it('sends files, and offers a file in the response', async () => {
    const channelId = await channel();
    const page = await open(`/operations/uploadsToChannel?channelId=${channelId}`);
    await page.getByLabel('file (required)').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
    await send(page);
    await page.getByText('Status 200').waitFor();
    const { data } = (await answer(page)) as { data: { url: string } };
    const filename = data.url.split('/').at(-1) ?? '';
    await page.goto(`${server.url}/operations/filesOfChannel?channelId=${channelId}&filename=${filename}`);
    await send(page);
    await page.getByRole('img', { name: 'response' }).waitFor();
    await page.getByRole('link', { name: /Save the response \(image\/png/ }).waitFor();
  });

  it('plays an audio response', async () => {
    const page = await open(`/operations/speechGenerate?agentId=${agentId}`);
    await page.getByLabel('Body (JSON)').fill('{"text":"Hello."}');
    await send(page);
    await page.locator('audio[aria-label=response]').waitFor();
    await page.getByRole('link', { name: /Save the response \(audio\/wav/ }).waitFor();
  });

  it('shows the fields of its body and example responses', async () => {
    const page = await open('/operations/channelMessagesPost');
    await page.getByText('Body fields').click();
    await page.getByText("The author's own id for this message").waitFor();
    await page.getByText('CHANNEL_NOT_FOUND').first().click();
    await page.locator('.responses').getByText('Example: CHANNEL_NOT_FOUND').click();
    await page.locator('.responses').getByText('"code": "CHANNEL_NOT_FOUND"').waitFor();
  });

  it('has no accessibility errors with a response, narrow and dark or wide and light', async () => {
    const ready = async (page: Page): Promise<void> => {
      await settled(page);
      await send(page);
      await page.getByText('Status 200').waitFor();
      await page.getByText('As a command').click();
      await page.locator('.responses summary').first().click();
    };
    expect(await accessibilityFaults(browser, `${server.url}/operations/agentsList`, ready, { storage: STORAGE })).toEqual([]);
  });
});
