// /api/system/env/local, /api/server/stop, /api/server/servers, /api/server/debug/servers, /api/system/config
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { DEFAULT_SERVER_ID } from '../../src/core/ids/index.js';
import { MASK } from '../../src/core/secrets/index.js';
import { StopRequests } from '../../src/modules/system/index.js';
import { ADA, BOB } from '../support/create-test-app.js';
import { expectData, expectError, expectHybrid } from '../support/expect-envelope.js';
import { contractApp } from './support/contract-app.js';

const KEY = 'the-administrators-key';
const WITH_KEY = { headers: { 'x-api-key': KEY } };

const FILE = `# The server
LOG_LEVEL=info   # not more
export SERVER_PORT='3000'
OPENAI_API_KEY="sk-hunter2"
OTHER=hunter3

DATABASE_URL=postgres://me:hunter4@host/db
TEXT="two
lines"
`;

const BAD_CONTENTS: [name: string, body: unknown][] = [
  ['no content', {}],
  ['content that is null', { content: null }],
  ['content that is text', { content: 'A=1' }],
  ['content that is a list', { content: [] }],
  ['a value that is a list', { content: { A: [] } }],
  ['a value that is an object', { content: { A: {} } }],
  ['a name with a space', { content: { 'A B': 'x' } }],
  ['a name with an assignment', { content: { 'A=1\nB': 'x' } }],
  ['an empty name', { content: { '': 'x' } }],
  ['a value with every quote', { content: { A: `'"\`` } }],
  ['a value that a shell would run', { content: { A: "'$(id)" } }],
  ['a value of two lines', { content: { A: 'one\nPLUGINS=two' } }],
  ['a value with a carriage return', { content: { A: 'one\rPLUGINS=two' } }],
  ['a value that its setting cannot have', { content: { LOG_LEVEL: 'loud' } }],
  ['merge that is text', { content: {}, merge: 'false' }],
];

const VALUES = ['', 'plain', 'with space', "it's", 'say "hi"', 'a # b', 'a=b', '$HOME `x`', ' padded ', 'Grüße 👋', '\\n'];

