// What an agent's secrets look like from outside: sealed in the database, masked in responses, absent from every file and log line.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { UnitOfWork } from '../../src/core/database/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { recentLines } from '../../src/core/logging/index.js';
import { AgentsService } from '../../src/modules/agents/index.js';
import { createApp } from '../../src/bootstrap/create-app.js';
import { ApiClient } from '../support/api-client.js';
import { createTestApp, type TestApp } from '../support/create-test-app.js';

const CANARY = 'canary-5f1e0c7a-not-to-be-seen';
// No secret is this text alone, or it would be found in all the others.
const SEEDED = 'seeded-9c41d7aa';
const SPY = { id: idFromText('Spy'), name: 'Spy' };
const CHARACTERS = [
  { name: SPY.name, bio: 'Keeps secrets.', secrets: { SPY_TOKEN: CANARY }, settings: { secrets: { INNER_TOKEN: `${CANARY}-inner` } } },
];

const SPILL = `export default {
  name: 'spill',
  config: { SPILL_COLOUR: { secret: true } },
  init(config, runtime) {
    runtime.logger.warn('it is ' + config.SPILL_COLOUR + ' and ' + runtime.getSetting('SPY_PASSWORD'), { also: config.SPILL_COLOUR });
  },
  routes: [{ type: 'GET', path: '/spill', handler(request, response, runtime) { throw new Error('failed with ' + runtime.getSetting('SPILL_COLOUR')); } }],
};`;

/** The files of the data directory, beside those that the operator wrote, that contain the secret. */
async function filesWith(test: TestApp, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(test.config.dataDir, { recursive: true })) {
    const path = join(test.config.dataDir, name);
    if (name.startsWith('characters') || !(await stat(path)).isFile()) continue;
    if ((await readFile(path)).includes(text)) found.push(name);
  }
  return found;
}

