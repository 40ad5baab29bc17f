// The pages of channels and rooms, on the built server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { accessibilityFaults, NARROW, settled, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

const USER = randomUUID();

let browser: TestBrowser;
let server: ConsoleServer;
let agentId: string;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({ API_KEY: 'sesame' }, [
    { name: 'Ada', bio: 'Counts.' },
    { name: 'Bob', bio: 'Builds.' },
  ]);
  const { agents } = (await call('GET', '/api/agents')) as { agents: { id: string; name: string }[] };
  agentId = agents.find(({ name }) => name === 'Ada')?.id ?? '';
  server.model.otherwise({ kind: 'reply', text: 'Two kettles.' });
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

const STORAGE = { 'parley.key': 'sesame' };
const log = (page: Page): Locator => page.getByRole('log');
const open = (path: string, options = {}): Promise<Page> => browser.open(server.url + path, { storage: STORAGE, ...options });

function call(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  return server.call(method, path, body, { 'x-api-key': 'sesame' });
}

async function channel(name: string, participants: readonly string[] = [], serverId?: string): Promise<string> {
  const body = { name, type: 'GROUP', participantCentralUserIds: participants, ...(serverId !== undefined && { serverId }) };
  return String((await call('POST', '/api/messaging/channels', body))['id']);
}

async function post(channelId: string, content: string): Promise<string> {
  const body = { author_id: USER, author_display_name: 'Karl', content, transport: 'websocket' };
  const { userMessage } = await call('POST', `/api/messaging/channels/${channelId}/messages`, body);
  return (userMessage as { id: string }).id;
}