describe.each(['/api/system/env/local', '/api/system/environment/local'])('%s [environment.file]', (path) => {
  const numbered = Array.from({ length: 8 }, (_, index) => `N${index}`);
  const app = contractApp({ API_KEY: KEY, ENV_EDITABLE: ['A', 'NEW', 'NUMBER', 'FLAG', 'OTHER', 'TEXT', 'VALUE', ...numbered].join() });
  const { api } = app;
  const file = (): string => app.test.config.envFile;
  const change = (body: unknown): ReturnType<typeof api.post> =>
    api.post(path, body, { headers: { ...WITH_KEY.headers, 'content-type': 'application/json' } });
  const shown = async (): Promise<Record<string, string>> => expectData(await api.get(path, WITH_KEY));

  beforeEach(() => writeFile(file(), FILE));

  it('shows values that are not secret and masks the others', async () => {
    expect(await shown()).toEqual({
      ...{ LOG_LEVEL: 'info', SERVER_PORT: '3000', OPENAI_API_KEY: MASK, OTHER: MASK, DATABASE_URL: MASK, TEXT: MASK },
    });
    expect(JSON.stringify((await api.get(path, WITH_KEY)).body)).not.toContain('hunter');
  });

  it('is empty without a file, and creates one that other users cannot read', async () => {
    await rm(file());
    expect(await shown()).toEqual({});
    expectHybrid(await change({ content: { LOG_LEVEL: 'debug' } }));
    expect(await readFile(file(), 'utf8')).toBe('LOG_LEVEL=debug\n');
    expect((await stat(file())).mode & 0o777).toBe(0o600);
  });

  it('merges: keeps comments, masked values and unnamed variables', async () => {
    const content = { LOG_LEVEL: 'debug', OPENAI_API_KEY: MASK, TEXT: null, NEW: 'it is', NUMBER: 7, FLAG: true };
    expect(expectHybrid(await change({ content }))).toEqual({ success: true, message: 'Local env updated' });
    expect(await readFile(file(), 'utf8')).toBe(
      `${FILE.slice(0, FILE.indexOf('TEXT')).replace('LOG_LEVEL=info   # not more', 'LOG_LEVEL=debug')}NEW='it is'\nNUMBER=7\nFLAG=true\n`,
    );
    expect(await readdir(dirname(file()))).not.toContain('.env.new');
  });

  it('replaces everything when merging is disabled', async () => {
    const content = { LOG_LEVEL: 'warn', OTHER: MASK, SERVER_PORT: 3000, DATABASE_URL: MASK };
    expectHybrid(await change({ content, merge: false }));
    expect(await readFile(file(), 'utf8')).toBe(
      "# The server\nLOG_LEVEL=warn\nexport SERVER_PORT='3000'\nOTHER=hunter3\n\nDATABASE_URL=postgres://me:hunter4@host/db\n",
    );
  });

  it.each(VALUES)('keeps the value %j unchanged', async (value) => {
    expectHybrid(await change({ content: { VALUE: value } }));
    const { parseEnv } = await import('node:util');
    expect(parseEnv(await readFile(file(), 'utf8'))).toMatchObject({ VALUE: value, OTHER: 'hunter3', TEXT: 'two\nlines' });
  });

  it('loses none of several concurrent changes', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => change({ content: { [`N${index}`]: index } })));
    expect(Object.keys(await shown()).filter((name) => /^N\d/.test(name))).toHaveLength(8);
  });

  it.each(BAD_CONTENTS)('refuses %s and changes nothing', async (_name, body) => {
    expectError(await change(body), 400, 'VALIDATION_ERROR');
    expect(await readFile(file(), 'utf8')).toBe(FILE);
  });

  it('requires an administrator', async () => {
    expectError(await api.get(path), 401, 'UNAUTHORIZED');
    expectError(await api.post(path, { content: {} }), 401, 'UNAUTHORIZED');
    expect(expectData(await api.get('/api/system/config')).requiresAuth).toBe(true);
  });
});

describe('the server', () => {
  const app = contractApp();
  const { api } = app;

  it('stops after its response, also with a JSON content type and no body [server.stop]', async () => {
    let stopped = 0;
    app.test.app.get(StopRequests).setHandler(() => (stopped += 1));
    const answer = await api.post('/api/server/stop', undefined, { headers: { 'content-type': 'application/json' } });
    expect(expectHybrid(answer)).toEqual({ success: true, message: 'Server stopping...' });
    expect(stopped).toBe(1);
  });

  it.each(['/api/server/servers', '/api/server/debug/servers'])(
    '%s lists message servers with their agents [clients.servers]',
    async (path) => {
      const data = expectHybrid(await api.get(path));
      expect(data).toMatchObject({
        count: 1,
        servers: [{ id: DEFAULT_SERVER_ID, status: 'active', agents: expect.arrayContaining([ADA.id, BOB.id]) }],
      });
      const listed = expectData(await api.get('/api/messaging/message-servers')).messageServers;
      expect(data.servers).toMatchObject(listed);
    },
  );

  it('returns its environment without secrets', async () => {
    const { runtime, environment } = expectHybrid(await api.get('/api/server/debug/servers'));
    expect(runtime).toMatchObject({
      agents: [{ name: 'Ada', status: 'active' }, { name: 'Bob' }],
      activeAgents: 2,
      connections: expect.any(Number),
      node: expect.any(String),
    });
    expect(environment).toMatchObject({ database: 'sqlite', configured: expect.arrayContaining(['DATA_DIR']) });
  });

  it('needs no key unless one is configured', async () => {
    expect(expectData(await api.get('/api/system/config'))).toEqual({ requiresAuth: false });
  });
});
