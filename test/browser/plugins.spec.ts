// The plugins page, on the built server with a working plugin, a failing one, and a dead delivery.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { accessibilityFaults, axe, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

/** Fails for each order until the warehouse is open. */
const SHOP = `
let open = false;
export default {
  name: 'shop',
  description: 'Orders of the kettle shop',
  version: '1.4.0',
  config: { SHOP_KEY: { secret: true, description: 'Key of the warehouse' } },
  actions: [
    { name: 'ORDER', description: 'Orders a kettle.', handler: async () => ({ success: true, text: 'ordered' }),
      validate: async (runtime, message) => message.content.text.includes('kettle') },
    { name: 'REFUND', description: 'Pays back.', handler: async () => undefined, validate: async (runtime) => runtime.getSetting('SHOP_KEY') !== null },
  ],
  routes: [
    { type: 'POST', path: '/shop/open', public: true, handler: (request, response) => { open = true; response.json({ open }); } },
    { type: 'POST', path: '/shop/orders',
      webhook: { verify: () => true, mode: 'ack', attempts: 1, dedupe: (request) => String(request.body.number) },
      async handler() { if (!open) throw new Error('The warehouse is closed'); } },
  ],
};`;
const WEATHER = `import { forecast } from 'a-weather-service';\nexport default { name: 'weather', description: forecast };\n`;

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({}, undefined, { 'shop.mjs': SHOP, 'weather.mjs': WEATHER });
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe('the plugins', () => {
  it('show a failed one first, with the reason', async () => {
    const page = await browser.open(`${server.url}/plugins`);
    const list = page.getByRole('navigation', { name: 'Plugins' });
    await list.getByRole('link').first().click();
    await page.waitForURL(/\/plugins\/weather/);
    await page.reload();
    const reason = page.getByRole('alert');
    await reason.waitFor();
    const { plugins } = await server.call('GET', '/api/plugins');
    const failed = (plugins as { name: string; reason?: string }[]).find(({ reason: told }) => told !== undefined);
    expect(failed?.reason).toContain('a-weather-service');
    expect(await reason.textContent()).toBe(failed?.reason);
  });

  it('report problems in the status line, with a link', async () => {
    const page = await browser.open(server.url);
    await page.getByRole('button', { name: '1 problem' }).click();
    const dialog = page.getByRole('dialog', { name: 'Current problems' });
    await dialog.getByText('a-weather-service').waitFor();
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('link', { name: 'weather.mjs' }).click();
    await page.waitForURL(/\/plugins\/weather/);
    await page.getByRole('heading', { name: 'weather.mjs' }).waitFor();
  });

  it('show their actions and settings', async () => {
    const page = await browser.open(`${server.url}/plugins/shop/overview`);
    await page.getByText('Orders a kettle.').waitFor();
    const setting = page.getByRole('listitem').filter({ hasText: 'SHOP_KEY' });
    expect(await setting.innerText()).toMatch(/secret[^]*not set[^]*Key of the warehouse/);
  });

  it("list on an agent's page the actions offered for a message, and why others are not", async () => {
    const { agents } = (await server.call('GET', '/api/agents')) as { agents: { id: string }[] };
    const page = await browser.open(`${server.url}/agents/${agents[0]!.id}?tab=actions`);
    const order = page.getByRole('listitem').filter({ hasText: 'ORDER' });
    const refund = page.getByRole('listitem').filter({ hasText: 'REFUND' });
    await order.getByText('condition does not hold').waitFor();
    expect(await refund.innerText()).toContain('SHOP_KEY');
    await page.getByLabel('Message').fill('I would like a kettle');
    await page.getByRole('button', { name: 'Show offered actions' }).click();
    await order.getByText('offered', { exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
  });

  it('list the actions that were not offered under "Why this reply"', async () => {
    const { agents } = (await server.call('GET', '/api/agents')) as { agents: { id: string }[] };
    const session = await server.call('POST', '/api/messaging/sessions', { agentId: agents[0]!.id, userId: randomUUID() });
    await server.call('POST', `/api/messaging/sessions/${String(session['sessionId'])}/messages`, {
      content: 'A kettle?',
      transport: 'http',
    });
    const { runs } = (await server.call('GET', '/api/runs')) as { runs: { runId: string }[] };
    const page = await browser.open(`${server.url}/runs/${agents[0]!.id}/${runs[0]!.runId}`);
    await page.getByRole('heading', { name: 'Actions offered 1' }).waitFor();
    await page.getByText('1 not offered').click();
    await page.getByRole('listitem').filter({ hasText: 'REFUND' }).getByText('SHOP_KEY').waitFor();
  });

  it('show the response of a route', async () => {
    const page = await browser.open(`${server.url}/plugins/shop`);
    await page.getByRole('heading', { name: 'shop' }).waitFor();
    await page
      .getByRole('code')
      .filter({ hasText: /^\/shop\/orders$/ })
      .first()
      .waitFor();
    await page.getByText('public', { exact: true }).waitFor();
  });

  it('replay a dead delivery', async () => {
    await fetch(`${server.url}/shop/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ number: 4711 }),
    });
    const page = await browser.open(`${server.url}/plugins/shop/deliveries`);
    await page.getByRole('row', { name: /dead.*The warehouse is closed/ }).waitFor();
    await page.getByRole('button', { name: /Request of delivery/ }).click();
    await page.getByRole('dialog').getByText('"number": 4711').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await fetch(`${server.url}/shop/open`, { method: 'POST' });
    await page.getByRole('button', { name: /Replay delivery/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('row', { name: /done/ }).waitFor();
    const { deliveries } = await server.call('GET', '/api/plugins/shop/deliveries');
    expect(deliveries).toMatchObject([{ status: 'done', attempts: 1, error: null }]);
    await page.getByLabel('Status').selectOption('dead');
    await page.getByText('No deliveries match.').waitFor();
  });

  it('have no accessibility errors, narrow and dark or wide and light', async () => {
    for (const path of ['/plugins/weather.mjs/overview', '/plugins/shop/deliveries']) {
      const faults = await accessibilityFaults(browser, server.url + path, (page) => page.locator('.plugin-detail h2').waitFor());
      expect(faults).toEqual([]);
    }
  });
});
