// The page of backups, on the built server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TestBrowser } from './support/browser.js';
import { ConsoleServer } from './support/console-server.js';

// Takes long enough to be seen.
const LARGE = 400_000_000;
const OPERATOR = { 'x-api-key': 'the key of the operator' };

let browser: TestBrowser;
let server: ConsoleServer;

interface Backup {
  readonly name: string;
  readonly folder: string;
  readonly state: string;
}

beforeAll(async () => {
  browser = await TestBrowser.start();
  server = await ConsoleServer.start();
});
afterEach(() => browser.closePages());
afterAll(async () => {
  await browser.close();
  await server.close();
});

const backups = async (): Promise<readonly Backup[]> =>
  ((await server.call('GET', '/api/server/backups')) as { backups: readonly Backup[] }).backups;

describe('the page of backups', () => {
  it('creates a backup, shows the command that restores it, and deletes it', async () => {
    const page = await browser.open(`${server.url}/backup`);
    await page.getByText('No backups yet').waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText('Complete', { exact: true }).waitFor();
    await page.getByText('On request', { exact: true }).waitFor();
    const [made] = await backups();
    expect(made?.state).toBe('complete');
    await page.getByRole('button', { name: `Copy the command that restores ${made?.name}` }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`npx parley-server restore ${made?.folder}`);
    expect(await page.getByLabel('Command that restores a backup').textContent()).toBe(`npx parley-server restore ${made?.folder}`);
    await page.getByRole('button', { name: `Delete the backup ${made?.name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No backups yet').waitFor();
    expect(await backups()).toEqual([]);
  });

  it('shows the progress of a backup, and one that failed with its server', async () => {
    const { dataFolder } = await server.call('GET', '/api/server/status');
    const large = join(String(dataFolder), 'large.bin');
    await writeFile(large, Buffer.alloc(LARGE));
    const page = await browser.open(`${server.url}/backup`, { allow: /Failed to load resource|WebSocket/ });
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByRole('progressbar', { name: 'Backup progress' }).waitFor();
    await page.getByText(/% · .* of about 4\d\d MB/).waitFor();
    expect(await page.getByRole('button', { name: 'Back up now' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: /^Delete the backup/ }).count()).toBe(0);
    await server.kill();
    await rm(large);
    await server.run();
    await page.getByText('The server ended during the backup. Start a new one.').waitFor();
    await page.getByRole('button', { name: /^Delete the backup/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No backups yet').waitFor();
  });
});

describe('the backup page of a server with keys', () => {
  let keyed: ConsoleServer;

  beforeAll(async () => {
    keyed = await ConsoleServer.start({ API_KEY: OPERATOR['x-api-key'] });
  });
  // After `closePages`: an open page still asks its server.
  afterAll(() => keyed.close());

  it('names the missing scope of a key', async () => {
    const { token } = (await keyed.call('POST', '/api/keys', { name: 'reader', scope: 'read' }, OPERATOR)) as {
      token: string;
    };
    const page = await browser.open(`${keyed.url}/backup`, { storage: { 'parley.key': token }, allow: /403/ });
    await page.getByText('Your key does not give access to this page.').waitFor();
  });
});
