// Answers that ended early, and what the model thought, in a real browser.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axe, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

let browser: TestBrowser;
let server: ConsoleServer;

beforeAll(async () => {
  browser = await TestBrowser.start();
  // The name begins with a character of two code units.
  server = await ConsoleServer.start({}, [{ name: '𝒜da', bio: 'Counts.' }]);
});
beforeEach(() => server.model.otherwise({ kind: 'reply', text: 'Nothing was scripted.' }));
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

const event = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** Opens the page, and has the model answer with these bytes. */
async function asked(...pieces: string[]): Promise<Page> {
  server.model.next({ kind: 'wire', body: pieces.join('') });
  const page = await browser.open(server.url);
  await page.getByLabel('Message 𝒜da').fill('Count.');
  await page.keyboard.press('Enter');
  return page;
}

describe('a reply', () => {
  it("shows that the model's limit cut it off", async () => {
    const page = await asked(event({ content: 'One, two, thr' }), event({}, 'length'), 'data: [DONE]\n\n');
    const log = page.getByRole('log');
    await log.getByText('One, two, thr').waitFor();
    await log.getByText('The reply was cut off: the model reached its limit').waitFor();
    expect(await log.getByRole('button', { name: 'Send again' }).count()).toBe(1);
    expect(await page.locator('.agent-row .avatar').textContent()).toBe('𝒜');
    expect(await axe(page)).toEqual([]);
  });

  it('keeps its text when it is interrupted, and can be requested again', async () => {
    const page = await asked(event({ content: 'One, two, ' }), `data: ${JSON.stringify({ error: { message: 'CUDA out of memory' } })}\n\n`);
    const log = page.getByRole('log');
    await log.getByText('The reply was interrupted.').waitFor();
    expect(await log.getByText('One, two,').count()).toBe(1);
    await page.reload();
    const notice = log.locator('.notice');
    await notice.getByText('The reply was interrupted.').waitFor();
    await notice.getByRole('button', { name: 'Send again' }).click();
    await log.getByText('Nothing was scripted.').waitFor();
    await notice.getByRole('button', { name: 'Send again' }).waitFor({ state: 'detached' });
  });

  it("shows the model's reasoning only beside the reply", async () => {
    const page = await asked(event({ reasoning_content: 'They want numbers.' }), event({ content: 'One.' }), event({}, 'stop'));
    await page.getByRole('log').getByText('One.').waitFor();
    const why = page.getByRole('complementary', { name: 'Why this reply' });
    await why.getByText('18 characters').click();
    await why.getByText('They want numbers.').waitFor();
    expect(await page.getByRole('log').getByText('They want numbers.').count()).toBe(0);
  });
});
