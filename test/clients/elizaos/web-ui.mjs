// The official web interface, served by a plugin, and the page of the API in a headless browser.
//   node test/clients/elizaos/web-ui.mjs FOLDER    where the package of the interface is unpacked, as the README shows; the browser is
//                                                  /usr/bin/chromium, or CHROMIUM; pictures go to the folder PICTURES, when it is set
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { startServer } from '../support/server.mjs';

const folder = process.argv[2];
if (!folder) throw new Error('Name the folder that @elizaos/client is unpacked in.');
const { resolve } = createRequire(join(folder, 'x.js'));
const site = join(dirname(resolve('@elizaos/client/package.json')), 'dist');

const place = await mkdtemp(join(tmpdir(), 'parley-web-'));
const plugin = join(place, 'web-ui');
await mkdir(plugin);
await cp(site, join(plugin, 'site'), { recursive: true });
await writeFile(join(plugin, 'package.json'), JSON.stringify({ name: 'web-ui', version: '1.0.0', type: 'module', main: 'index.js' }));
await writeFile(
  join(plugin, 'index.js'),
  `import { readdirSync, readFileSync } from 'node:fs';
const site = new URL('./site/', import.meta.url);
const page = readFileSync(new URL('index.html', site), 'utf8');
// Its log library makes functions of text, what the server's own policy forbids a page.
const policy = "default-src 'self'; script-src 'self' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self' data:; connect-src 'self' ws: wss:; media-src 'self' blob:";
const show = (request, response) =>
  response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Security-Policy', policy).send(page);
// The pages of the interface are made in the browser: each address is the same page.
const pages = ['/', '/chat/:agentId', '/chat/:agentId/:channelId', '/group/:channelId', '/logs', '/settings', '/settings/:agentId', '/create'];
export default {
  name: 'web-ui',
  description: 'The web interface',
  routes: [
    ...pages.map((path) => ({ type: 'GET', path, public: true, handler: show })),
    ...readdirSync(site).map((name) => ({ type: 'STATIC', path: '/' + name, filePath: 'site/' + name, public: true })),
  ],
};
`,
);

const server = await startServer({ env: { API_DIALECT: 'eliza', LOG_LEVEL: 'info', ENV_EDITABLE: 'TEA' }, plugins: [plugin] });
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
flags.push('--disable-background-networking', '--disable-component-update', '--disable-sync');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
const page = await context.newPage();
const seen = { failed: [], foreign: [], faults: [] };
page.on('response', (response) => {
  const url = new URL(response.url());
  if (url.origin !== server.url && url.protocol.startsWith('http')) seen.foreign.push(response.url());
  else if (response.status() >= 400) seen.failed.push(`${response.status()} ${response.request().method()} ${url.pathname}${url.search}`);
});
page.on('pageerror', (error) => seen.faults.push(error.message));
page.on('console', (message) => {
  if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) seen.faults.push(message.text());
});

