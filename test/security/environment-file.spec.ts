// POST /api/system/env/local must not make the next start run code, send credentials elsewhere or let in others, whatever the way a name
// or a value is written. Without an API_KEY every program on the machine may call it.
import { execFileSync } from 'node:child_process';
import { lstat, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/core/clock/index.js';
import { isEditable, isProtected, loadConfig, registeredSettings } from '../../src/core/config/index.js';
import { UnitOfWork } from '../../src/core/database/index.js';
import { MASK } from '../../src/core/secrets/index.js';
import { EnvFile } from '../../src/modules/system/env-file.js';
import { ApiClient } from '../support/api-client.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';
import { expectError } from '../support/expect-envelope.js';

const FILE = "PLUGINS=./mine.mjs\nLOG_LEVEL=info\nAPI_KEY=old-key\nMINE='1'\nLOG_LEVEL=warn\n";

let test: TestApp;
const api = new ApiClient(() => test.url);

beforeAll(async () => {
  test = await createTestApp({ env: { ENV_EDITABLE: 'MINE, GREETING' } });
});
afterAll(() => test.close());
beforeEach(() => writeFile(test.config.envFile, FILE));

const guarded = (name: string): EnvFile => {
  const { app } = test;
  return new EnvFile(loadConfig({ ENV_EDITABLE: `MINE,${name}` }, '0'), app.get(UnitOfWork), app.get(Clock));
};
const change = (content: unknown, merge?: boolean): ReturnType<typeof api.post> => api.post('/api/system/env/local', { content, merge });
const file = (): Promise<string> => readFile(test.config.envFile, 'utf8');

const LOADS_CODE = [
  'PLUGINS',
  'NODE_OPTIONS',
  'NODE_PATH',
  'NODE_REPL_EXTERNAL_MODULE',
  'LD_PRELOAD',
  'DYLD_INSERT_LIBRARIES',
  'PATH',
  'BASH_ENV',
];
const OPENS_UP = [
  'API_KEY',
  'ELIZA_SERVER_AUTH_TOKEN',
  'CORS_ORIGIN',
  'ALLOWED_HOSTS',
  'SESSIONS_REQUIRE_AUTH',
  'TRUSTED_PROXIES',
  'RATE_LIMIT',
];
const REDIRECTS = [
  'CHARACTER.ADA.OPENAI_BASE_URL',
  'OPENAI_BASE_URL',
  'ANTHROPIC_BASE_URL',
  'OLLAMA_BASE_URL',
  'ELEVENLABS_BASE_URL',
  'DATABASE_URL',
  'SERVER_URL',
  'SERVER_HOST',
];
const BY_ENVIRONMENT = [
  'HTTPS_PROXY',
  'http_proxy',
  'ALL_PROXY',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'PGHOST',
];
const MOVES_FILES = [
  'DATA_DIR',
  'MEDIA_DIR',
  'CHARACTERS_DIR',
  'PLUGINS_DIR',
  'ENV_FILE',
  'FFMPEG_PATH',
  'SHERPA_TTS_DIR',
  'TEE_ROOT',
  'HOME',
  'TMPDIR',
];
const GUARDED = [...LOADS_CODE, ...OPENS_UP, ...REDIRECTS, ...BY_ENVIRONMENT, ...MOVES_FILES, 'SECRET_KEY', 'ENV_EDITABLE'];

it.each(GUARDED)('%s cannot be set, for any other content of the request [environment.guarded]', async (name) => {
  const answer = await change({ LOG_LEVEL: 'debug', [name]: '/tmp/evil.mjs' });
  expectError(answer, 403, 'FORBIDDEN');
  expect(answer.body.error.message).toContain(name);
  expect(answer.body.error.details).toContain('ENV_FILE');
  expect(await file()).toBe(FILE);
});

it.each(GUARDED)('%s cannot be opened by ENV_EDITABLE', (name) => {
  expect(() => guarded(name)).toThrow(`ENV_EDITABLE must not name ${name}.`);
});

it.each([
  ['taken out', { PLUGINS: null }, true],
  ['emptied', { API_KEY: '' }, true],
  ['left out of a file that is replaced', { LOG_LEVEL: 'warn', MINE: '1', API_KEY: MASK }, false],
])('a guarded variable cannot be %s', async (_how, content, merge) => {
  expectError(await change(content, merge), 403, 'FORBIDDEN');
  expect(await file()).toBe(FILE);
});

it.each(['plugins', 'Plugins', 'log_level', 'node_options', 'UNKNOWN', '__proto__', 'constructor', 'toString'])(
  'the name %s does not pass for an allowed one',
  async (name) => {
    expectError(await change(JSON.parse(`{"${name}":"x"}`)), 403, 'FORBIDDEN');
    expect(await file()).toBe(FILE);
  },
);

it.each(['export PLUGINS', 'PLUGINS ', ' PLUGINS', 'LOG_LEVEL=x\nPLUGINS', 'LOG_LEVEL\n', '﻿PLUGINS', 'PLUGINS\t', '#', 'A=B', 'ＰLUGINS'])(
  'the name %j is invalid',
  async (name) => {
    expectError(await change({ [name]: 'x' }), 400, 'VALIDATION_ERROR');
    expect(await file()).toBe(FILE);
  },
);

it.each([
  ['a line break', 'x\nPLUGINS=./evil.mjs'],
  ['a carriage return', 'x\rPLUGINS=./evil.mjs'],
  ['a quote and a line break', "x'\nPLUGINS='./evil.mjs"],
  ['every quote', `x'"\`\nPLUGINS=y`],
  ['a line separator and a quote', "'\u0085PLUGINS=y"],
  ['a command in back quotes', "it's `id`"],
  ['a command in brackets', "it's $(id)"],
  ['an end of text', 'x\0PLUGINS=y'],
])('a value with %s sets no other variable', async (_what, value) => {
  for (const name of ['MINE', 'OPENAI_MODEL']) expectError(await change({ [name]: value }), 400, 'VALIDATION_ERROR');
  expect(await file()).toBe(FILE);
});

it('an accepted value is text for a shell too', async () => {
  for (const value of ['$(touch /tmp/parley-was-here)', '`id`', '"; id; "', "it's", 'a && id', '$HOME', '\\$x', '#x', ' x ']) {
    expect((await change({ MINE: value })).status).toBe(200);
    expect(parseEnv(await file())['MINE']).toBe(value);
    const read = execFileSync('sh', ['-c', '. "$1"; printf %s "$MINE"', 'sh', test.config.envFile], { encoding: 'utf8' });
    expect(read).toBe(value);
  }
});

it('the whole file can be sent back as shown, with a permitted change [environment.guarded]', async () => {
  const { data } = (await api.get('/api/system/env/local')).body;
  expect(data).toMatchObject({ PLUGINS: './mine.mjs', API_KEY: MASK, LOG_LEVEL: 'warn' });
  for (const merge of [true, false]) {
    expect((await change({ ...data, GREETING: 'Hello', OPENAI_API_KEY: 'sk-new' }, merge)).status).toBe(200);
    expect(parseEnv(await file())).toEqual({
      ...{ PLUGINS: './mine.mjs', API_KEY: 'old-key', LOG_LEVEL: 'warn', MINE: '1' },
      ...{ GREETING: 'Hello', OPENAI_API_KEY: 'sk-new' },
    });
  }
});

it('a mask creates no missing variable', async () => {
  expect((await change({ NODE_OPTIONS: MASK, SECRET_KEY: MASK })).status).toBe(200);
  expect(await file()).toBe(FILE);
});

it("a link in the draft's place is not followed", async () => {
  const victim = join(test.config.dataDir, 'victim');
  await writeFile(victim, 'as it was');
  await symlink(victim, `${test.config.envFile}.new`);
  expect((await change({ LOG_LEVEL: 'debug' })).status).toBe(200);
  expect(await readFile(victim, 'utf8')).toBe('as it was');
  expect((await lstat(test.config.envFile)).isFile()).toBe(true);
});

describe('the settings', () => {
  it('are closed unless declared editable, and editable ones are no addresses, paths or permissions', () => {
    const open = registeredSettings().filter(({ name }) => isEditable(name, []));
    expect(open.length).toBeGreaterThan(10);
    for (const { name } of open) {
      expect(name).not.toMatch(/URL|DIR|PATH|(?<!PRO)FILE|HOST|PORT$|AUTH|ORIGIN|PROX|LIMIT_|^API_|SECRET|PLUGIN|EDITABLE/);
    }
    for (const { name } of registeredSettings()) expect(isProtected(name)).toBe(!isEditable(name, []));
  });

  it('stay guarded in any case of letters', () => {
    for (const name of GUARDED) expect([name.toLowerCase(), isProtected(name.toLowerCase())]).toEqual([name.toLowerCase(), true]);
    for (const name of ['GREETING', 'DEPLOYS_KEY', 'GITHUB_TOKEN', 'STRIPE_SECRET']) {
      expect([name, isProtected(name)]).toEqual([name, false]);
    }
  });
});
