// The page of runs and the waterfall of one, on the built server with a plugin.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { TestBrowser } from './support/browser.js';
import { overlaps } from './support/overlaps.js';
import { ConsoleServer } from './support/console-server.js';

const CLOCK = `export default {
  name: 'clock',
  actions: [{ name: 'TELL_TIME', description: 'Tells the time.', handler: async () => ({ text: 'It is noon.' }) }],
  providers: [{ name: 'WEATHER', get: async () => ({ text: 'It rains.' }) }],
};`;

interface Stage {
  readonly kind: string;
  readonly name: string;
  readonly durationMs: number | null;
}

let browser: TestBrowser;
let server: ConsoleServer;
let agentId: string;
let runId: string;

beforeAll(async () => {
  browser = await TestBrowser.start();
  const characters = [
    { name: 'Ada', bio: 'Counts.', plugins: ['clock'] },
    { name: 'Bob', bio: 'Builds.' },
  ];
  server = await ConsoleServer.start({}, characters, { 'clock.mjs': CLOCK });
  agentId = await agentOf('Ada');
  server.model.next({ kind: 'calls', calls: [{ id: 'one', name: 'TELL_TIME', input: {} }] }, { kind: 'reply', text: 'It is noon.' });
  await ask(agentId, 'What time is it?');
  const { runs } = await server.call('GET', `/api/agents/${agentId}/runs`);
  runId = (runs as { runId: string }[])[0]?.runId ?? '';
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

async function agentOf(name: string): Promise<string> {
  const { agents } = await server.call('GET', '/api/agents');
  return (agents as { id: string; name: string }[]).find((agent) => agent.name === name)?.id ?? '';
}

/** Asks an agent in a session of its own, and waits for the answer. */
async function ask(agent: string, content: string): Promise<void> {
  const { sessionId } = await server.call('POST', '/api/messaging/sessions', { agentId: agent, userId: randomUUID() });
  await server.call('POST', `/api/messaging/sessions/${String(sessionId)}/messages`, { content, transport: 'http' });
}

describe('the runs', () => {
  it("show the server's waterfall: each stage with its name and duration", async () => {
    const page = await browser.open(`${server.url}/runs/${agentId}/${runId}`);
    await page.locator('.stage-row').first().waitFor();
    const { stages } = await server.call('GET', `/api/agents/${agentId}/runs/${runId}`);
    const told = (stages as Stage[]).filter(({ kind }) => kind !== 'context' && kind !== 'attempt');
    expect(told.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['waiting', 'recall', 'provider', 'model', 'action', 'storing']));
    const shown = await page.evaluate<string[][]>(
      `[...document.querySelectorAll('.stage-row')].map(({ dataset, lastElementChild }) =>
        [dataset.kind, dataset.name, dataset.duration, lastElementChild.textContent])`,
    );
    expect(shown.map((row) => row.slice(0, 3))).toEqual(told.map(({ kind, name, durationMs }) => [kind, name, String(durationMs)]));
    expect(shown.map(([, , , text]) => text)).toEqual(told.map(({ durationMs }) => asText(durationMs ?? 0)));
    await page.getByRole('definition').getByText('It is noon').first().waitFor();
    await page.getByRole('list').getByText('TELL_TIME').first().click();
    await page.getByText('It is noon.').first().waitFor();
  });

  it('are listed for all agents, and filtered by agent and state, also in the address', async () => {
    const bob = await agentOf('Bob');
    server.model.next({ kind: 'status', status: 500, message: 'It is away' });
    await ask(bob, 'Are you there?').catch(() => undefined);
    const page = await browser.open(`${server.url}/runs`);
    const rows = page.locator('tbody tr');
    await rows.nth(1).waitFor();
    await page.getByLabel('Status').selectOption('error');
    await page.getByRole('row', { name: /Are you there\?.*failed model unavailable/ }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.getByLabel('Agent').selectOption('Ada');
    await page.getByText('No runs match.').waitFor();
    await page.reload();
    await page.getByText('No runs match.').waitFor();
    await page.getByLabel('Status').selectOption('all');
    await page.getByRole('row', { name: /completed/ }).waitFor();
    // A run that begins while the page is open appears by itself.
    await ask(agentId, 'And now?');
    await rows.nth(1).waitFor();
  });
});

describe('the table of runs', () => {
  it('shows Markdown as plain text, and the page of a run renders it', async () => {
    server.model.next({ kind: 'reply', text: '## Two\n\n**Agents** know `kettles`, see [Knowledge](/docs/knowledge.md).\n\n- one\n- two' });
    await ask(agentId, 'What is **bold**?');
    const page = await browser.open(`${server.url}/runs`);
    const name = 'What is bold? Two Agents know kettles, see Knowledge. one two';
    const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) });
    await row.getByRole('link').first().click();
    await page.getByRole('definition').locator('strong', { hasText: 'Agents' }).waitFor();
  });

  it.each(['en-GB', 'de-DE'])('shows all columns beside long texts, 1280 px wide, in %s', async (locale) => {
    server.model.next({ kind: 'status', status: 500, message: 'It is away' });
    await ask(agentId, `Why ${'is it so '.repeat(30)}?`).catch(() => undefined);
    const page = await browser.open(`${server.url}/runs`, { locale, viewport: { width: 1280, height: 800 } });
    const table = page.locator('.table-scroll');
    await table
      .getByText(/is it so/)
      .first()
      .waitFor();
    const cut = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table-scroll'))`;
    expect(await page.evaluate(cut)).toBe(0);
    expect(await overlaps(page)).toEqual([]);
  });
});

function asText(ms: number): string {
  const [value, unit, digits] = ms < 1000 ? [ms, 'millisecond', ms < 1 ? 1 : 0] : [ms / 1000, 'second', ms < 10_000 ? 2 : 1];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits }).format(value);
}
