// The page of memories, on the built server: what is changed and deleted there, and what becomes of it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { accessibilityFaults, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

let browser: TestBrowser;
/** With a language model, which notes facts about users. */
let server: ConsoleServer;
/** Without one: the offline responder answers from what the agent remembers. */
let offline: ConsoleServer;
let ada: string;

const FACT = 'Lives in Lisbon.';

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({ MEMORY_EXTRACTION: 'auto' });
  offline = await ConsoleServer.start({ MODEL_PROVIDER: 'offline' });
  server.model.otherwise(({ messages }) => {
    const [first] = messages as { content: unknown }[];
    const notes = JSON.stringify({ add: [{ text: FACT, key: 'home', sources: [6] }] });
    return { kind: 'reply', text: String(first?.content).startsWith('You keep notes') ? notes : 'I see.' };
  });
  const { agents } = (await server.call('GET', '/api/agents')) as { agents: { id: string }[] };
  ada = agents[0]?.id ?? '';
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
  await offline.close();
});

const log = (page: Page): Locator => page.getByRole('log');
const list = (page: Page): Locator => page.getByRole('list', { name: 'Memories' });

async function say(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message Ada').fill(text);
  await page.keyboard.press('Enter');
}

/** A session in which a person says these things and is answered. */
async function tell(texts: readonly string[], userId: string = randomUUID()): Promise<string> {
  const { sessionId } = await server.call('POST', '/api/messaging/sessions', { agentId: ada, userId, metadata: { username: 'Mona' } });
  for (const content of texts) {
    await server.call('POST', `/api/messaging/sessions/${String(sessionId)}/messages`, { content, transport: 'http' });
  }
  return userId;
}