const outcomes = [];
async function step(name, work) {
  try {
    await work();
    outcomes.push([name]);
  } catch (error) {
    outcomes.push([name, error.message]);
  }
  if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${outcomes.length}.png`) });
}

await step('agents are listed', async () => {
  await page.goto(server.url);
  await page.getByText('Ada', { exact: true }).first().waitFor({ timeout: 20_000 });
  await page.getByText('Bob', { exact: true }).first().waitFor({ timeout: 20_000 });
});
await step('a conversation over the socket', async () => {
  // A tour of the interface lies over it.
  await page.getByText('Skip', { exact: true }).click();
  await page.getByText('New Chat').first().click();
  await page.locator('textarea').first().waitFor();
  await page.locator('textarea').first().fill('Which tea wakes me in the morning?');
  await page.locator('textarea').first().press('Enter');
  await page.getByText('Which tea wakes me in the morning?').first().waitFor();
  await page.getByText('Ada answers questions about tea').first().waitFor({ timeout: 20_000 });
  await page.getByText('Connected').first().waitFor();
});
await step('history after a reload', async () => {
  await page.reload();
  await page.getByText('Which tea wakes me in the morning?').first().waitFor({ timeout: 20_000 });
  await page.getByText('Ada answers questions about tea').first().waitFor();
});
await step('a file', async () => {
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';
  await page.locator('input[type=file]').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') });
  await page.locator('textarea').first().fill('What is in this picture?');
  await page.locator('textarea').first().press('Enter');
  await page.getByText('What is in this picture?').first().waitFor();
  const shown = page.locator('img[src*="/media/uploads/"]').first();
  await shown.waitFor({ timeout: 20_000 });
  const width = await shown.evaluate((picture) => picture.decode().then(() => picture.naturalWidth));
  if (width !== 1) throw new Error(`the picture is ${width} wide`);
});
await step('the panel beside it: runs, model calls, memories', async () => {
  const panel = page.locator('button:has(svg.lucide-panel-right)').first();
  await panel.click();
  const open = async (name) => page.getByRole('tab', { name }).click();
  await open('Timeline');
  await page.getByText('AGENT INVOCATION').first().waitFor();
  await open('Model Calls');
  await page.getByText('TEXT_LARGE').first().waitFor();
  await open('Memories');
  await page.getByText('Which tea wakes me in the morning?').nth(1).waitFor();
});
await step('a group of two agents', async () => {
  await page.goto(server.url);
  await page.getByText('Create New', { exact: true }).first().click();
  await page.getByText('Create New Group').first().click();
  await page.getByPlaceholder('Leave blank').fill('Tea club');
  await page.getByText('Select agents...').click();
  const choice = page.locator('.max-h-60');
  for (const name of ['Ada', 'Bob']) await choice.locator('> div', { hasText: name }).click();
  await page.getByText('Chat Name (Optional)').click();
  await page.getByRole('button', { name: 'Create Group' }).click();
  await page.locator('textarea').first().fill('Ada, which tea calms me?');
  await page.locator('textarea').first().press('Enter');
  await page.getByText('Ada answers questions about tea').first().waitFor({ timeout: 20_000 });
});
await step('an agent is made and started', async () => {
  await page.goto(`${server.url}/create`);
  await page.locator('input[name=name]').fill('Cleo');
  await page.locator('textarea[name=system]').fill('Answer shortly.');
  await page.getByText('Save', { exact: true }).click();
  const card = page.locator('[data-testid=agent-card]', { hasText: 'Cleo' }).or(page.locator('div:has(> button[role=switch])')).last();
  await card.getByRole('switch').click({ timeout: 20_000 });
  await poll(async () => (await get('/api/agents')).agents.some(({ name, status }) => name === 'Cleo' && status === 'active'));
});
await step('the environment is changed', async () => {
  await page.goto(`${server.url}/settings`);
  await page.getByPlaceholder('VARIABLE_NAME').fill('TEA');
  await page.getByPlaceholder('i9ju23nfsdf56').fill('green');
  await page.getByText('Add', { exact: true }).click();
  await page.getByText('Save Changes').click();
  await poll(async () => 'TEA' in (await get('/api/system/env/local')));
});
await step('logs streaming', async () => {
  await page.getByText('Logs', { exact: true }).first().click();
  await page
    .getByText('listening', { exact: false })
    .or(page.getByText('loaded', { exact: false }))
    .first()
    .waitFor({ timeout: 20_000 });
  const line = `a line of the test ${Date.now()}`;
  await fetch(`${server.url}/api/server/logs`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ logs: [{ level: 'info', message: line }] }),
  });
  await page.getByText(line).first().waitFor({ timeout: 20_000 });
});
await step('the page of the API', async () => {
  await page.goto(`${server.url}/api/docs`);
  await page.locator('#operations-tag-agents').click({ timeout: 20_000 });
  await page.locator('#operations-agents-agentsList').click();
  await page.getByRole('button', { name: 'Try it out' }).first().click();
  await page.getByRole('button', { name: 'Execute' }).first().click();
  await page.locator('.live-responses-table').getByText('"Ada"').first().waitFor({ timeout: 20_000 });
});

await browser.close();
await server.stop();
await rm(place, { recursive: true, force: true });
// The interface asks GitHub for releases and for a list of plugins; the policy of its page keeps that from leaving.
const faults = seen.faults.filter((text) => !/Content Security Policy|Failed to fetch (from|plugin) registry/.test(text));
outcomes.push(
  ['every request is answered well', list(seen.failed)],
  ['nothing goes elsewhere', list(seen.foreign)],
  ['no errors', list(faults)],
);
for (const [name, wrong] of outcomes) console.log(wrong === undefined ? `ok    ${name}` : `FAIL  ${name}: ${wrong}`);
process.exitCode = outcomes.every(([, wrong]) => wrong === undefined) ? 0 : 1;

async function get(path) {
  return (await (await fetch(server.url + path)).json()).data;
}

async function poll(holds) {
  const end = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it did not happen');
    await page.waitForTimeout(200);
  }
}

function list(found) {
  return found.length === 0 ? undefined : [...new Set(found)].join('\n');
}
