// The sign-in and the page of keys, on a server with an API key.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axe, NARROW, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

const API_KEY = 'the-key-of-the-operator';
/** The browser itself reports each refused request. */
const REFUSED = /status of 40[13]/;

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({ API_KEY });
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function signIn(page: Page, key: string, remember = false): Promise<void> {
  await page.getByLabel('API key').fill(key);
  if (remember) await page.getByLabel('Keep me signed in').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const heading = (page: Page): Promise<void> => page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
const newKey = (name: string, scope: string): Promise<Record<string, unknown>> =>
  server.call('POST', '/api/keys', { name, scope }, { 'x-api-key': API_KEY });
const withKey = async (key: string): Promise<number> => (await fetch(`${server.url}/api/agents`, { headers: { 'x-api-key': key } })).status;

describe('the sign-in', () => {
  it('refuses a wrong key, and goes on to the page that was asked for with the right one', async () => {
    const page = await browser.open(`${server.url}/keys`, { allow: REFUSED });
    await signIn(page, 'wrong');
    await page.getByText('The server does not accept this key.').waitFor();
    await signIn(page, API_KEY);
    await heading(page);
    expect(page.url()).toBe(`${server.url}/keys`);
  });

  it('keeps the key in the tab only, unless the person asks for more', async () => {
    const page = await browser.open(`${server.url}/keys`, { allow: REFUSED });
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await signIn(page, API_KEY);
    await heading(page);
    await page.reload();
    await heading(page);
    expect(addresses.filter((address) => address.includes(API_KEY))).toEqual([]);
    expect(await page.evaluate<string>('JSON.stringify(localStorage) + document.cookie')).not.toContain(API_KEY);
    const other = await browser.open(`${server.url}/keys`, { context: page.context(), allow: REFUSED });
    await signIn(other, API_KEY, true);
    await heading(other);
    const third = await browser.open(`${server.url}/keys`, { context: page.context() });
    await heading(third);
  });

  it('comes back when the key is revoked in mid-work, and returns to the same page', async () => {
    const made = await newKey('for a while', 'admin');
    const page = await browser.open(`${server.url}/keys`, { allow: REFUSED });
    await signIn(page, made['token'] as string);
    await heading(page);
    await server.call('DELETE', `/api/keys/${(made['key'] as { id: string }).id}`, undefined, { 'x-api-key': API_KEY });
    await page.getByLabel('API key').waitFor();
    await signIn(page, API_KEY);
    await heading(page);
    expect(page.url()).toBe(`${server.url}/keys`);
  });
});

describe('keys', () => {
  it('are made, shown once, used and revoked', async () => {
    const page = await browser.open(`${server.url}/keys`, { allow: REFUSED });
    await signIn(page, API_KEY);
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('The shop');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const token = (await dialog.locator('code').textContent()) ?? '';
    expect(await withKey(token)).toBe(200);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('row', { name: /The shop.*Valid/ }).waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke The shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /The shop.*Revoked/ }).waitFor();
    expect(await withKey(token)).toBe(401);
  });

  it('say clearly that a key with the scope read may not see them', async () => {
    const { token } = await newKey('reader', 'read');
    const page = await browser.open(`${server.url}/keys`, { allow: REFUSED });
    await signIn(page, token as string);
    await page.getByText('Your key may not use this page.').waitFor();
  });

  it('have no fault of accessibility, narrow and dark or wide and light', async () => {
    for (const options of [{ viewport: NARROW, dark: true }, {}]) {
      const page = await browser.open(`${server.url}/keys`, { ...options, allow: REFUSED });
      await signIn(page, API_KEY);
      await page.getByRole('row').first().waitFor();
      expect(await axe(page)).toEqual([]);
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByLabel('Name').waitFor();
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    }
  });
});
