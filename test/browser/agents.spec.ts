// The pages of agents in a real browser, on the built server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { axe, NARROW, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

/** The browser itself reports each refused request. */
const REFUSED = /status of 4\d\d/;
const SECRET = 'the-secret-that-no-page-shows';

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({}, [
    { name: 'Ada', bio: 'Counts.', topics: ['numbers'], secrets: { WEATHER_TOKEN: SECRET } },
    { name: 'Bob', bio: 'Builds.' },
  ]);
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

interface Stored {
  readonly id: string;
  readonly name: string;
  readonly [field: string]: unknown;
}

async function stored(name: string): Promise<Stored | undefined> {
  const { agents } = (await server.call('GET', '/api/agents')) as { agents: Stored[] };
  const found = agents.find((agent) => agent.name === name);
  return found && ((await server.call('GET', `/api/agents/${found.id}`)) as Stored);
}

async function made(character: { readonly name: string; readonly [field: string]: unknown }): Promise<string> {
  return ((await server.call('POST', '/api/agents', { characterJson: { bio: 'Is here.', ...character } })) as Stored).id;
}

const title = (page: Page, name: string): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
const save = (page: Page): Locator => page.getByRole('button', { name: 'Save' });
const command = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name }).click();
};

describe('a character', () => {
  it('is created by the form, once the field with an error is corrected', async () => {
    const page = await browser.open(`${server.url}/agents`, { allow: REFUSED });
    await page.getByRole('link', { name: 'New' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Cleo');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('group', { name: 'Biography' }).getByText('Biography is missing').waitFor();
    await page.getByLabel('Biography 1').fill('Sails.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Fishes.');
    await page.getByRole('button', { name: 'Create' }).click();
    await title(page, 'Cleo');
    await page.getByText('Cleo was created and is running.').waitFor();
    expect(await stored('Cleo')).toMatchObject({ bio: ['Sails.', 'Fishes.'], status: 'active' });
    expect(page.url()).toBe(`${server.url}/agents/${(await stored('Cleo'))?.id}`);
    await page.locator('.agent-head').getByRole('switch', { name: 'Stop Cleo' }).uncheck();
    await page.goto(`${server.url}/?agent=${(await stored('Cleo'))?.id}`);
    const start = page.locator('.notice').getByRole('button', { name: 'Start Cleo' });
    await start.click();
    await start.waitFor({ state: 'detached' });
    await page.getByLabel('Message Cleo').waitFor();
    expect(await stored('Cleo')).toMatchObject({ status: 'active' });
  });

  it('is not created with the name of another', async () => {
    const page = await browser.open(`${server.url}/agents/new`);
    await page.getByRole('link', { name: /Ada/ }).first().waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Ada');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('An agent named Ada already exists. Choose another name.').first().waitFor();
    expect(await page.evaluate('document.activeElement.value')).toBe('Ada');
  });

  it('is changed field by field, and keeps drafts while the user visits another page', async () => {
    const id = await made({ name: 'Dora', topics: ['maps'], settings: { SPECIAL: { kept: true } } });
    const page = await browser.open(`${server.url}/agents/${id}`);
    await page.getByLabel('System prompt').fill('Be brief.');
    await page.getByRole('button', { name: 'Remove entry 1 of Topics' }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Temperature').fill('0.4');
    await page.getByRole('link', { name: 'Bob' }).click();
    await title(page, 'Bob');
    await page.goBack();
    expect(await page.getByLabel('Temperature').inputValue()).toBe('0.4');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved.').waitFor();
    expect(await stored('Dora')).toMatchObject({
      ...{ system: 'Be brief.', topics: [] },
      settings: { temperature: 0.4, SPECIAL: { kept: true } },
    });
    expect(await save(page).count()).toBe(0);
  });

  it("shows next to a service's address that its key is missing", async () => {
    const id = await made({ name: 'Emil', secrets: { OPENAI_API_KEY: 'old' } });
    const page = await browser.open(`${server.url}/agents/${id}?tab=settings`, { allow: REFUSED });
    const address = page.getByLabel('OpenAI-compatible chat');
    await address.fill('https://models.example.com/v1');
    await save(page).click();
    await page.locator('.service', { has: address }).getByText('must be changed together with OPENAI_API_KEY').waitFor();
    expect(await address.getAttribute('aria-invalid')).toBe('true');
    await page.locator('.service', { has: address }).getByLabel('OPENAI_API_KEY').fill('new');
    await save(page).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored('Emil')).toMatchObject({ settings: { OPENAI_BASE_URL: 'https://models.example.com/v1' } });
  });

  it('is edited as JSON, with errors of syntax and content', async () => {
    const id = await made({ name: 'Fred', lore: ['Old.'], topics: ['rain'] });
    const page = await browser.open(`${server.url}/agents/${id}?tab=json`, { allow: REFUSED });
    const json = page.getByLabel('Character as JSON');
    await json.fill('{ "name": "Fred", ');
    await page.getByText('This is not valid JSON').waitFor();
    await json.fill('{ "name": "Fred", "bio": 7, "mood": "blue" }');
    await save(page).click();
    await page.getByText('bio must be text or a list of texts').first().waitFor();
    await json.fill(`{ "name": "Fred", "bio": "Rests.", "topics": ["rain"], "secrets": { "NEW_TOKEN": "${SECRET}" } }`);
    await save(page).click();
    await page.getByText('Saved.').waitFor();
    const after = await stored('Fred');
    expect(after).toMatchObject({ bio: 'Rests.', topics: ['rain'], secrets: { NEW_TOKEN: '********' } });
    expect(after).not.toHaveProperty('lore');
    expect(await json.inputValue()).not.toContain(SECRET);
  });

  it('is exported, imported with another name, duplicated and deleted', async () => {
    const id = await made({
      name: 'Gina',
      bio: ['Paints.'],
      topics: ['colours'],
      settings: { APP_KEY: 'masked' },
      secrets: { A_KEY: SECRET },
    });
    const page = await browser.open(`${server.url}/agents/${id}`);
    await title(page, 'Gina');
    const [file] = await Promise.all([page.waitForEvent('download'), command(page, 'Export as a file')]);
    expect(file.suggestedFilename()).toBe('Gina.json');
    const text = await readFile(await file.path(), 'utf8');
    expect(JSON.parse(text)).toEqual({ id, name: 'Gina', bio: ['Paints.'], topics: ['colours'], settings: {} });

    await page.getByRole('button', { name: 'Import a character' }).click();
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles({ name: 'g.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await page.getByLabel('Name', { exact: true }).fill('Gina the second');
    await page.getByRole('button', { name: 'Create' }).click();
    await title(page, 'Gina the second');
    expect(await stored('Gina the second')).toMatchObject({ bio: ['Paints.'], topics: ['colours'] });

    await page.goto(`${server.url}/agents/${id}`);
    await title(page, 'Gina');
    await command(page, 'Duplicate');
    await page.getByText('Secrets are not copied. Set them under Secrets: A_KEY').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await title(page, 'Gina (copy)');
    await command(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Gina (copy) was deleted.').waitFor();
    expect(await stored('Gina (copy)')).toBeUndefined();
    expect(page.url()).toBe(`${server.url}/agents`);
  });
});

describe('secrets', () => {
  it('are set, replaced and removed, and never shown', async () => {
    const { id } = (await stored('Ada')) as Stored;
    const page = await browser.open(`${server.url}/agents/${id}?tab=secrets`);
    const answers: Promise<string>[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/api/agents')) answers.push(response.text().catch(() => ''));
    });
    const row = (name: string): Locator => page.getByRole('listitem').filter({ hasText: name });
    await row('WEATHER_TOKEN').getByText('Set', { exact: true }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('MAP_KEY');
    await page.getByLabel('Value').fill(`${SECRET}-2`);
    await page.getByRole('button', { name: 'Set the secret' }).click();
    await row('MAP_KEY').getByText('Will be set').waitFor();
    await page.getByRole('button', { name: 'Replace WEATHER_TOKEN' }).click();
    await page.getByLabel('New value of WEATHER_TOKEN').fill(`${SECRET}-3`);
    await save(page).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored('Ada')).toMatchObject({ secrets: { MAP_KEY: '********', WEATHER_TOKEN: '********' } });
    for (const tab of ['JSON', 'Settings', 'Secrets']) {
      await page.getByRole('tab', { name: tab }).click();
      const values = await page.evaluate<string>(`[...document.querySelectorAll('input, textarea')].map(({ value }) => value).join('\\n')`);
      expect((await page.content()) + values).not.toContain(SECRET);
    }
    await page.getByRole('button', { name: 'Remove MAP_KEY' }).click();
    await save(page).click();
    await row('MAP_KEY').waitFor({ state: 'detached' });
    expect((await stored('Ada'))?.['secrets']).toEqual({ WEATHER_TOKEN: '********' });
    expect((await Promise.all(answers)).join('')).not.toContain(SECRET);
  });
});

describe('knowledge', () => {
  const sections = (count: number): string =>
    Array.from({ length: count }, (_, index) => `# Part ${index + 1}\n\nThe kettle of part ${index + 1} whistles at noon.\n`).join('\n');

  it('accepts a document, shows live progress, and opens its pieces', async () => {
    const id = await made({ name: 'Hal' });
    const page = await browser.open(`${server.url}/agents/${id}?tab=knowledge`);
    await page.getByText('No documents yet.').waitFor();
    const buffer = Buffer.from(sections(60));
    await page.getByLabel('Choose documents').setInputFiles({ name: 'kettles.md', mimeType: 'text/markdown', buffer });
    const document = page.getByRole('listitem').filter({ hasText: 'kettles.md' });
    await document.getByText('Ready').waitFor();
    await document.getByText('60 pieces').waitFor();
    await page.getByRole('button', { name: 'kettles.md', exact: true }).click();
    await page.getByText('Part 60').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('Part 60').click();
    await page.getByText('The kettle of part 60 whistles at noon.').waitFor();
    expect(new URL(page.url()).searchParams.get('document')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('shows documents that other clients add and delete, and why one failed', async () => {
    const id = await made({ name: 'Ida' });
    const page = await browser.open(`${server.url}/agents/${id}?tab=knowledge`);
    await page.getByText('No documents yet.').waitFor();
    const { id: documentId } = await server.call('POST', `/api/agents/${id}/knowledge`, { name: 'Hours', text: 'We open at nine.' });
    const document = page.getByRole('listitem').filter({ hasText: 'Hours' });
    await document.getByText('Ready').waitFor();
    await server.call('DELETE', `/api/agents/${id}/knowledge/${documentId as string}`);
    await document.waitFor({ state: 'detached' });
    await page.getByText('Add an address').click();
    await page.getByLabel('Address of a document').fill('http://10.0.0.1/prices.html');
    await page.getByRole('button', { name: 'Add', exact: true }).first().click();
    const failed = page.getByRole('listitem').filter({ hasText: 'prices.html' });
    await failed.getByText('The address is not allowed').waitFor();
    await failed.getByText('Failed').waitFor();
  });
});

describe('a voice', () => {
  it('is played and selected', async () => {
    const { id } = (await stored('Bob')) as Stored;
    const page = await browser.open(`${server.url}/agents/${id}?tab=voice`);
    const [spoken] = await Promise.all([
      page.waitForResponse((response) => response.url().includes('/speech/generate')),
      page.getByRole('button', { name: 'Hear SLT' }).click(),
    ]);
    expect(spoken.request().postDataJSON()).toMatchObject({ text: 'Hello, I am Bob.', voice: expect.any(String) });
    expect(spoken.headers()['content-type']).toBe('audio/wav');
    await page.getByRole('radio', { name: /SLT/ }).check();
    await save(page).click();
    await page.getByText('Saved.').waitFor();
    const { voices } = (await server.call('GET', `/api/audio/${id}/voices`)) as { voices: { id: string; name: string }[] };
    expect((await stored('Bob'))?.['settings']).toMatchObject({ voice: voices.find(({ name }) => name === 'SLT')?.id });
  });
});

describe('the pages of agents', () => {
  it.each(['character', 'settings', 'secrets', 'voice', 'knowledge', 'plugins', 'json'])(
    'have no accessibility errors: %s',
    async (tab) => {
      const { id } = (await stored('Ada')) as Stored;
      for (const options of [{ viewport: NARROW, dark: true }, {}]) {
        const page = await browser.open(`${server.url}/agents/${id}?tab=${tab}`, options);
        await title(page, 'Ada');
        await page.getByRole('tabpanel').getByRole('heading').first().waitFor();
        expect(await axe(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      }
    },
  );

  it('have no accessibility errors with an empty list, a dialog and error messages', async () => {
    const page = await browser.open(`${server.url}/agents`, { allow: REFUSED, viewport: NARROW, dark: true });
    await page.getByRole('link', { name: /Ada/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByLabel('Find an agent').fill('nobody');
    await page.getByText('No agents match.').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Import a character' }).click();
    await page.getByLabel('Or paste the JSON').fill('{');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This is not valid JSON').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'New' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('name is missing').first().waitFor();
    expect(await axe(page)).toEqual([]);
  });
});

describe('a thousand agents', () => {
  it('are listed immediately, found by name, and switched', async () => {
    const many = await ConsoleServer.start(
      {},
      Array.from({ length: 1000 }, (_, index) => ({ name: `Agent ${index + 1}`, bio: `Knows the number ${index + 1}.` })),
    );
    const page = await browser.open(`${many.url}/agents`);
    try {
      await page.getByText('1,000 agents, 1,000 running').waitFor();
      const rows = page.getByRole('list', { name: 'Agents' }).getByRole('listitem');
      expect(await rows.count()).toBeLessThan(60);
      await page.getByRole('list', { name: 'Agents' }).focus();
      await page.keyboard.press('End');
      await page.getByRole('link', { name: /Agent 999/ }).waitFor();
      await page.getByLabel('Find an agent').fill('number 777');
      await page.getByText('1 of 1,000 agents').waitFor();
      await page.getByRole('switch', { name: 'Stop Agent 777' }).uncheck();
      await page.getByRole('switch', { name: 'Start Agent 777' }).waitFor();
      await page.getByLabel('Find an agent').fill('');
      await page.getByText('1,000 agents, 999 running').waitFor();
    } finally {
      // It would ask the server that is gone.
      await page.close();
      await many.close();
    }
  });
});
