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
  it('leads from the first visit to the first reply by typing alone', async () => {
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
    await page.getByRole('complementary', { name: 'Why this reply' }).getByText('Open the run').waitFor();
  });

  it('shows a reply as it streams, also in another tab', async () => {
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

  it('resumes where it was when the server is killed during a reply and restarted', async () => {
    const words = Array.from({ length: 80 }, (_, index) => `piece${index} `);
    server.model.next({ kind: 'reply', deltas: words, delayMs: 50 }, { kind: 'reply', text: 'It took two attempts.' });
    const page = await browser.open(server.url, { allow: /ERR_CONNECTION|WebSocket|ERR_EMPTY|ERR_INCOMPLETE/ });
    await say(page, 'Take your time.');
    await log(page)
      .getByText(/piece5 /)
      .waitFor();
    await server.kill();
    await page.getByText('The connection to the server was lost.').waitFor();
    await server.run();
    await log(page).getByText('It took two attempts.').waitFor();
    await page.getByText('The connection to the server was lost.').waitFor({ state: 'detached' });
    expect(await log(page).getByText('Take your time.').count()).toBe(1);
    expect(
      await log(page)
        .getByText(/piece5 /)
        .count(),
    ).toBe(0);
  });

  it('shows a running reply after a reload', async () => {
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

  it('stops a reply', async () => {
    server.model.next({ kind: 'hang', after: 2, text: 'I will never' });
    const page = await browser.open(server.url);
    await say(page, 'Go on for ever.');
    await log(page).getByText('I will').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await log(page).getByText('The reply was stopped at the request of a client.').waitFor();
    server.model.next({ kind: 'reply', text: 'Here I am again.' });
    await say(page, 'Next.');
    await log(page).getByText('Here I am again.').waitFor();
  });

  it('shows why a reply failed in its place, also after a reload, and sends the message again', async () => {
    server.model.next({ kind: 'status', status: 500 });
    const page = await browser.open(server.url);
    await say(page, 'Fail once.');
    const again = log(page).getByRole('button', { name: 'Send again', exact: true }).last();
    await log(page).locator('.notice.bad').waitFor();
    server.model.next({ kind: 'reply', text: 'Now it works.' });
    await again.click();
    await log(page).getByText('Now it works.').waitFor();
    const failed = log(page).locator('.notice.bad');
    await failed.getByRole('button', { name: 'Send again' }).waitFor({ state: 'detached' });
    const order = async (): Promise<string[]> => {
      const texts = await log(page).getByRole('article').allInnerTexts();
      return texts.map((text) => /Fail once|Now it works|status 500/.exec(text)?.[0] ?? text);
    };
    const expected = ['Fail once', 'status 500', 'Fail once', 'Now it works'];
    expect(await order()).toEqual(expected);
    await page.reload();
    await failed.waitFor();
    expect(await order()).toEqual(expected);
    expect(await failed.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  });

  it('offers to resend a message whose reply failed, also after a reload', async () => {
    server.model.next({ kind: 'status', status: 500 });
    const page = await browser.open(server.url);
    await say(page, 'Fail and stay failed.');
    const failed = log(page).locator('.notice.bad');
    await failed.getByRole('button', { name: 'Send again' }).waitFor();
    await page.reload();
    await failed.getByRole('button', { name: 'Send again' }).waitFor();
  });

  it('queues messages while the server is unreachable, says so, and sends them once it responds', async () => {
    const page = await browser.open(server.url, { allow: /ERR_CONNECTION|WebSocket|ERR_EMPTY|ERR_INCOMPLETE/ });
    await say(page, 'Before.');
    await log(page).getByText('Nothing was scripted.').waitFor();
    const status = page.getByRole('contentinfo', { name: 'Server' });
    await status.getByText(/Uptime /).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.pane-buttons').getByRole('button', { name: 'Why this reply' }).click();
    await server.kill();
    await status.getByText('The server does not respond.').waitFor();
    expect(await status.innerText()).toBe('The server does not respond.');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await say(page, 'Held up.');
    await log(page).getByText('The server does not respond. It will be sent when the server responds again.', { exact: true }).waitFor();
    server.model.next({ kind: 'reply', text: 'Sent by itself.' });
    await server.run();
    await log(page).getByText('Sent by itself.').waitFor();
    expect(await log(page).getByText('Held up.').count()).toBe(1);
    await status.getByText('gpt-4o-mini').waitFor();
  });

  it('keeps one draft per conversation over a reload, until it is sent', async () => {
    const page = await browser.open(server.url);
    await message(page).fill('Not yet sent');
    await page.reload();
    expect(await message(page).inputValue()).toBe('Not yet sent');
    await page.keyboard.press('Enter');
    await log(page).getByText('Nothing was scripted.').waitFor();
    await message(page).fill('A second thought');
    await page.getByRole('link', { name: 'New', exact: true }).click();
    await page.getByText('Ada is ready.').waitFor();
    expect(await message(page).inputValue()).toBe('');
    await page.goBack();
    await log(page).getByText('Not yet sent').waitFor();
    expect(await message(page).inputValue()).toBe('A second thought');
  });

  it('shows every kind of message content', async () => {
    const page = await browser.open(server.url);
    await say(page, 'Hold on.');
    await log(page).getByText('Nothing was scripted.').waitFor();
    const addresses = [
      'javascript:window.hacked=1',
      'java\nscript:window.hacked=1',
      'data:text/html,x',
      '/media/../api/agents',
      'https://a.example/',
    ];
    const attachments = [null, 7, 'x', [], {}, { url: null, title: 7 }, { title: 'y'.repeat(500_000) }];
    const sources = [null, 7, [], {}, { documentId: 7, document: {}, place: [], quote: 7, reference: 'x' }];
    await page.route(/\/messages\?/, async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: { messages: Record<string, unknown>[] } };
      const answer = body.data.messages.find(({ isAgent }) => isAgent === true);
      Object.assign(answer!, {
        content: '>'.repeat(50_000),
        attachments: undefined,
        rawMessage: { attachments: [...attachments, ...addresses.map((url) => ({ url, title: 'A file', contentType: 'image/png' }))] },
        metadata: {
          actions: [null, 7, {}],
          sources: [...sources, ...addresses.map((url) => ({ documentId: '../x', document: 'A book', url }))],
        },
      });
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await log(page).getByText('Hold on.').waitFor();
    await log(page)
      .getByText(/sources/)
      .click();
    const links = await log(page)
      .locator('a[href]')
      .evaluateAll((all) => all.map((each) => (each as unknown as { href: string }).href));
    expect(links.filter((href) => !href.startsWith(server.url) && !href.startsWith('https://a.example/'))).toEqual([]);
    expect(links.filter((href) => href === 'https://a.example/')).toHaveLength(2);
    expect(await log(page).locator('img').count()).toBe(0);
    await say(page, 'Go on.');
    await log(page).getByText('Go on.').waitFor();
    // Its turn must not take the answer that the next test scripts.
    await log(page).getByText('Nothing was scripted.').waitFor();
  });

  it('renders no harmful output of a model', async () => {
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
    // The run of the reply is deleted with the message, and is asked for until it has ended.
    await page.getByRole('complementary', { name: 'Why this reply' }).getByText('completed', { exact: true }).waitFor();
    await mine.hover();
    await mine.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await log(page).getByText('A typo.').waitFor({ state: 'detached' });
  });

  it('shows files in messages', async () => {
    const page = await browser.open(server.url);
    await page.locator('input[type=file]').setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note.') });
    await page.getByText('7 bytes', { exact: true }).waitFor();
    server.model.next({ kind: 'reply', text: 'A nice note.' });
    await say(page, 'Read this.');
    await log(page).getByRole('link', { name: 'note.txt' }).waitFor();
    await log(page).getByText('A nice note.').waitFor();
  });

  it('keeps the permanent conversations with an agent, even for a browser that has lost them', async () => {
    server.model.next({ kind: 'reply', text: 'One.' });
    const page = await browser.open(server.url);
    await say(page, 'The first conversation');
    await log(page).getByText('One.').waitFor();
    await page.getByRole('link', { name: 'New', exact: true }).click();
    server.model.next({ kind: 'reply', text: 'Two.' });
    await say(page, 'The second conversation');
    await log(page).getByText('Two.').waitFor();
    await page.evaluate('localStorage.removeItem("parley.conversations")');
    await page.reload();
    await page.getByRole('link', { name: /The first conversation/ }).click();
    await log(page).getByText('One.').waitFor();
    expect(await log(page).getByText('Two.').count()).toBe(0);
    await page.getByRole('heading', { level: 1, name: 'The first conversation' }).waitFor();
    expect(await server.call('GET', '/api/messaging/sessions')).toMatchObject({ total: 0 });
  });

  it('continues a conversation with all messages after its session has expired, and the agent remembers it', async () => {
    const page = await browser.open(server.url, { allow: /410/ });
    await message(page).waitFor();
    const userId = await page.evaluate<string>('localStorage.getItem("parley.user")');
    const { agents } = (await server.call('GET', '/api/agents')) as { agents: { id: string; name: string }[] };
    const agentId = agents.find(({ name }) => name === 'Ada')!.id;
    const session = await server.call('POST', '/api/messaging/sessions', { agentId, userId });
    server.model.next({ kind: 'reply', text: 'A fine colour.' });
    await server.call('POST', `/api/messaging/sessions/${String(session['sessionId'])}/messages`, {
      content: 'My kettle is green.',
      transport: 'http',
    });
    // A page of a server that is down reports that it cannot connect.
    await page.goto('about:blank');
    await server.kill();
    await server.edit(
      `UPDATE sessions SET ${['created_at', 'renewed_at', 'last_activity', 'expires_at', 'next_deadline'].map((name) => `${name} = ${name} - 7200000`).join(', ')}`,
    );
    await server.run();
    await page.goto(`${server.url}/chat/${String(session['channelId'])}`);
    await log(page).getByText('A fine colour.').waitFor();
    server.model.next({ kind: 'reply', text: 'It is green.' });
    await say(page, 'Which colour has it?');
    await log(page).getByText('It is green.').waitFor();
    expect(await log(page).getByText('My kettle is green.').count()).toBe(1);
    expect(JSON.stringify(server.model.requests.at(-1))).toContain('My kettle is green.');
    await page.reload();
    await log(page).getByText('It is green.').waitFor();
    await say(page, 'Thank you.');
    await log(page).getByText('Nothing was scripted.').waitFor();
  });

  it("opens an app's session conversation, and hides it on request", async () => {
    const { agents } = (await server.call('GET', '/api/agents')) as { agents: { id: string; name: string }[] };
    const ada = agents.find(({ name }) => name === 'Ada')!.id;
    const session = await server.call('POST', '/api/messaging/sessions', { agentId: ada, userId: randomUUID() });
    const page = await browser.open(`${server.url}/chat/${String(session['channelId'])}`);
    await page.getByRole('heading', { level: 1, name: 'With Ada' }).waitFor();
    await page.getByRole('button', { name: 'Actions for With Ada' }).click();
    await page.getByRole('menuitem', { name: 'Remove from list' }).click();
    await page.getByText('None yet. Type a message to start one.').waitFor();
    await page.reload();
    await page.getByText('None yet. Type a message to start one.').waitFor();
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

  it('finds messages in the conversation', async () => {
    server.model.next({ kind: 'reply', text: 'A kettle boils water.' });
    const page = await browser.open(server.url);
    await say(page, 'What is a kettle?');
    await log(page).getByText('A kettle boils water.').waitFor();
    await page.getByRole('button', { name: 'Search this conversation' }).click();
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

  it('is available in German and Chinese', async () => {
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

  it('shows an error for an unknown page', async () => {
    const page = await browser.open(`${server.url}/nothing-here`);
    await page.getByText('Page not found.').waitFor();
  });
});
