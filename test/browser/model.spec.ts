// The page of the server's model, on the built server without a model of the environment.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axe, NARROW, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

const KEY = 'sk-of-the-administrator';
const REFUSED = /400|409/;

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({ OPENAI_BASE_URL: '' });
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function fill(page: Page, address: string): Promise<void> {
  await page.getByLabel('Service').selectOption('compatible');
  await page.getByLabel('Address').fill(address);
  await page.getByRole('textbox', { name: 'Model' }).fill('a-model');
  await page.getByLabel('API key').fill(KEY);
}

describe('the model of the server', () => {
  it('is tested, selected and used for the next message; the key stays hidden', async () => {
    const page = await browser.open(server.url);
    await page.getByRole('link', { name: 'Offline responder' }).click();
    await page.getByText('nothing: replies come from the knowledge of each character').waitFor();
    await fill(page, server.model.baseUrl);
    await page.getByText(/Addresses of this machine are allowed/).waitFor();
    server.model.next({ kind: 'status', status: 401 });
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/refused the API key.* Set the API key to a valid key\./).waitFor();
    server.model.next({ kind: 'reply', text: 'Good day to you.' });
    await page.getByRole('button', { name: 'Try it' }).click();
    await page.getByText(/It replied after .*: Good day to you\./).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    const { host } = new URL(server.model.baseUrl);
    await page.getByRole('definition').getByText(`a-model (${host})`).waitFor();
    expect(await page.getByLabel('API key').inputValue()).toBe('');
    expect(await page.content()).not.toContain(KEY);
    await page.goto(server.url);
    server.model.next({ kind: 'reply', text: 'From the chosen model.' });
    await page.getByRole('contentinfo').getByText(`a-model (${host})`).waitFor();
    await page.getByLabel('Message Ada').fill('Who answers?');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('From the chosen model.').waitFor();
    await page.goto(`${server.url}/model`);
    await page.getByRole('button', { name: 'Use no model' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No language model is in use.').waitFor();
  });

  it('reports a forbidden address on saving, with the label of the field', async () => {
    const page = await browser.open(`${server.url}/model`, { allow: REFUSED });
    await fill(page, 'http://192.168.7.7/v1');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Address is not allowed: it is not public\. .*OUTBOUND_ALLOWED_NETWORKS/).waitFor();
  });

  it('shows the error of an invalid address next to its field, once, until it changes', async () => {
    const page = await browser.open(`${server.url}/model`, { allow: REFUSED });
    await fill(page, 'foo bar');
    const fault = page.locator('.fault');
    for (const name of ['Try it', 'Save']) {
      await page.getByRole('button', { name }).click();
      await fault.getByText('Address must be an http or https address', { exact: true }).waitFor();
      expect(await page.locator('.toast').count()).toBe(0);
      await page.getByLabel('Address').fill(server.model.baseUrl);
      await fault.waitFor({ state: 'detached' });
      await page.getByLabel('Address').fill('foo bar');
    }
  });

  it.each([
    ['wide and light', {}],
    ['320 px wide and dark', { viewport: NARROW, dark: true }],
  ])('has an accessible form, %s', async (_name, options) => {
    const page = await browser.open(`${server.url}/model`, options);
    await page.getByLabel('Service').selectOption('ollama');
    await page.getByLabel('Address').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });
});