/** A person of whom Ada has noted a fact. */
async function known(): Promise<string> {
  const userId = await tell(['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'I live in Lisbon.']);
  const end = performance.now() + 20_000;
  const path = `/api/memory/${ada}/users/${userId}/profile`;
  while (((await server.call('GET', path))['facts'] as unknown[]).length === 0) {
    if (performance.now() > end) throw new Error('nothing was noted in 20 s');
  }
  return userId;
}

const countOf = async (userId: string): Promise<number> =>
  ((await server.call('GET', `/api/agents/${ada}/memories?entityId=${userId}`))['memories'] as unknown[]).length;

describe('a memory', () => {
  it('changes the next reply when it is edited, and the reply links back to it and its message', async () => {
    const page = await browser.open(offline.url);
    await say(page, 'My cat is called Otto.');
    await log(page).locator('.of-agent').waitFor();

    await page.getByRole('link', { name: 'Memories' }).click();
    await list(page)
      .getByRole('link', { name: /^My cat is called Otto\. User · / })
      .click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Text').fill('My cat is called Max.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Version 1, changed by').waitFor();

    await page.goto(offline.url);
    await say(page, 'What is my cat called?');
    const answer = log(page).locator('.of-agent');
    await answer.getByText('Max').waitFor();
    expect(await answer.getByText('Otto').count()).toBe(0);

    const why = page.getByRole('complementary', { name: 'Why this reply' });
    const used = why.getByRole('listitem').filter({ hasText: 'My cat is called Max.' });
    await used.getByRole('link').click();
    await page.getByRole('link', { name: 'Show the message' }).click();
    await page.locator('[data-selected=true]').getByText('My cat is called Otto.').waitFor();
  });

  it('is found by words, author and room, which are in the address, and by meaning', async () => {
    const userId = await tell(['The zeppelin lands at noon.', 'The ship sails at ten.']);
    await tell(['A zeppelin is an airship.']);
    const page = await browser.open(`${server.url}/memories`);
    await page.getByLabel('Search').fill('zeppelin');
    await page.waitForURL(/search=zeppelin/);
    await list(page).getByText('A zeppelin is an airship.').waitFor();
    await page.getByLabel('Author').selectOption(userId);
    await list(page).getByText('A zeppelin is an airship.').waitFor({ state: 'detached' });
    await page.reload();
    await list(page).getByText('The zeppelin lands at noon.').waitFor();
    expect(await list(page).getByRole('listitem').count()).toBe(1);
    const room = await page.getByLabel('Room').locator('option').nth(1).getAttribute('value');
    await page.getByLabel('Room').selectOption(room);
    await page.waitForURL(/room=/);

    await page.getByRole('tab', { name: 'Search by meaning' }).click();
    await page.getByLabel('Message').fill('When does the zeppelin land?');
    await page.getByLabel('Id of the user').fill(userId);
    await page.getByRole('button', { name: 'Show recalled memories' }).click();
    await page.getByText('The zeppelin lands at noon.').waitFor();
    await page.reload();
    await page.getByText('The zeppelin lands at noon.').waitFor();
  });

  it('is deleted with others; one that cannot be deleted stays selected, with the reason', async () => {
    const userId = await tell(['First of three.', 'Second of three.', 'Third of three.']);
    const { memories } = (await server.call('GET', `/api/agents/${ada}/memories?entityId=${userId}`)) as {
      memories: { id: string; content: { text: string } }[];
    };
    const second = memories.find(({ content }) => content.text.startsWith('Second'))?.id ?? '';
    let cut = true;
    const page = await browser.open(`${server.url}/memories?user=${userId}`, {
      allow: /ERR_FAILED/,
      prepare: (opened) =>
        opened.route(`**/memories/${second}`, (route) => (cut && route.request().method() === 'DELETE' ? route.abort() : route.continue())),
    });
    await page.getByLabel('Select all shown').check();
    await page.getByText('3 selected').waitFor();
    await page.getByLabel('Select: Third of three.').uncheck();
    const remove = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    };
    await remove();
    await page.getByText('1 memory could not be deleted.').waitFor();
    await page.getByText('1 selected').waitFor();
    expect(await list(page).getByRole('listitem').count()).toBe(2);
    cut = false;
    await remove();
    await page.getByText('Second of three.').waitFor({ state: 'detached' });
    expect(await page.getByText('could not be deleted').count()).toBe(0);
    expect(await countOf(userId)).toBe(1);
  });
});

describe('a user', () => {
  it('has a profile whose facts link to their messages and can be corrected and deleted', async () => {
    const userId = await known();
    const page = await browser.open(`${server.url}/memories?user=${userId}`);
    await page.getByRole('link', { name: 'About this user' }).click();
    await page.getByRole('heading', { name: 'Mona' }).waitFor();
    await page.getByText('From 1 message').click();
    await page.getByText('I live in Lisbon.').waitFor();
    const profile = page.url();
    await page.getByRole('link', { name: 'Show the message' }).click();
    await page.locator('[data-selected=true]').getByText('I live in Lisbon.').waitFor();

    await page.goto(profile);
    await page.getByRole('button', { name: `Correct: ${FACT}` }).click();
    await page.getByLabel('Text').fill('Lives in Porto.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete: Lives in Porto.' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The agent has learnt no facts about this user.').waitFor();
  });

  it('is exported, and forgotten only after the beginning of the id is typed', async () => {
    const userId = await known();
    const page = await browser.open(`${server.url}/memories/users/${userId}?agent=${ada}`);
    const downloaded = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await readFile(await (await downloaded).path(), 'utf8');
    expect(JSON.parse(file)).toMatchObject({ userId });
    expect(file).toContain('I live in Lisbon.');

    await page.getByRole('button', { name: 'Forget this user' }).click();
    const dialog = page.getByRole('dialog');
    const go = dialog.getByRole('button', { name: 'Forget this user' });
    expect(await go.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('yes');
    expect(await go.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(userId.slice(0, 8));
    await page.keyboard.press('Enter');
    await page.getByText('Forgotten', { exact: true }).waitFor();
    await page.getByRole('row', { name: /^messages/ }).waitFor();
    expect(await countOf(userId)).toBe(0);
    await page.getByText('The agent has learnt no facts about this user.').waitFor();
    await page.reload();
    await page.getByText('Forgotten', { exact: true }).waitFor();
  });

  it('has no accessibility errors while confirming', async () => {
    const faults = await accessibilityFaults(browser, `${server.url}/memories/users/${randomUUID()}?agent=${ada}`, async (page) => {
      await page.getByRole('button', { name: 'Forget this user' }).click();
      await page.getByRole('dialog').waitFor();
    });
    expect(faults).toEqual([]);
  });
});