describe('the secrets of an agent', () => {
  it('are encrypted in the database, and masked in every response', async () => {
    const test = await createTestApp({ characters: CHARACTERS });
    const api = new ApiClient(() => test.url);
    try {
      const agents = (): AgentsService => test.app.get(AgentsService);
      expect([agents().setting(SPY.id, 'SPY_TOKEN'), agents().setting(SPY.id, 'INNER_TOKEN')]).toEqual([CANARY, `${CANARY}-inner`]);
      await api.patch(`/api/agents/${SPY.id}`, { secrets: { LATER_TOKEN: `${CANARY}-later` } });
      expect(agents().setting(SPY.id, 'LATER_TOKEN')).toBe(`${CANARY}-later`);
      expect(await filesWith(test, CANARY)).toEqual([]);
      for (const path of ['/api/agents', `/api/agents/${SPY.id}`, '/api/plugins', '/health', '/api/server/status']) {
        expect(JSON.stringify((await api.get(path)).body)).not.toContain(CANARY);
      }
      await test.restart();
      expect([agents().setting(SPY.id, 'SPY_TOKEN'), agents().setting(SPY.id, 'LATER_TOKEN')]).toEqual([CANARY, `${CANARY}-later`]);
    } finally {
      await test.close();
    }
  });

  it('leave nothing in the database file that a former key opens, even after a start that was killed before the clean-up', async () => {
    const test = await createTestApp({ characters: CHARACTERS });
    const unitOfWork = (): UnitOfWork => test.app.get(UnitOfWork);
    const commit = (sql: string): Promise<unknown> => unitOfWork().commit([{ sql, params: [] }]);
    /** Of the sealed text, as much as one page of the file has. */
    const sealed = async (): Promise<string> => {
      const [row] = await unitOfWork().run('look', (tx) => tx.rows<{ secrets: string }>('SELECT secrets FROM agents', []));
      return row!.secrets.substring(100, 160);
    };
    try {
      const old = (await readFile(join(test.config.dataDir, 'secret.key'), 'utf8')).trim();
      const rotated = { ...test.config, secretKey: 'another key, of more than 32 characters', secretKeyPrevious: [old] };
      // Large, so that it fills pages of its own, which become free pages.
      await new ApiClient(() => test.url).patch(`/api/agents/${SPY.id}`, { secrets: { LATER_TOKEN: `${CANARY} `.repeat(2000) } });
      const before = await sealed();
      expect(await filesWith(test, before)).not.toEqual([]);
      await test.app.close();
      test.app = await createApp(rotated);
      expect(await filesWith(test, before)).toEqual([]);

      const after = await sealed();
      await commit('UPDATE agents SET secrets = NULL');
      await commit('PRAGMA user_version=1');
      expect(await filesWith(test, after)).not.toEqual([]);
      await test.app.close();
      test.app = await createApp(rotated);
      expect(await filesWith(test, after)).toEqual([]);
      expect(await unitOfWork().run('look', (tx) => tx.rows('PRAGMA user_version', []))).toEqual([{ user_version: 0 }]);
    } finally {
      await test.close();
    }
  });

  it('are sealed anew with a new key, and unreadable with another one', async () => {
    const test = await createTestApp({ characters: CHARACTERS });
    try {
      const old = (await readFile(join(test.config.dataDir, 'secret.key'), 'utf8')).trim();
      const secretKey = 'another key, of more than 32 characters';
      await test.app.close();
      await expect(createApp({ ...test.config, secretKey })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
      const rotated = await createApp({ ...test.config, secretKey, secretKeyPrevious: [old] });
      expect(rotated.get(AgentsService).setting(SPY.id, 'SPY_TOKEN')).toBe(CANARY);
      await rotated.close();
      test.app = await createApp({ ...test.config, secretKey });
      expect(test.app.get(AgentsService).setting(SPY.id, 'SPY_TOKEN')).toBe(CANARY);
    } finally {
      await test.close();
    }
  });
});

describe('secrets of a character, a plugin and the environment', () => {
  it('appear in no response, no log line and no file', async () => {
    const secrets = {
      OPENAI_API_KEY: `${SEEDED}-model`,
      SPILL_COLOUR: `${SEEDED}-plugin`,
      SECRET_KEY: `${SEEDED}-installation-of-the-tests`,
      API_KEY: `${SEEDED}-administrator`,
      'CHARACTER.SPY.SPY_PASSWORD': `${SEEDED}-character`,
    };
    const characters = [
      { ...CHARACTERS[0], plugins: ['spill'], secrets: { OWN: `${SEEDED}-own` }, settings: { secrets: { INNER: `${SEEDED}-inner` } } },
    ];
    const test = await createTestApp({ env: secrets, characters, plugins: { 'spill.mjs': SPILL } });
    const as = { headers: { 'x-api-key': secrets.API_KEY } };
    try {
      await writeFile(
        test.config.envFile,
        Object.entries(secrets)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      );
      expect((await fetch(`${test.url}/spill`, as)).status).toBe(500);
      const get = async (path: string): Promise<string> => {
        const answer = await fetch(test.url + path.replace('{agentId}', SPY.id).replace('{name}', 'spill'), as);
        return `${answer.status} ${await answer.text()}`;
      };
      const document = (await (await fetch(`${test.url}/api/openapi.json`, as)).json()) as { paths: Record<string, object> };
      const paths = Object.entries(document.paths).flatMap(([path, operations]) =>
        'get' in operations && !/\{(?!agentId|name)|events$|voices$|tee|docs|openapi/.test(path) ? [path] : [],
      );
      expect(paths).toEqual(expect.arrayContaining(['/api/agents/{agentId}', '/api/plugins', '/api/system/env/local', '/api/server/logs']));
      const spilt: string[] = [];
      for (const path of paths) if ((await get(path)).includes(SEEDED)) spilt.push(path);
      expect(spilt).toEqual([]);
      expect(await get('/api/server/logs?level=all&limit=1000')).toContain('it is [hidden] and [hidden]');
      expect(await get('/api/system/env/local')).toContain('SPILL_COLOUR');
      const lines = JSON.stringify([...recentLines.newestFirst()]);
      expect(lines).toContain('it is [hidden]');
      expect(lines).not.toContain(SEEDED);
      expect((await filesWith(test, SEEDED)).filter((name) => name !== '.env')).toEqual([]);
    } finally {
      await test.close();
    }
  });
});
