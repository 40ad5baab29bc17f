// A document from its upload to the citation under an answer, on the built server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

const HANDBOOK = `# Warranty

Every kettle has a warranty of three years from the day of purchase.

# Returns

Returns are free within thirty days.`;

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start();
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe('a document', () => {
  it('is uploaded, used in a reply and cited, and the citation opens its piece', async () => {
    const { agents } = (await server.call('GET', '/api/agents')) as { agents: { id: string }[] };
    const page = await browser.open(`${server.url}/agents/${agents[0]?.id}?tab=knowledge`);
    const file = { name: 'handbook.md', mimeType: 'text/markdown', buffer: Buffer.from(HANDBOOK) };
    await page.getByLabel('Choose documents').setInputFiles(file);
    await page.getByRole('listitem').filter({ hasText: 'handbook.md' }).getByText('Ready').waitFor();

    await page.getByRole('link', { name: 'Chat' }).last().click();
    server.model.next({ kind: 'reply', text: 'Three years [1].' });
    await page.getByLabel('Message Ada').fill('How long is the warranty of a kettle?');
    await page.keyboard.press('Enter');
    await page.getByText('1 source').click();
    await page.locator('.sources').getByText('Every kettle has a warranty of three years from the day of purchase.').waitFor();
    await page.locator('.sources').getByRole('link', { name: 'handbook.md' }).click();

    const cited = page.getByRole('region', { name: 'Cited piece' });
    await cited.getByText('Every kettle has a warranty of three years').waitFor();
    expect(await cited.getByText('Returns are free').count()).toBe(0);
  });
});
