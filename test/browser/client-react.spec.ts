// The React program of docs/guides/clients.md, bundled as it stands and served by a plugin of the server whose agent it talks to.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import type { Locator, Page } from 'playwright-core';
import { TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

const ROOT = join(import.meta.dirname, '../..');

let browser: TestBrowser;
let server: ConsoleServer;

/** The program for browsers. */
async function bundled(): Promise<string> {
  const guide = await readFile(join(ROOT, 'docs/guides/clients.md'), 'utf8');
  const [, program] = /^```tsx\n(.*?)^```/ms.exec(guide)!;
  const client = (file: string): string => join(ROOT, 'client/dist', file);
  const { outputFiles } = await build({
    stdin: { contents: program!, loader: 'tsx', resolveDir: ROOT },
    bundle: true,
    format: 'iife',
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: { 'parley-client': client('index.js'), 'parley-client/react': client('react.js') },
    write: false,
  });
  return outputFiles[0]!.text;
}

beforeAll(async () => {
  const page =
    '<!doctype html><html lang="en"><title>App</title><link rel="icon" href="data:,"><body><script src="/app/program.js"></script></body></html>';
  const app = `const page = ${JSON.stringify(page)};
    const program = ${JSON.stringify(await bundled())};
    export default { name: 'app', routes: [
      { type: 'GET', path: '/app/page', public: true, handler: (request, response) => response.type('html').send(page) },
      { type: 'GET', path: '/app/program.js', public: true, handler: (request, response) => response.type('js').send(program) },
    ] };`;
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({}, [{ name: 'Iris', bio: 'Greets.' }], { 'app.mjs': app });
});
beforeEach(() => server.model.otherwise({ kind: 'reply', text: 'Nothing was scripted.' }));
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

const item = (page: Page, text: string | RegExp): Locator => page.getByRole('listitem').filter({ hasText: text });
const say = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Message').fill(text);
  await page.keyboard.press('Enter');
};

