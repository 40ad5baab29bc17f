// The first page in a real browser, on the built server.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { axe, NARROW, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({}, [
    { name: 'Ada', bio: 'Counts.', topics: ['numbers'] },
    { name: 'Bob', bio: 'Builds.' },
  ]);
});
beforeEach(() => server.model.otherwise({ kind: 'reply', text: 'Nothing was scripted.' }));
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

const message = (page: Page): Locator => page.getByLabel('Message Ada');
const log = (page: Page): Locator => page.getByRole('log');

async function say(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await page.keyboard.press('Enter');
}

describe('the chat', () => {
  it('goes from the first visit to the first answer by typing alone', async () => {
    server.model.next({ kind: 'reply', text: 'Seven times **six** is `42`.' });
    const page = await browser.open(server.url);
    await message(page).waitFor();
    await page.keyboard.type('What is seven times six?');
    await page.keyboard.press('Enter');
    await log(page).getByText('What is seven times six?').waitFor();
    const answer = log(page).getByText('Seven times six is 42.');
    await answer.waitFor();
    expect(await answer.locator('strong').textContent()).toBe('six');
    expect(await answer.locator('code').textContent()).toBe('42');
    expect(new URL(page.url()).pathname).toMatch(/^\/chat\/[0-9a-f-]{36}$/);
    await page.getByRole('complementary', { name: 'Why this answer' }).getByText('Open the run').waitFor();
  });

  it('shows an answer piece by piece, and another tab follows', async () => {
    // Long enough for a second tab to be opened on a busy machine.
    const words = Array.from({ length: 200 }, (_, index) => `word${index} `);
    server.model.next({ kind: 'reply', deltas: words, delayMs: 60 });
    const page = await browser.open(server.url);
    await say(page, 'Speak slowly.');
    await page.waitForURL(/\/chat\//);
    const other = await browser.open(page.url(), { context: page.context() });
    for (const tab of [page, other]) {
      await log(tab)
        .getByText(/word3 /)
        .waitFor();
      expect(
        await log(tab)
          .getByText(/word199/)
          .count(),
      ).toBe(0);
    }
    for (const tab of [page, other]) {
      await log(tab).getByText(words.join('').trim()).waitFor();
      expect(await log(tab).getByText(/word0/).count()).toBe(1);
    }
  });

  it('goes on where it was when the server is killed in mid-answer and started again', async () => {
    const words = Array.from({ length: 80 }, (_, index) => `piece${index} `);
    server.model.next({ kind: 'reply', deltas: words, delayMs: 50 }, { kind: 'reply', text: 'It took two attempts.' });
    const page = await browser.open(server.url, { allow: /ERR_CONNECTION|WebSocket|ERR_EMPTY|ERR_INCOMPLETE/ });
    await say(page, 'Take your time.');
    await log(page)
      .getByText(/piece5 /)
      .waitFor();
    await server.kill();
    await page.getByText('The connection to the server is lost.').waitFor();
    await server.run();
    await log(page).getByText('It took two attempts.').waitFor();
    await page.getByText('The connection to the server is lost.').waitFor({ state: 'detached' });
    expect(await log(page).getByText('Take your time.').count()).toBe(1);
    expect(
      await log(page)
        .getByText(/piece5 /)
        .count(),
    ).toBe(0);
  });

  it('shows a running answer again after a reload', async () => {
    const words = Array.from({ length: 60 }, (_, index) => `part${index} `);
    server.model.next({ kind: 'reply', deltas: words, delayMs: 40 });
    const page = await browser.open(server.url);
    await say(page, 'Again.');
    await log(page)
      .getByText(/part4 /)
      .waitFor();
    await page.reload();
    await log(page)
      .getByText(/part0 part1 part2 /)
      .waitFor();
    await log(page).getByText(words.join('').trim()).waitFor();
    expect(await log(page).getByRole('article').count()).toBe(2);
  });

  it('stops an answer', async () => {
    server.model.next({ kind: 'hang', after: 2, text: 'I will never' });
    const page = await browser.open(server.url);
    await say(page, 'Go on for ever.');
    await log(page).getByText('I will').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await log(page).getByText('The answer was stopped at the request of a client.').waitFor();
    server.model.next({ kind: 'reply', text: 'Here I am again.' });
    await say(page, 'Next.');
    await log(page).getByText('Here I am again.').waitFor();
  });

  it('says why an answer failed, and sends the message again', async () => {
    server.model.next({ kind: 'status', status: 500 });
    const page = await browser.open(server.url);
    await say(page, 'Fail once.');
    const again = log(page).getByRole('button', { name: 'Send again', exact: true }).last();
    await log(page).locator('.notice.bad').waitFor();
    server.model.next({ kind: 'reply', text: 'Now it works.' });
    await again.click();
    await log(page).getByText('Now it works.').waitFor();
  });

  it('renders nothing that a model could do harm with', async () => {
    const text =
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>[x](javascript:window.hacked=1) ![p](https://evil.example/p.png) **safe**';
    server.model.next({ kind: 'reply', text });
    const page = await browser.open(server.url);
    await say(page, 'Attack.');
    await log(page).locator('strong', { hasText: 'safe' }).waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await log(page).locator('img, script, a[href^="javascript"]').count()).toBe(0);
  });

  it('edits and deletes a message', async () => {
    server.model.next({ kind: 'reply', text: 'Understood.' });
    const page = await browser.open(server.url);
    await say(page, 'A tpyo.');
    await log(page).getByText('Understood.').waitFor();
    const mine = log(page).getByRole('article').first();
    await mine.hover();
    await mine.getByRole('button', { name: 'Edit' }).click();
    await mine.getByRole('textbox').fill('A typo.');
    await mine.getByRole('button', { name: 'Save' }).click();
    await log(page).getByText('A typo.').waitFor();
    await log(page).getByText('(edited)').waitFor();
    await mine.hover();
    await mine.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await log(page).getByText('A typo.').waitFor({ state: 'detached' });
  });

  it('has files in messages', async () => {
    const page = await browser.open(server.url);
    await page.locator('input[type=file]').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') });
    server.model.next({ kind: 'reply', text: 'A nice note.' });
    await say(page, 'Read this.');
    await log(page).getByRole('link', { name: 'note.txt' }).waitFor();
    await log(page).getByText('A nice note.').waitFor();
  });

  it('keeps the conversations with an agent, with their time left, and renews them', async () => {
    server.model.next({ kind: 'reply', text: 'One.' });
    const page = await browser.open(server.url);
    await say(page, 'The first conversation');
    await log(page).getByText('One.').waitFor();
    await page.getByRole('link', { name: 'New', exact: true }).click();
    server.model.next({ kind: 'reply', text: 'Two.' });
    await say(page, 'The second conversation');
    await log(page).getByText('Two.').waitFor();
    await page.getByRole('link', { name: /The first conversation/ }).click();
    await log(page).getByText('One.').waitFor();
    expect(await log(page).getByText('Two.').count()).toBe(0);
    await page.getByText(/\d+ mins? left/).waitFor();
    await page.getByRole('banner').or(page.locator('.conversation-head')).getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Renew the session' }).click();
    await page.getByText('The session is renewed.').waitFor();
  });

  it('opens a session that an app has made, with its time left, and leaves out what the user hides', async () => {
    const { agents } = (await server.call('GET', '/api/agents')) as { agents: { id: string; name: string }[] };
    const ada = agents.find(({ name }) => name === 'Ada')!.id;
    const session = await server.call('POST', '/api/messaging/sessions', { agentId: ada, userId: randomUUID() });
    const page = await browser.open(`${server.url}/chat/${String(session['channelId'])}`);
    await page.getByRole('heading', { level: 1, name: 'With Ada' }).waitFor();
    await page.getByText(/\d+ mins? left/).waitFor();
    await page.getByRole('button', { name: 'Actions for With Ada' }).click();
    await page.getByRole('menuitem', { name: 'Take off the list' }).click();
    await page.getByText('None yet. Type a message to begin.').waitFor();
    await page.reload();
    await page.getByText('None yet. Type a message to begin.').waitFor();
  });

  it('talks to several agents in a group channel', async () => {
    const page = await browser.open(server.url);
    await page.getByRole('button', { name: 'New group channel' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Workshop');
    await page.getByRole('dialog').getByLabel('Ada').check();
    await page.getByRole('dialog').getByLabel('Bob').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Workshop' }).waitFor();
    server.model.next({ kind: 'reply', text: 'Bob is here.' });
    await page.getByLabel('Message Ada, Bob').fill('Bob, are you there?');
    await page.keyboard.press('Enter');
    await log(page).getByText('Bob is here.').waitFor();
  });

  it('finds messages of the conversation', async () => {
    server.model.next({ kind: 'reply', text: 'A kettle boils water.' });
    const page = await browser.open(server.url);
    await say(page, 'What is a kettle?');
    await log(page).getByText('A kettle boils water.').waitFor();
    await page.getByRole('button', { name: 'Search in this conversation' }).click();
    await page.getByRole('dialog').getByRole('searchbox').fill('boils');
    await page.getByRole('dialog').getByText('A kettle boils water.').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('stops and starts an agent', async () => {
    const page = await browser.open(server.url);
    await page.getByRole('switch', { name: 'Stop Bob' }).click();
    await page.getByRole('switch', { name: 'Start Bob' }).click();
    await page.getByRole('switch', { name: 'Stop Bob' }).waitFor();
  });
});

describe('the first page', () => {
  it.each([
    ['wide and light', {}],
    ['320 px wide and dark', { viewport: NARROW, dark: true }],
  ])('is accessible, %s', async (_name, options) => {
    server.model.next({ kind: 'reply', text: 'An answer with `code`.\n\n```js\nlet a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |' });
    const page = await browser.open(server.url, options);
    await message(page).waitFor();
    expect(await axe(page)).toEqual([]);
    await say(page, 'Show me.');
    await log(page).getByText('let a = 1;').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
  });

  it('speaks German and Chinese', async () => {
    for (const [locale, text] of [
      ['de-DE', 'Nachricht an Ada'],
      ['zh-CN', '给 Ada 发消息'],
    ] as const) {
      const page = await browser.open(server.url, { locale });
      await page.getByLabel(text).waitFor();
    }
  });

  it('loads at most 200 kB of scripts', async () => {
    const page = await browser.open(server.url);
    await message(page).waitFor();
    const bytes = await page.evaluate<number>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(200_000);
  });

  it('says that there is no such page', async () => {
    const page = await browser.open(`${server.url}/nothing-here`);
    await page.getByText('There is no such page.').waitFor();
  });
});
