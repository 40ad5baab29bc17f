// parley doctor: what it finds, what it advises, and that it neither changes anything nor shows a secret.
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SCHEMA } from '../../src/app.module.js';
import { makeBackup } from '../../src/core/backup/index.js';
import { loadConfig } from '../../src/core/config/index.js';
import { Connection } from '../../src/core/database/index.js';
import { runCommand } from '../../src/cli/cli.js';
import type { Finding } from '../../src/operations/doctor/finding.js';
import { placeDatabase } from '../support/test-store.js';

const STRONG = '8f1d7c3e9ab24605d1e0f7b3c4a59682';

let folder: string;
let data: string;
let probe: Server;
/** What the server that answers probes says. */
let status = 200;

beforeAll(async () => {
  probe = createServer((_, response) => response.writeHead(status).end('{"checks":{"writes":"failing"}}')).listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
});
afterAll(() => new Promise((resolve) => probe.close(resolve)));
beforeEach(async () => {
  status = 200;
  folder = await mkdtemp(join(tmpdir(), 'parley-doctor-'));
  data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  await placeDatabase(loadConfig({ DATA_DIR: data }, '1.2.3'));
  await chmod(join(data, 'parley.sqlite'), 0o600);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Examined {
  readonly code: number | undefined;
  readonly out: string;
  readonly findings: readonly Finding[];
}

async function doctor(env: Record<string, string>, ...args: string[]): Promise<Examined> {
  let out = '';
  const all = { DATA_DIR: data, PLUGINS_DIR: join(folder, 'plugins'), ENV_FILE: join(folder, '.env'), SERVER_PORT: '0', ...env };
  const program = { version: '1.2.3', config: async () => loadConfig(all, '1.2.3'), start: async () => undefined };
  const code = await runCommand(['doctor', '--json', ...args], program, { out: (text) => (out += text), err: (text) => (out += text) });
  return { code, out, findings: (JSON.parse(out) as { findings: Finding[] }).findings };
}

/** Levels and texts of one subject. */
function about({ findings }: Examined, check: string): string[] {
  return findings.filter((each) => each.check === check).map(({ level, message, remedy = '' }) => `${level}: ${message} ${remedy}`);
}

describe('parley doctor reports', () => {
  it.each([
    ['credentials', {}, /^warning: API_KEY is not set.* Set API_KEY/],
    ['credentials', { SERVER_URL: 'https://agents.example.com' }, /^error: API_KEY is not set.*Set API_KEY/],
    ['credentials', { API_KEY: 'changeme' }, /^warning: API_KEY can be guessed/],
    ['credentials', { API_KEY: 'password', SERVER_HOST: '0.0.0.0' }, /^error: API_KEY can be guessed/],
    ['credentials', { API_KEY: 'a'.repeat(40), TRUSTED_PROXIES: 'loopback' }, /^error: API_KEY can be guessed/],
    ['credentials', { API_KEY: STRONG }, /^ok/],
    ['credentials', { API_KEY: STRONG, USER_TOKEN_SECRET: 'ab'.repeat(20) }, /^error: USER_TOKEN_SECRET/],
    ['credentials', { API_KEY: STRONG, SECRET_KEY: 'x'.repeat(40) }, /^error: SECRET_KEY can be guessed.*SECRET_KEY_PREVIOUS/],
    ['credentials', { API_KEY: STRONG, RATE_LIMIT: 'off' }, /^warning: .*RATE_LIMIT/],
    ['transport', {}, /^warning: SERVER_URL is not set/],
    ['transport', { SERVER_URL: 'http://agents.example.com' }, /^error: SERVER_URL is not https/],
    ['transport', { SERVER_URL: 'https://agents.example.com' }, /^warning: TRUSTED_PROXIES is not set/],
    ['transport', { SERVER_URL: 'https://agents.example.com', TRUSTED_PROXIES: 'loopback' }, /^ok/],
    ['transport', { SERVER_URL: 'https://a.example', TRUSTED_PROXIES: 'loopback', CORS_ORIGIN: '*' }, /^warning: .*CORS_ORIGIN/],
    [
      'transport',
      { SERVER_HOST: '0.0.0.0', API_KEY: STRONG, SERVER_URL: 'https://a.example', TRUSTED_PROXIES: '10.0.0.0/8' },
      /^warning: .*ALLOWED_HOSTS/,
    ],
    ['models', {}, /^warning: No language model/],
    ['models', { MODEL_PROVIDER: 'anthropic' }, /^error: .*ANTHROPIC_API_KEY is not set/],
    ['models', { OPENAI_API_KEY: STRONG }, /^ok/],
    ['operation', { LOG_LEVEL: 'debug' }, /^warning: LOG_LEVEL is debug/],
    ['operation', { LOG_LEVEL: 'silent' }, /^warning: LOG_LEVEL is silent/],
    ['operation', { PLUGINS_WATCH: 'true' }, /^warning: PLUGINS_WATCH/],
    ['operation', { UPGRADE_BACKUPS: '0' }, /^warning: .*UPGRADE_BACKUPS/],
    ['operation', { LOG_LEVLE: 'debug' }, /^warning: Parley does not read LOG_LEVLE.*LOG_LEVEL/],
    ['operation', {}, /^ok/],
    ['backups', { BACKUP_SCHEDULE: '0 3 * * *', BACKUP_DESTINATION: 's3://backups' }, /^ok/],
    ['backups', {}, /^warning: .*BACKUP_SCHEDULE/],
    ['database', {}, /^ok/],
    [
      'database',
      { DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/none' },
      /^error: The database postgres:\/\/a:\*\*\*@127.* cannot be opened/,
    ],
    ['database', { DATA_DIR: '/nowhere/at/all' }, /^warning: There is no database/],
    ['permissions', { DATA_DIR: '/nowhere/at/all' }, /^warning: DATA_DIR .* does not exist/],
    ['file system', {}, /^ok/],
    ['plugins', {}, /^ok/],
    ['server', {}, /^ok: No server runs/],
  ])('about %s with %j', async (check, env, expected) => {
    expect(about(await doctor(env as Record<string, string>), check)).toContainEqual(expect.stringMatching(expected));
  });

  it('every error of an invalid configuration, and checks the rest', async () => {
    const examined = await doctor({ SERVER_PORT: 'x', DATABASE_URL: 'mysql://' });
    expect(about(examined, 'configuration')).toEqual([
      expect.stringMatching(/^error: SERVER_PORT must.*Correct SERVER_PORT/),
      expect.stringMatching(/^error: DATABASE_URL must.*Correct DATABASE_URL/),
    ]);
    expect([examined.code, about(examined, 'node').length]).toEqual([1, 1]);
  });

  it('a database of another version, or with an unfinished move', async () => {
    const change = async (sql: string): Promise<void> => {
      const sqlite = await Connection.open(`sqlite:${join(data, 'parley.sqlite')}`, SCHEMA, 'write');
      await sqlite.rows(sql);
      await sqlite.close();
    };
    await change('CREATE TABLE unfinished_move (source text)');
    expect(about(await doctor({}), 'database')).toEqual([expect.stringMatching(/^error: .*a move that has not finished/)]);
    await change('DROP TABLE unfinished_move');
    await change(`DELETE FROM migrations WHERE name LIKE 'Statistics%'`);
    expect(about(await doctor({}), 'database')).toEqual([expect.stringMatching(/^warning: .*earlier version.*next start/)]);
    await change(`INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`);
    expect(about(await doctor({}), 'database')).toEqual([expect.stringMatching(/^warning: .*newer version.*can start on it/)]);
    await writeFile(join(data, 'parley.sqlite'), 'no database at all, but a text that is long enough to be seen as one'.repeat(9));
    expect(about(await doctor({}), 'database')).toEqual([expect.stringMatching(/^error: /)]);
  });

  it('a key that cannot decrypt the secrets of the database', async () => {
    const { Vault } = await import('../../src/core/vault/index.js');
    const own = await Vault.open({ dataDir: data, secretKey: STRONG, secretKeyPrevious: [] });
    const sqlite = await Connection.open(`sqlite:${join(data, 'parley.sqlite')}`, SCHEMA, 'write');
    await sqlite.rows('INSERT INTO vault_check (id, sealed) VALUES (1, ?)', [own.seal('check', 'check')]);
    await sqlite.close();
    expect(about(await doctor({ SECRET_KEY: STRONG }), 'database')).toEqual([expect.stringMatching(/^ok/)]);
    expect(about(await doctor({}), 'database')).toEqual([expect.stringMatching(/^error: .*secret\.key cannot be read.*Set SECRET_KEY/)]);
    await writeFile(join(data, 'secret.key'), `${'0a'.repeat(32)}\n`, { mode: 0o600 });
    expect(about(await doctor({}), 'database')).toEqual([expect.stringMatching(/^error: .*another key/)]);
    // It makes no key, as a server would.
    await rm(join(data, 'secret.key'));
    await doctor({});
    expect((await readdir(data)).filter((name) => !name.startsWith('parley.sqlite'))).toEqual([]);
  });

  it('files that other users can read', async () => {
    expect(about(await doctor({}), 'permissions')).toEqual([expect.stringMatching(/^ok/)]);
    await chmod(data, 0o755);
    await chmod(join(data, 'parley.sqlite'), 0o644);
    await writeFile(join(folder, '.env'), '', { mode: 0o640 });
    const found = about(await doctor({}), 'permissions');
    expect(found).toEqual([
      expect.stringMatching(/^warning: .*DATA_DIR.* chmod 700/),
      expect.stringMatching(/^error: .*parley\.sqlite.* chmod 600/),
      expect.stringMatching(/^error: .*\.env\. chmod 600/),
    ]);
  });

  it('an old backup, and one on the same disk as the data', async () => {
    const config = loadConfig({ DATA_DIR: data }, '1.2.3');
    await makeBackup(config, new Date('2020-01-01T00:00:00.000Z'));
    const found = about(await doctor({ BACKUP_SCHEDULE: '0 3 * * *' }), 'backups');
    expect(found).toEqual([
      expect.stringMatching(/^warning: The newest backup is \d{4} days old/),
      expect.stringMatching(/^warning: Backups are on the disk of the data.*BACKUP_DESTINATION/),
    ]);
  });

  it('a plugin that cannot be loaded', async () => {
    await mkdir(join(folder, 'plugins'));
    await writeFile(join(folder, 'plugins/broken.mjs'), 'export default {};');
    expect(about(await doctor({ PLUGINS: 'no-such-package' }), 'plugins')).toEqual([
      expect.stringMatching(/^error: The plugin .*broken\.mjs cannot be loaded/),
      expect.stringMatching(/^error: The plugin no-such-package cannot be loaded/),
    ]);
  });

  it('whether the server is ready, and whether its public address reaches it', async () => {
    const { port } = probe.address() as AddressInfo;
    const env = { SERVER_PORT: String(port) };
    expect(about(await doctor(env), 'server')).toEqual([expect.stringMatching(/^ok: The server is ready/)]);
    expect(about(await doctor({ ...env, SERVER_URL: 'http://127.0.0.1:1' }), 'server')).toEqual([
      expect.stringMatching(/^warning: .*SERVER_URL does not reach it: ECONNREFUSED/),
    ]);
    status = 503;
    expect(about(await doctor(env), 'server')).toEqual([expect.stringMatching(/^error: The server is not ready: .*writes.*failing/)]);
    status = 404;
    expect(about(await doctor(env), 'server')).toEqual([expect.stringMatching(/^error: Another program than Parley/)]);
  });
});

describe('the exit code', () => {
  const SOUND = { SERVER_URL: 'https://a.example', TRUSTED_PROXIES: 'loopback', API_KEY: STRONG };

  it('is 0 with warnings, 1 with errors, and 1 with warnings and --strict', async () => {
    expect((await doctor(SOUND)).code).toBe(0);
    expect((await doctor(SOUND, '--strict')).code).toBe(1);
    expect((await doctor({ ...SOUND, API_KEY: 'secret' })).code).toBe(1);
  });

  it('is 2 for an unknown option', async () => {
    const program = { version: '1', config: () => Promise.reject(new Error()), start: async () => undefined };
    expect(await runCommand(['doctor', '--all'], program, { out: () => undefined, err: () => undefined })).toBe(2);
  });
});

it('hides secrets, and lists errors first in the text output', async () => {
  const secrets = {
    API_KEY: 'hunter-22',
    SECRET_KEY: `${'q'.repeat(39)}7`,
    OPENAI_API_KEY: 'sk-1234567890',
    DATABASE_URL: 'postgres://a:hidden99@127.0.0.1:1/b',
  };
  const { out } = await doctor(secrets);
  for (const secret of ['hunter-22', 'qqqq', 'sk-123', 'hidden99']) expect(out).not.toContain(secret);
  let text = '';
  const all = { DATA_DIR: data, PLUGINS_DIR: join(folder, 'plugins'), SERVER_PORT: '0', ...secrets };
  const program = { version: '1', config: async () => loadConfig(all, '1'), start: async () => undefined };
  await runCommand(['doctor'], program, { out: (part) => (text += part), err: () => undefined });
  const levels = text.split('\n').flatMap((line) => /^(error|warning|ok) /.exec(line)?.[1] ?? []);
  expect(levels).toEqual([...levels].sort((a, b) => ['error', 'warning', 'ok'].indexOf(a) - ['error', 'warning', 'ok'].indexOf(b)));
  expect(text).toMatch(/\n\n\d+ errors?, \d+ warnings?, \d+ ok\n$/);
});
