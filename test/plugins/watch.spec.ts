// PLUGINS_WATCH: the server reloads changed plugins without cutting connections.
import { cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
  it('a changed plugin is active without a restart, and the old one completes its requests', async () => {
    const old = app.api.get('/v?wait=1');
    const release = await app.heard<() => void>('held wait');
    await app.write('v.mjs', version(2));
    await until('/v', { body: { version: 2 } });
    release();
    expect((await old).body).toEqual({ version: 1 });
  });

  it('a plugin with a new error keeps its old version until it is corrected', async () => {
    await app.write('v.mjs', 'export default {');
    await app.write('w.mjs', withRoutes('w', `[{ type: 'GET', path: '/w', handler: (q, r) => r.json({}) }]`));
    await until('/w', { status: 200 });
    expect((await app.api.get('/v')).body).toEqual({ version: 1 });
    await app.write('v.mjs', version(3));
    await until('/v', { body: { version: 3 } });
  });

  it('a new version that cannot be loaded is a problem until it is corrected', async () => {
    const problems = async (): Promise<object[]> => (await app.api.get('/api/server/problems')).body.data.problems;
    expect(await problems()).toEqual([]);
    await app.write('v.mjs', version(2).replace('routes:', 'route:'));
    await until('/api/server/problems', {
      body: {
        data: {
          problems: [
            {
              kind: 'component',
              plugin: 'v',
              message: 'The new version of plugin v does not work.',
              details: expect.stringContaining('route is not known; did you mean routes?'),
            },
          ],
        },
      },
    });
    expect((await app.listed())['v']).toMatchObject({ state: 'loaded', problems: [{ component: 'new version' }] });
    expect((await app.api.get('/v')).body).toEqual({ version: 1 });
    await app.write('v.mjs', version(3));
    await until('/v', { body: { version: 3 } });
    await until('/api/server/problems', { body: { data: { problems: [] } } });
  });

  it('a package with an invalid package.json keeps its old version, and is a problem', async () => {
    await mkdir(folder('p'));
    await app.write('p/main.mjs', version(1, '/p').replace('"v"', '"p"'));
    await app.write('p/package.json', '{ "name": "p", "main": "main.mjs" }');
    await until('/p', { body: { version: 1 } });
    await app.write('p/package.json', '{ "name": ');
    await until('/api/server/problems', {
      body: { data: { problems: [{ plugin: 'p', message: expect.stringContaining('new version') }] } },
    });
    expect((await app.api.get('/p')).body).toEqual({ version: 1 });
  });

  it('a new plugin is loaded, even if it fails at first, and a removed one is unloaded', async () => {
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

  it('a folder is loaded, reloaded when a file in it changes, and unloaded when it is moved away', async () => {
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

  it.each(['v.mjs', 'f/index.mjs'])('every save of %s is noticed, whether it replaces the file or writes into it', async (file) => {
    await mkdir(folder('f'));
    const path = file === 'v.mjs' ? '/v' : '/f';
    const save = (n: number): string => version(n, path).replace('"v"', file === 'v.mjs' ? '"v"' : '"f"');
    const ways: ((n: number) => Promise<void>)[] = [
      (n) => app.write(file, save(n)),
      (n) => writeFile(folder('..', 'saved'), save(n)).then(() => rename(folder('..', 'saved'), folder(file))),
      (n) => writeFile(folder('..', 'saved'), save(n)).then(() => cp(folder('..', 'saved'), folder(file))),
      (n) => rm(folder(file)).then(() => app.write(file, save(n))),
    ];
    let n = 1;
    for (const way of [...ways, ...ways]) {
      await way((n += 1));
      await until(path, { body: { version: n } });
    }
  });

  it('a plugin that fails after its replacement is a problem until it is corrected', async () => {
    await writeFile(folder('..', 'saved'), version(2));
    await rename(folder('..', 'saved'), folder('v.mjs'));
    await until('/v', { body: { version: 2 } });
    await app.write('v.mjs', 'export default {');
    await until('/api/server/problems', { body: { data: { problems: [{ plugin: 'v' }] } } });
    await app.write('v.mjs', version(3));
    await until('/v', { body: { version: 3 } });
    await until('/api/server/problems', { body: { data: { problems: [] } } });
  });

  it('a linked plugin is loaded, and reloaded when a file behind the link changes', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'parley-linked-'));
    try {
      await writeFile(join(elsewhere, 'index.mjs'), version(1, '/l').replace('"v"', '"l"'));
      await symlink(elsewhere, folder('l'));
      await until('/l', { body: { version: 1 } });
      await writeFile(join(elsewhere, 'saved'), version(2, '/l').replace('"v"', '"l"'));
      await rename(join(elsewhere, 'saved'), join(elsewhere, 'index.mjs'));
      await until('/l', { body: { version: 2 } });
      await writeFile(join(elsewhere, 'index.mjs'), version(3, '/l').replace('"v"', '"l"'));
      await until('/l', { body: { version: 3 } });
      await rm(folder('l'));
      await until('/l', { status: 404 });
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  it('a renamed plugin leaves nothing under its old name', async () => {
    await app.write('v.mjs', version(2, '/x').replace('"v"', '"renamed"'));
    await until('/x', { status: 200 });
    expect(Object.keys(await app.listed()).sort()).toEqual(['other', 'renamed']);
    expect((await app.api.get('/v')).status).toBe(404);
  });

  it('a renamed plugin keeps its routes', async () => {
    await app.write('v.mjs', version(2).replace(/name: "v"/, 'name: "w"'));
    await until('/v', { body: { version: 2 } });
    await until('/api/plugins', { body: { data: { plugins: [{ name: 'other' }, { name: 'w', state: 'loaded' }] } } });
  });

  it('a plugin whose file is renamed stays loaded', async () => {
    await rename(folder('v.mjs'), folder('v.ts'));
    await until('/api/plugins', { body: { data: { plugins: [{ name: 'other' }, { name: 'v', source: 'v.ts', state: 'loaded' }] } } });
    expect((await app.api.get('/v')).body).toEqual({ version: 1 });
  });

  it('a plugin with the name of another does not replace it', async () => {
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