describe('useConversation', () => {
  it('shows messages and streaming replies, also in another tab and after a reload', async () => {
    const words = Array.from({ length: 100 }, (_, index) => `word${index} `);
    server.model.next({ kind: 'reply', deltas: words, delayMs: 50 });
    const page = await browser.open(`${server.url}/app/page`);
    await say(page, 'Speak slowly.');
    await item(page, /word3 .*…$/).waitFor();
    const other = await browser.open(`${server.url}/app/page`, { context: page.context() });
    await item(other, /word5 .*…$/).waitFor();
    await page.reload();
    for (const tab of [page, other]) {
      await item(tab, new RegExp(`word0 .*word99$`)).waitFor();
      expect(await item(tab, 'Speak slowly.').count()).toBe(1);
      expect(await item(tab, 'word0').count()).toBe(1);
    }
  });

  it('stops a reply, and reports why one failed', async () => {
    server.model.next({ kind: 'reply', deltas: Array.from({ length: 200 }, (_, index) => `part${index} `), delayMs: 50 });
    const page = await browser.open(`${server.url}/app/page`);
    await say(page, 'Go on for long.');
    await item(page, /part2 /).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    server.model.next({ kind: 'status', status: 401, message: 'Wrong key.' });
    await say(page, 'And now?');
    await page
      .getByRole('alert')
      .getByText(/requires an API key/)
      .waitFor();
    server.model.next({ kind: 'reply', text: 'Now it works.' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await item(page, 'Now it works.').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await item(page, 'And now?').count()).toBe(2);
  });

  it('reports a refused message, and resends it once', async () => {
    const page = await browser.open(`${server.url}/app/page`, { allow: /ERR_FAILED|400/ });
    const messages = '**/api/messaging/channels/*/messages';
    await page.route(messages, (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const error = { code: 'VALIDATION_ERROR', message: 'The message is too blue.', details: 'Write in another colour.' };
      return route.fulfill({ status: 400, json: { success: false, error } });
    });
    await say(page, 'A blue message.');
    await page.getByRole('alert').getByText('The message is too blue. Write in another colour.').waitFor();
    await page.unroute(messages);
    server.model.next({ kind: 'reply', text: 'Not blue at all.' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await item(page, 'Not blue at all.').waitFor();
    expect(await item(page, 'A blue message.').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('reports why a reply failed before its message was acknowledged', async () => {
    const page = await browser.open(`${server.url}/app/page`);
    let acknowledge = (): void => undefined;
    const failed = new Promise<void>((resolve) => (acknowledge = resolve));
    await page.route('**/api/messaging/channels/*/messages', async (route) => {
      const response = await route.fetch();
      await failed;
      await route.fulfill({ response });
    });
    server.model.next({ kind: 'status', status: 401, message: 'Wrong key.' });
    await say(page, 'Is it quick?');
    const alert = page.getByRole('alert').getByText(/requires an API key/);
    await alert.waitFor();
    acknowledge();
    // The form is emptied when the message is sent.
    await page.waitForFunction(
      (input) => (input as unknown as { value: string }).value === '',
      await page.getByLabel('Message').elementHandle(),
    );
    expect(await alert.count()).toBe(1);
  });

  it('keeps an unsent message when an earlier failure arrives after it', async () => {
    server.model.next({ kind: 'status', status: 401, message: 'Wrong key.' });
    const page = await browser.open(`${server.url}/app/page`, { allow: /400/ });
    await say(page, 'Which key?');
    await page
      .getByRole('alert')
      .getByText(/requires an API key/)
      .waitFor();
    let letEventsIn = (): void => undefined;
    const refused = new Promise<void>((resolve) => (letEventsIn = resolve));
    await page.route('**/api/messaging/channels/*/events?*', async (route) => {
      await refused;
      await route.continue();
    });
    const messages = '**/api/messaging/channels/*/messages';
    await page.route(messages, (route) => {
      const error = { code: 'VALIDATION_ERROR', message: 'The message is too red.', details: 'Write in another colour.' };
      return route.fulfill({ status: 400, json: { success: false, error } });
    });
    await page.reload();
    await say(page, 'A red message.');
    await page.getByRole('alert').getByText('The message is too red.').waitFor();
    letEventsIn();
    await page.unroute(messages);
    const other = await browser.open(`${server.url}/app/page`, { context: page.context() });
    server.model.next({ kind: 'reply', text: 'The other tab is heard.' });
    await say(other, 'From another tab.');
    // It is behind the earlier failure in the stream.
    await item(page, 'The other tab is heard.').waitFor();
    await page.getByRole('alert').getByText('The message is too red.').waitFor();
    server.model.next({ kind: 'reply', text: 'Not red at all.' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await item(page, 'Not red at all.').waitFor();
    expect(await item(page, 'A red message.').count()).toBe(1);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('does not report a failure again once the user has continued', async () => {
    server.model.next({ kind: 'status', status: 401, message: 'Wrong key.' });
    server.model.next({ kind: 'reply', text: 'It works again.' });
    const page = await browser.open(`${server.url}/app/page`);
    await say(page, 'And this key?');
    await page
      .getByRole('alert')
      .getByText(/requires an API key/)
      .waitFor();
    await say(page, 'And that key?');
    await item(page, 'It works again.').waitFor();
    server.model.next({ kind: 'reply', deltas: ['Slow ', ...Array<string>(200).fill('and '), 'sure.'], delayMs: 30 });
    await say(page, 'Slowly.');
    await item(page, /Slow .*…$/).waitFor();
    await page.reload();
    // It is behind the failure in the stream.
    await item(page, /Slow .*…$/).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
  });

  it('reports that the conversation cannot be opened, and opens it when possible', async () => {
    const page = await browser.open(`${server.url}/app/page`, { allow: /ERR_FAILED/ });
    await page.locator('input:enabled').waitFor();
    const opening = '**/api/messaging/dm-channel?*';
    await page.route(opening, (route) => route.abort());
    await page.reload();
    await page.getByRole('alert').getByText('The server did not respond.').waitFor();
    expect(await page.getByLabel('Message').isDisabled()).toBe(true);
    await page.unroute(opening);
    await page.getByRole('button', { name: 'Try again' }).click();
    server.model.next({ kind: 'reply', text: 'Here I am.' });
    await page.locator('input:enabled').waitFor();
    await say(page, 'Are you there?');
    await item(page, 'Here I am.').waitFor();
  });

  it('continues after the server was killed and restarted', async () => {
    server.model.next({ kind: 'reply', deltas: Array.from({ length: 80 }, (_, index) => `piece${index} `), delayMs: 50 });
    const page = await browser.open(`${server.url}/app/page`, { allow: /ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE/ });
    await say(page, 'Take your time.');
    await item(page, /piece5 /).waitFor();
    server.model.next({ kind: 'reply', text: 'It took two attempts.' });
    await server.kill();
    await page.getByRole('status').getByText('The connection is lost.').waitFor();
    await server.run();
    await item(page, 'It took two attempts.').waitFor();
    expect(await item(page, 'Take your time.').count()).toBe(1);
  });
});
