// The figures over time, against what the API says.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { accessibilityFaults, TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

let browser: TestBrowser;
let server: ConsoleServer;
const agents = new Map<string, string>();

async function ask(agent: string, content: string): Promise<void> {
  const session = await server.call('POST', '/api/messaging/sessions', { agentId: agents.get(agent), userId: randomUUID() });
  const answer = server.call('POST', `/api/messaging/sessions/${String(session['sessionId'])}/messages`, { content, transport: 'http' });
  await answer.catch(() => undefined);
}

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start({ MODEL_PRICES: '{"gpt-4o-mini":{"input":1000,"output":1000}}' }, [
    { name: 'Ada', bio: 'Counts.' },
    { name: 'Bob', bio: 'Builds.' },
  ]);
  const { agents: all } = (await server.call('GET', '/api/agents')) as { agents: { id: string; name: string }[] };
  for (const { id, name } of all) agents.set(name, id);
  server.model.otherwise({ kind: 'reply', text: 'Done.' });
  for (const content of ['One', 'Two', 'Three']) await ask('Ada', content);
  await ask('Bob', 'Four');
  server.model.otherwise({ kind: 'status', status: 500, message: 'Broken.' });
  await ask('Bob', 'Five');
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

describe('the statistics', () => {
  it('equal those of the API, in total and by hour', async () => {
    const page = await browser.open(`${server.url}/statistics`);
    const total = (name: string): Promise<string> =>
      page
        .locator('.total')
        .filter({ has: page.locator('dt').getByText(name, { exact: true }) })
        .locator('dd')
        .innerText();
    await page.getByRole('figure').first().waitFor();
    expect(await total('Messages')).toBe('9');
    expect(await total('Replies')).toBe('4');
    expect(await total('Failed')).toMatch(/^1\s+20%$/);
    const { totals } = (await server.call('GET', '/api/server/statistics')) as { totals: { inputTokens: number; outputTokens: number } };
    expect(totals.inputTokens + totals.outputTokens).toBeGreaterThan(0);
    expect(await total('Tokens')).toContain(String(totals.inputTokens + totals.outputTokens));
    expect(await total('Cost')).toMatch(/\$/);
    expect(await total('Database now')).toMatch(/\d [kM]B/);
    const outcomes = page.getByRole('slider', { name: 'Replies by outcome' });
    expect(await outcomes.getAttribute('aria-valuetext')).toMatch(/: Replies 4, Stopped 0, Failed 1$/);
    await outcomes.focus();
    await page.keyboard.press('ArrowLeft');
    expect(await outcomes.getAttribute('aria-valuetext')).toMatch(/: Replies 0, Stopped 0, Failed 0$/);
  });

  it('are filtered by agent and range, also in the address', async () => {
    const page = await browser.open(`${server.url}/statistics?range=month&agent=${agents.get('Ada')}`);
    const messages = page.getByRole('slider', { name: 'Messages' });
    await messages.waitFor();
    expect(await messages.getAttribute('aria-valuetext')).toMatch(/: Messages 6$/);
    expect(await messages.getAttribute('aria-valuemax')).toBe('29');
    await page.getByLabel('Range').selectOption('7 days');
    await page.waitForURL(/range=week/);
    await page.locator('.chart-plot[aria-valuemax="167"]').first().waitFor();
  });

  it('have a table for each chart, and no accessibility errors', async () => {
    const faults = await accessibilityFaults(browser, `${server.url}/statistics`, async (page) => {
      const figure = page.getByRole('figure').filter({ hasText: 'Replies by outcome' });
      await figure.getByText('Show as table').click();
      await figure.getByRole('row').filter({ hasText: '4' }).last().getByRole('cell', { name: '1', exact: true }).waitFor();
    });
    expect(faults).toEqual([]);
  });
});