async function choose(page: Page, channelName: string, command: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${channelName}` }).click();
  await page.getByRole('menuitem', { name: command, exact: true }).click();
}

describe('the list of channels', () => {
  it('names direct channels and sessions after their participants', async () => {
    await call('POST', '/api/messaging/sessions', { agentId, userId: USER, metadata: { username: 'Karl' } });
    await call('GET', `/api/messaging/dm-channel?currentUserId=${USER}&targetUserId=${agentId}`);
    const page = await open('/channels');
    await page.getByRole('link', { name: /^Ada and Karl Direct/ }).waitFor();
    await page.getByRole('link', { name: 'Ada and A user' }).click();
    await page.getByRole('heading', { name: 'Ada and A user' }).waitFor();
    const ids = page.getByRole('link', { name: /[0-9a-f]{8}-[0-9a-f]{4}/ });
    expect(await ids.count()).toBe(0);
  });

  it('shows the channels of a message server, searches them, and creates one', async () => {
    const { id: serverId } = await call('POST', '/api/messaging/message-servers', { name: 'Annex' });
    await channel('Cellar', [], String(serverId));
    await channel('Attic', [], String(serverId));
    const page = await open('/channels');
    await page.getByLabel('Message server').selectOption('Annex');
    await page.getByText('2 channels').waitFor();
    await page.getByLabel('Find a channel').fill('cell');
    await page.getByText('1 channel', { exact: true }).waitFor();
    await page.getByRole('link', { name: /Cellar/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Cellar' }).waitFor();
    expect(await page.getByLabel('Message server').inputValue()).toBe(serverId);

    await page.getByRole('button', { name: 'New channel' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Cellar of wines');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Cellar of wines' }).waitFor();
    await page.getByText('2 channels').waitFor();
    await page.getByRole('tabpanel').getByText('Annex').waitFor();
  });
});

describe('a channel', () => {
  it("accepts a message in a user's name, shows the reply live, and links to its explanation", async () => {
    const id = await channel('Kitchen', [USER, agentId]);
    await post(id, 'Said before.');
    await log(await open(`/chat/${id}`))
      .getByText('Two kettles.')
      .waitFor();
    const page = await open(`/channels/${id}`);
    await log(page).getByText('Said before.').waitFor();
    await page.getByText('Post as a user').click();
    await page.getByLabel('Id of the user').fill(USER);
    await page.getByLabel('Name', { exact: true }).fill('Karl of the kitchen');
    await page.getByLabel('Text').fill('How many, Ada?');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    await log(page).getByText('Karl of the kitchen').waitFor();
    const answer = log(page).getByRole('article').nth(3);
    await answer.getByText('Two kettles.').waitFor();
    await answer.hover();
    await answer.getByRole('link', { name: 'Why this reply' }).click();
    await page.waitForURL(new RegExp(`/runs/${agentId}/`));
    await page.locator('.stage-row').first().waitFor();
  });

  it('reports an invalid author of a message', async () => {
    const page = await open(`/channels/${await channel('Strict')}`, { allow: /status of 400/ });
    await page.getByText('Post as a user').click();
    await page.getByLabel('Id of the user').fill('nobody');
    await page.getByLabel('Text').fill('Hello?');
    await page.getByRole('button', { name: 'Post', exact: true }).click();
    const fault = page.getByRole('status').filter({ hasText: /^Id of the user must be a UUID/, hasNotText: 'author_id' });
    await fault.getByRole('link', { name: 'Request in the log' }).waitFor();
    expect(await page.getByLabel('Text').inputValue()).toBe('Hello?');
  });

  it('deletes one message, and all', async () => {
    const id = await channel('Noticeboard', [USER]);
    for (const text of ['First.', 'Second.', 'Third.']) await post(id, text);
    const page = await open(`/channels/${id}`);
    const second = log(page).getByRole('article').filter({ hasText: 'Second.' });
    await second.hover();
    await second.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await second.waitFor({ state: 'detached' });
    await log(page).getByText('Third.').waitFor();
    await choose(page, 'Noticeboard', 'Delete all messages');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete all messages' }).click();
    await page.getByText('This channel has no messages.').waitFor();
    const { messages } = await call('GET', `/api/messaging/channels/${id}/messages`);
    expect(messages).toEqual([]);
  });

  it('is edited and deleted', async () => {
    const id = await channel('Old name', [agentId]);
    const page = await open(`/channels/${id}?tab=details`);
    await choose(page, 'Old name', 'Edit');
    await page.getByLabel('Name', { exact: true }).fill('New name');
    await page.getByLabel('Message during a reply').selectOption('reject');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'New name' }).waitFor();
    await page.getByRole('tabpanel').getByText('is refused').waitFor();
    await page.getByRole('link', { name: /New name/ }).waitFor();
    await choose(page, 'New name', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(`${server.url}/channels`);
    await expect(call('GET', `/api/messaging/channels/${id}`)).rejects.toThrow('CHANNEL_NOT_FOUND');
  });

  it('adds and removes agents and users', async () => {
    const id = await channel('Meeting', [agentId]);
    const page = await open(`/channels/${id}?tab=details`);
    const rows = page.locator('.participants > li');
    const ids = async (): Promise<unknown> => (await call('GET', `/api/messaging/channels/${id}/agents`))['participants'];
    await page.getByLabel('Who').selectOption('Bob');
    await page.getByRole('button', { name: 'Add' }).click();
    await rows.getByText('Bob').waitFor();
    await page.getByLabel('Id of the user').fill(USER);
    await page.getByRole('button', { name: 'Add' }).click();
    await rows.nth(2).waitFor();
    expect(await ids()).toContain(USER);
    for (const name of ['User', 'Bob']) {
      await page.getByRole('button', { name: `Remove ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await rows.getByText(name, { exact: true }).waitFor({ state: 'detached' });
    }
    expect(await ids()).toEqual([agentId]);
  });

  it('shows changes by other clients', async () => {
    const id = await channel('Shared');
    const page = await open(`/channels/${id}?tab=details`);
    await page.getByText('No participants: any user can post').waitFor();
    await call('PATCH', `/api/messaging/channels/${id}`, { name: 'Renamed', participantCentralUserIds: [agentId] });
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    await page.locator('.participants').getByText('Ada').waitFor();
    await call('DELETE', `/api/messaging/channels/${id}`);
    await page.getByText('This channel was deleted.').waitFor();
  });

  it('shows an old message by its address, above many newer ones, with few of them in the document', async () => {
    const id = await channel('Long', [USER]);
    const old = await post(id, 'The old one.');
    for (let index = 0; index < 260; index += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, more) => post(id, `Message ${index + more}`)));
    }
    const page = await open(`/channels/${id}?message=${old}`);
    await log(page).getByText('The old one.').waitFor();
    expect(await log(page).getByRole('article').count()).toBeLessThan(60);
    const other = await open(`/channels/${id}?message=${randomUUID()}`);
    await other.getByText('This message is no longer in the channel.').waitFor();
  });

  it('shows simultaneous messages in the order of the channel', async () => {
    const id = await channel('Burst', [USER]);
    await Promise.all(Array.from({ length: 40 }, (_, index) => post(id, `Message ${index}`)));
    const { messages } = (await call('GET', `/api/messaging/channels/${id}/messages`)) as {
      messages: { content: string; createdAt: string }[];
    };
    const page = await open(`/channels/${id}`);
    await log(page)
      .getByText(messages[0]?.content ?? '', { exact: true })
      .waitFor();
    const shown = await log(page).locator('.markdown').allInnerTexts();
    const rows = messages.map(({ content }) => content).reverse();
    expect(shown).toEqual(rows.slice(-shown.length));
  });

  it('explains the limits of a restricted key', async () => {
    const id = await channel('Closed');
    const { token } = await call('POST', '/api/keys', { name: 'Reader', scope: 'read', agents: [agentId] });
    const page = await open(`/channels/${id}`, { storage: { 'parley.key': String(token) }, allow: /status of 403/ });
    await settled(page);
    await page.getByText('This operation is not open to keys that are limited to some agents.').waitFor();
    await page.getByText(`It does not reach channelId ${id}.`).waitFor();
  });

  it.each(['', '?tab=details'])('has no accessibility errors, narrow and dark or wide and light: %s', async (parameters) => {
    const id = await channel('Accessible', [USER, agentId]);
    await post(id, 'One message.');
    const ready = async (page: Page): Promise<void> => {
      await settled(page);
      if (parameters === '') await page.getByText('Post as a user').click();
    };
    expect(await accessibilityFaults(browser, `${server.url}/channels/${id}${parameters}`, ready, { storage: STORAGE })).toEqual([]);
  });
});

