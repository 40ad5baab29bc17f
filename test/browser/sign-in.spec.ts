// A server with an API key: nothing is shown before the sign-in, and the key is kept no longer than asked.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axe, NARROW, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

const KEY = 'the key of the administrator of the tests';
/** What the browser itself writes about an answer of 401 or 403. */
const REFUSED = /status of 40[13]/;

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({ API_KEY: KEY });
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function signIn(page: Page, key: string, { remember = false } = {}): Promise<void> {
  await page.getByLabel('API key').fill(key);
  if (remember) await page.getByLabel('Keep me signed in').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const isSignedIn = (page: Page): Promise<void> => page.getByLabel('Message Ada').waitFor();
const asksForKey = (page: Page): Promise<void> => page.getByRole('heading', { name: 'Sign in' }).waitFor();

/** Where a script of the page, or a look over the shoulder, would find the key. */
async function placesOf(page: Page): Promise<{ address: boolean; cookie: boolean; tab: boolean; browser: boolean }> {
  const [cookie, tab, stored] = await page.evaluate<string[]>(
    `[document.cookie, JSON.stringify({ ...sessionStorage }), JSON.stringify({ ...localStorage })]`,
  );
  return {
    address: decodeURIComponent(page.url()).includes(KEY),
    cookie: (cookie ?? '').includes(KEY),
    tab: (tab ?? '').includes(KEY),
    browser: (stored ?? '').includes(KEY),
  };
}

describe('the sign-in', () => {
  it('precedes every page, and rejects a wrong key', async () => {
    const page = await browser.open(`${server.url}/runs`, { allow: REFUSED });
    await asksForKey(page);
    expect(await page.getByText('Ada').count()).toBe(0);
    await signIn(page, 'a wrong key');
    await page.getByText('The server does not accept this key.').waitFor();
    await signIn(page, KEY);
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
  });

  it('lasts for the tab only, over a reload', async () => {
    const addresses: string[] = [];
    const page = await browser.open(server.url, { allow: REFUSED });
    page.on('request', (request) => addresses.push(request.url()));
    await signIn(page, KEY);
    await isSignedIn(page);
    expect(await placesOf(page)).toEqual({ address: false, cookie: false, tab: true, browser: false });
    await page.reload();
    await isSignedIn(page);
    expect(addresses.filter((address) => decodeURIComponent(address).includes(KEY))).toEqual([]);
    const other = await browser.open(server.url, { context: page.context(), allow: REFUSED });
    await asksForKey(other);
  });

  it('is remembered on request until the sign-out', async () => {
    const page = await browser.open(server.url, { allow: REFUSED });
    await signIn(page, KEY, { remember: true });
    await isSignedIn(page);
    const other = await browser.open(server.url, { context: page.context(), allow: REFUSED });
    await isSignedIn(other);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await asksForKey(other);
    expect(await placesOf(other)).toEqual({ address: false, cookie: false, tab: false, browser: false });
  });

  it('removes all conversations at the sign-out', async () => {
    server.model.next({ kind: 'reply', text: 'A secret answer.' });
    const page = await browser.open(server.url, { allow: REFUSED });
    await signIn(page, KEY);
    await page.getByLabel('Message Ada').fill('A secret question');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('A secret answer.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await asksForKey(page);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('secret');
  });

  it('shows a restricted key its permitted pages, and explains the others', async () => {
    const { token } = await server.call('POST', '/api/keys', { name: 'a reader', scope: 'read' }, { 'x-api-key': KEY });
    const page = await browser.open(server.url, { allow: REFUSED });
    await signIn(page, token as string);
    await isSignedIn(page);
    const note = page.getByText('Your key can read this conversation, but not write to it.');
    await note.waitFor();
    await page.setViewportSize(NARROW);
    await note.waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    const reason = 'Your key has the scope Read; this requires Write.';
    for (const control of [
      page.getByRole('button', { name: 'Send', exact: true }),
      page.getByRole('switch', { name: 'Stop Ada' }),
      page.getByRole('button', { name: 'New agent' }),
      page.getByRole('button', { name: 'New group channel' }),
    ]) {
      expect([await control.isDisabled(), await control.getAttribute('title')]).toEqual([true, reason]);
    }
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('Your key does not give access to this page.').waitFor();
    expect(await page.getByRole('button', { name: 'New key' }).getAttribute('title')).toBe(
      'Your key has the scope Read; this requires Admin.',
    );
  });

  it('offers everything to the next key that has a wider scope', async () => {
    const [reader, writer] = await Promise.all(
      ['read', 'write'].map((scope) => server.call('POST', '/api/keys', { name: scope, scope }, { 'x-api-key': KEY })),
    );
    const page = await browser.open(server.url, { allow: REFUSED });
    await signIn(page, String(reader?.['token']));
    await page.getByText('Your key can read this conversation, but not write to it.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, String(writer?.['token']));
    await page.getByLabel('Message Ada').fill('May I?');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('May I?', { exact: true }).waitFor();
  });

  it('has no accessibility errors', async () => {
    for (const options of [{}, { viewport: NARROW, dark: true }]) {
      const page = await browser.open(server.url, { ...options, allow: REFUSED });
      await asksForKey(page);
      expect(await axe(page)).toEqual([]);
    }
  });
});
