// The page of logs, on the built server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { accessibilityFaults, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({ LOG_LEVEL: 'debug' });
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

const log = (page: Page): Locator => page.getByRole('log');

async function write(level: string, message: string, metadata: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await server.call('POST', '/api/server/logs', { logs: [{ level, message, source: 'tests', metadata }] });
}

describe('the log of the server', () => {
  it('shows a new line as it is written, after the earlier ones', async () => {
    await write('info', 'written before');
    const page = await browser.open(`${server.url}/logs`);
    await page.getByText('Live', { exact: true }).waitFor();
    await log(page).getByText('written before').waitFor();
    await write('error', 'written live', { order: 4711 });
    const line = log(page).getByRole('button', { name: /written live/ });
    await line.click();
    await log(page).getByText('"order": 4711').waitFor();
  });

  it('holds lines back during a pause', async () => {
    const page = await browser.open(`${server.url}/logs?search=held`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await write('info', 'held for now');
    const goOn = page.getByRole('button', { name: 'Continue (1 new line)' });
    await goOn.waitFor();
    expect(await page.getByText('held for now').count()).toBe(0);
    await goOn.click();
    await log(page).getByText('held for now').waitFor();
  });

  it('is filtered by level and text, for earlier and new lines', async () => {
    await write('warn', 'grapes are low');
    await write('info', 'grapes are there');
    const page = await browser.open(`${server.url}/logs`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByLabel('Level').selectOption('warn');
    await page.getByLabel('Search').fill('GRAPES');
    await page.waitForURL(/search=GRAPES/);
    await log(page).getByText('grapes are low').waitFor();
    await write('info', 'more grapes are there');
    await write('error', 'grapes are gone');
    await log(page).getByText('grapes are gone').waitFor();
    expect(await log(page).getByText('are there').count()).toBe(0);
  });

  it('keeps a line that is written while the lines of another filter load', async () => {
    const page = await browser.open(`${server.url}/logs`);
    const heard = new Promise<void>((resolve) => {
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          if (String(payload).includes('plums are late')) resolve();
        }),
      );
    });
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route(/logs\?.*search=plums/, async (route) => {
      const response = await route.fetch();
      await write('info', 'plums are late');
      await heard;
      await page.evaluate('new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))');
      await route.fulfill({ response });
    });
    await page.getByLabel('Search').fill('plums');
    await log(page).getByText('plums are late').waitFor();
  });

  it('neither loses nor repeats a line after the server was unreachable', async () => {
    const page = await browser.open(`${server.url}/logs?search=across`, { allow: /./ });
    await page.getByText('Live', { exact: true }).waitFor();
    await server.kill();
    await page.getByText('Connecting', { exact: true }).waitFor();
    await server.run();
    await write('info', 'across the restart');
    await page.getByText('Live', { exact: true }).waitFor();
    await log(page).getByText('across the restart').waitFor();
    await write('info', 'across and after');
    await log(page).getByText('across and after').waitFor();
    expect(await log(page).getByText('across the restart').count()).toBe(1);
  });

  it('opens from an error by its request id', async () => {
    const { agents } = await server.call('GET', '/api/agents');
    const [agent] = agents as { id: string }[];
    const page = await browser.open(`${server.url}/runs/${agent?.id}/${randomUUID()}`, { allow: /status of 404/ });
    await page.getByRole('link', { name: 'Request in the log' }).first().click();
    await page.waitForURL(/\/logs\?requestId=/);
    const id = new URL(page.url()).searchParams.get('requestId') ?? '';
    await page.getByText(`Request ${id}`).waitFor();
    const lines = log(page).locator('.log-row');
    await lines.first().waitFor();
    await page.getByRole('button', { name: 'Show all requests' }).click();
    await expect(lines.nth(1).waitFor()).resolves.toBeUndefined();
  });

  it('has no accessibility errors with an open line, narrow and dark or wide and light', async () => {
    const faults = await accessibilityFaults(browser, `${server.url}/logs`, async (page) => page.locator('.log-open').last().click());
    expect(faults).toEqual([]);
  });
});

describe('the log of an agent', () => {
  it('links to its runs', async () => {
    server.model.next({ kind: 'reply', text: 'Yes.' });
    const { agents } = await server.call('GET', '/api/agents');
    const agentId = (agents as { id: string }[])[0]?.id;
    const { sessionId } = await server.call('POST', '/api/messaging/sessions', { agentId, userId: randomUUID() });
    await server.call('POST', `/api/messaging/sessions/${String(sessionId)}/messages`, { content: 'Hello?', transport: 'http' });
    const page = await browser.open(`${server.url}/logs`);
    await page.getByRole('tab', { name: 'Agents' }).click();
    await page.getByLabel('Entry type').selectOption('run_event');
    await page.getByText('completed').first().waitFor();
    await page.getByRole('link', { name: 'Run', exact: true }).first().click();
    await page.waitForURL(/\/runs\//);
    await page.locator('.stage-row').first().waitFor();
  });
});