describe('worlds and rooms', () => {
  it('are created, found by world, opened, renamed and deleted', async () => {
    const page = await open('/channels', { viewport: NARROW });
    await page.getByRole('tab', { name: 'Worlds and rooms' }).click();
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('Ada');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('menuitem', { name: 'New world' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Seaside');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('combobox', { name: 'World' }).selectOption('Seaside');
    await page.getByText('No rooms yet.').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('menuitem', { name: 'New room' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Pier');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pier' }).waitFor();
    await page.locator('.facts').getByText('Seaside').waitFor();
    await choose(page, 'Pier', 'Rename');
    await page.getByLabel('Name', { exact: true }).fill('Lighthouse');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Lighthouse' }).waitFor();
    await choose(page, 'Lighthouse', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No rooms yet.').waitFor();
  });

  it('link from a room to its channel and its memories', async () => {
    const id = await channel('Harbour', [USER, agentId]);
    await post(id, 'Is the harbour open, Ada?');
    const page = await open(`/channels/${id}`);
    await log(page).getByText('Two kettles.').waitFor();
    await page.getByRole('tab', { name: 'Worlds and rooms' }).click();
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('Ada');
    await page.getByRole('link', { name: /Harbour/ }).click();
    await page.getByRole('link', { name: 'Memories of this room' }).click();
    await page.getByText('Is the harbour open, Ada?').waitFor();
    await page.goBack();
    await page
      .locator('.facts')
      .getByRole('link', { name: id.slice(0, 8) })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor();
  });

  it('have no accessibility errors, narrow and dark or wide and light', async () => {
    const { rooms } = (await call('GET', `/api/agents/${agentId}/rooms`)) as { rooms: { id: string }[] };
    for (const room of ['', `&agent=${agentId}&room=${rooms[0]?.id}`]) {
      const url = `${server.url}/channels?view=rooms${room}`;
      expect(await accessibilityFaults(browser, url, settled, { storage: STORAGE })).toEqual([]);
    }
  });
});
