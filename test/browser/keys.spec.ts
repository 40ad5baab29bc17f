// A key that stops working while the console is open.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
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

describe('a key that is revoked', () => {
  it('brings the sign-in back, which returns to the same page', async () => {
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
