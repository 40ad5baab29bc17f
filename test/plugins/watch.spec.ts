// PLUGINS_WATCH: what changes in the folder of plugins is loaded anew, and nobody is cut off by it.
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PluginApp, withRoutes } from './support/plugin-app.js';

let app: PluginApp;
const version = (n: number, path = '/v'): string =>
  withRoutes(
    'v',
    `[{ type: 'GET', path: '${path}', async handler(q, r) { if (q.query.wait) await held('wait'); r.json({ version: ${n} }); } }]`,
  );
const folder = (...parts: string[]): string => join(app.test.config.pluginsDir, ...parts);

beforeEach(async () => {
  app = await new PluginApp().start(
    { 'v.mjs': version(1), 'other.mjs': withRoutes('other', `[]`) },
    { env: { PLUGINS_WATCH: 'true' }, realTime: true },
  );
});
afterEach(() => app.close());

/** Asks until the answer is this one; the test's own limit bounds it. */
async function until(path: string, wanted: object): Promise<void> {
  for (;;) {
    const { status, body } = await app.api.get(path);
    try {
      expect({ status, body }).toMatchObject(wanted);
      return;
    } catch {
      // Not yet.
    }
  }
}

describe('with PLUGINS_WATCH', () => {
  it('a changed plugin is there without a restart, and a request to the old one is answered by the old one', async () => {
    const old = app.api.get('/v?wait=1');
    const release = await app.heard<() => void>('held wait');
    await app.write('v.mjs', version(2));
    await until('/v', { body: { version: 2 } });
    release();
    expect((await old).body).toEqual({ version: 1 });
  });

  it('a plugin that breaks stays as it was, and is replaced when it is mended', async () => {
    await app.write('v.mjs', 'export default {');
    await app.write('w.mjs', withRoutes('w', `[{ type: 'GET', path: '/w', handler: (q, r) => r.json({}) }]`));
    await until('/w', { status: 200 });
    expect((await app.api.get('/v')).body).toEqual({ version: 1 });
    await app.write('v.mjs', version(3));
    await until('/v', { body: { version: 3 } });
  });

  it('a new plugin is loaded, also one that fails at first, and a removed one is gone', async () => {
    await app.write('new.mjs', 'export default 1;');
    await until('/api/plugins', {
      body: { data: { plugins: expect.arrayContaining([expect.objectContaining({ source: 'new.mjs', state: 'failed' })]) } },
    });
    await app.write('new.mjs', withRoutes('new', `[{ type: 'GET', path: '/new', handler: (q, r) => r.json({}) }]`));
    await until('/new', { status: 200 });
    expect(Object.keys(await app.listed()).sort()).toEqual(['new', 'other', 'v']);
    await rm(folder('v.mjs'));
    await until('/v', { status: 404 });
    expect(Object.keys(await app.listed()).sort()).toEqual(['new', 'other']);
  });

  it('a folder is loaded, loaded anew when a file in it changes, and gone when it is moved away', async () => {
    const index = `import { n } from './n.mjs'; export default { name: 'f', routes: [{ type: 'GET', path: '/f', handler: (q, r) => r.json({ n }) }] };`;
    await mkdir(folder('f'));
    await app.write('f/n.mjs', 'export const n = 1;');
    await app.write('f/index.mjs', index);
    await until('/f', { body: { n: 1 } });
    await app.write('f/n.mjs', 'export const n = 2;');
    await until('/f', { body: { n: 2 } });
    await rename(folder('f'), folder('_f'));
    await until('/f', { status: 404 });
  });

  it('a plugin that takes another name leaves nothing of the old one', async () => {
    await app.write('v.mjs', version(2, '/x').replace('"v"', '"renamed"'));
    await until('/x', { status: 200 });
    expect(Object.keys(await app.listed()).sort()).toEqual(['other', 'renamed']);
    expect((await app.api.get('/v')).status).toBe(404);
  });

  it('a plugin that takes another name keeps its routes', async () => {
    await app.write('v.mjs', version(2).replace(/name: "v"/, 'name: "w"'));
    await until('/v', { body: { version: 2 } });
    await until('/api/plugins', { body: { data: { plugins: [{ name: 'other' }, { name: 'w', state: 'loaded' }] } } });
  });

  it('a plugin whose file is renamed stays there', async () => {
    await rename(folder('v.mjs'), folder('v.ts'));
    await until('/api/plugins', { body: { data: { plugins: [{ name: 'other' }, { name: 'v', source: 'v.ts', state: 'loaded' }] } } });
    expect((await app.api.get('/v')).body).toEqual({ version: 1 });
  });

  it('one that takes the name of another does not take its place', async () => {
    await app.write('twin.mjs', withRoutes('v', `[{ type: 'GET', path: '/twin', handler: (q, r) => r.json({}) }]`));
    await until('/api/plugins', {
      body: {
        data: {
          plugins: expect.arrayContaining([
            expect.objectContaining({ source: 'twin.mjs', reason: expect.stringContaining('already loaded from v.mjs') }),
          ]),
        },
      },
    });
    expect((await app.api.get('/v')).body).toEqual({ version: 1 });
  });
});
