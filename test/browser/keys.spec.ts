// The page of keys: a key that stops working while the console is open, and the audit log.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { TestBrowser } from './support/browser.js';
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

async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const heading = (page: Page): Promise<void> => page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor();
const newKey = (name: string, scope: string): Promise<Record<string, unknown>> =>
  server.call('POST', '/api/keys', { name, scope }, { 'x-api-key': API_KEY });

describe('a revoked key', () => {
  it('leads to the sign-in page, which returns to the previous page', async () => {
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

describe('the audit log', () => {
  const entries = (page: Page): Locator => page.getByRole('list', { name: 'Audit log' });

  it("shows the actor of each change, and links to the target and to the actor's other entries", async () => {
    const { token } = await newKey('for edits', 'admin');
    const { agents } = await server.call('GET', '/api/agents', undefined, { 'x-api-key': API_KEY });
    const [ada] = agents as { id: string }[];
    await server.call('PATCH', `/api/agents/${ada?.id}`, { bio: 'Counts better.' }, { 'x-api-key': String(token) });

    const page = await browser.open(`${server.url}/keys`, { allow: REFUSED });
    await signIn(page, API_KEY);
    await page.getByRole('tab', { name: 'Audit log' }).click();
    await page.waitForURL(/\/keys\/audit$/);
    const edited = entries(page).getByRole('listitem').filter({ hasText: 'Agent changed' });
    await edited.getByText('bio', { exact: true }).waitFor();
    await entries(page).getByText('Key created').first().waitFor();
    await edited.getByRole('link', { name: 'for edits' }).click();
    await page.waitForURL(/actor=key/);
    await page.reload();
    await edited.waitFor();
    expect(await entries(page).getByText('Key created').count()).toBe(0);
    await edited.getByRole('link', { name: ada?.id.slice(0, 8) ?? '' }).click();
    await page.getByRole('heading', { name: 'Ada' }).first().waitFor();
  });

  it('is filtered by action and time in its address, and loads more on scrolling', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `of many ${index}`);
    for (const name of names) await newKey(name, 'read');
    const page = await browser.open(`${server.url}/keys/audit`, { allow: REFUSED });
    await signIn(page, API_KEY);
    await page.getByLabel('Action').selectOption('key.created');
    const since = page.waitForRequest(/\/api\/audit\?.*from=\d+/);
    await page.getByLabel('Time').selectOption('hour');
    await since;
    await page.waitForURL(/action=key.created&within=hour/);
    await entries(page).getByText('of many 119').waitFor();
    expect(await entries(page).getByRole('listitem').count()).toBeLessThan(60);
    await entries(page).focus();
    while ((await entries(page).getByText('of many 0"').count()) === 0) await page.keyboard.press('PageDown');
  });

  it('can be filtered by every action of the reference', async () => {
    const reference = await readFile(join(import.meta.dirname, '../../docs/reference/audit.md'), 'utf8');
    const page = await browser.open(`${server.url}/keys/audit`, { allow: REFUSED });
    await signIn(page, API_KEY);
    const options = page.getByLabel('Action').locator('option');
    await options.first().waitFor({ state: 'attached' });
    const offered = await page.evaluate<string[]>("[...document.querySelectorAll('[aria-label=Action] option')].map(({ value }) => value)");
    const actions = [...reference.matchAll(/^\| `(\S+)`/gm)].map(([, action]) => action);
    expect(new Set(offered)).toEqual(new Set(['', ...actions]));
  });

  it('explains to a key without permission that it has none', async () => {
    const { token } = await newKey('no rights', 'read');
    const page = await browser.open(`${server.url}/keys/audit`, { allow: REFUSED });
    await signIn(page, String(token));
    await page.getByText('Your key does not give access to this page.').waitFor();
  });
});
