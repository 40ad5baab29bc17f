// The forms in which a plugin may come, in which order they are loaded, and how they go.
import { afterEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { PluginSource } from '../../src/modules/plugins/plugin-source.js';
import { ADA } from '../support/create-test-app.js';
import { HELD, PluginApp, TELL, withRoutes } from './support/plugin-app.js';

let app: PluginApp;
afterEach(() => app.close());

const body = (name: string): string =>
  `{ name: '${name}', routes: [{ type: 'GET', path: '/${name}', handler: (q, r) => r.json({ from: '${name}' }) }] }`;

/** The documented example of the service that this one follows, as it stands there. */
const DOCUMENTED = `
import type { Plugin, Route } from '@elizaos/core';

const webhookRoute: Route = {
  type: 'POST',
  path: '/webhook',
  name: 'webhook',
  public: true,
  handler: async (req: any, res: any, runtime: any) => {
    const { channelId, message, metadata } = req.body;
    if (!channelId || !message) {
      res.status(400).json({ success: false, error: 'Missing required fields: channelId and message' });
      return;
    }
    const serverUrl = runtime.getSetting('SERVER_URL') || 'http://localhost:3000';
    const response = await fetch(\`\${serverUrl}/api/messaging/submit\`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        channel_id: channelId,
        server_id: '00000000-0000-0000-0000-000000000000',
        author_id: runtime.agentId,
        content: message,
        source_type: 'agent_response',
        raw_message: { text: message, thought: 'from a webhook', actions: [] },
        metadata: { agent_id: runtime.agentId, agentName: runtime.character.name, ...metadata },
      }),
    });
    if (!response.ok) {
      res.status(500).json({ success: false, error: 'Failed to submit message' });
      return;
    }
    const result: any = await response.json();
    res.status(200).json({ success: true, messageId: result.data.id, message: 'Message sent' });
  },
};

export const webhookPlugin: Plugin = {
  name: 'webhook-plugin',
  description: 'Receives webhooks',
  config: { WEBHOOK_VARIABLE: process.env.WEBHOOK_VARIABLE },
  init: async (config: Record<string, string>, runtime: any) => {
    runtime.logger?.info('started');
  },
  routes: [webhookRoute],
};

export default webhookPlugin;
`;

const FORMS: [form: string, files: Record<string, string>][] = [
  ['a .mjs file', { 'p.mjs': `export default ${body('p')};` }],
  ['a .js file', { 'p.js': `export default ${body('p')};` }],
  ['a .js file in CommonJS', { 'p.js': `module.exports = ${body('p')};` }],
  ['a .cjs file', { 'p.cjs': `module.exports = ${body('p')};` }],
  ['a .cjs file that sets its exports', { 'p.cjs': `exports.default = ${body('p')};` }],
  [
    'CommonJS built from a module',
    { 'p.cjs': `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = ${body('p')};` },
  ],
  ['CommonJS with a default in its default', { 'p.cjs': `module.exports = { default: { default: ${body('p')} } };` }],
  [
    'a .ts file',
    { 'p.ts': `interface P { name: string } const plugin: P & Record<string, unknown> = ${body('p')}; export default plugin satisfies P;` },
  ],
  ['a .mts file', { 'p.mts': `const name: string = 'p'; export default ${body('p')};` }],
  ['a named export', { 'p.mjs': `export const plugin = ${body('p')};` }],
  [
    'a named export beside others that are no plugins',
    { 'p.mjs': `export const VERSION = 1; export const help = () => 1; export const p = ${body('p')};` },
  ],
  ['the same as named and as default export', { 'p.mjs': `export const p = ${body('p')}; export default p;` }],
  ['a default export beside another plugin', { 'p.mjs': `export const other = { name: 'other' }; export default ${body('p')};` }],
  [
    'one with the SDK',
    {
      'p.ts': `import { definePlugin, type Plugin } from 'parley-server/plugin-sdk'; const p: Plugin = definePlugin(${body('p')}); export default p;`,
    },
  ],
  [
    'CommonJS with the SDK',
    { 'p.cjs': `const { definePlugin } = require('parley-server/plugin-sdk'); module.exports = definePlugin(${body('p')});` },
  ],
  ['a folder with index.mjs', { 'folder/index.mjs': `export default ${body('p')};` }],
  ['a folder with index.js', { 'folder/index.js': `export default ${body('p')};` }],
  ['a folder with index.ts', { 'folder/index.ts': `export default ${body('p')};` }],
  [
    'a folder with files of its own',
    {
      'folder/index.ts': `import { handler } from './handler.js'; export default { name: 'p', routes: [{ type: 'GET', path: '/p', handler }] };`,
      'folder/handler.ts': `export const handler = (q: unknown, r: { json(a: unknown): void }): void => r.json({ from: 'p' });`,
    },
  ],
  [
    'a folder with a package.json',
    {
      'folder/package.json': `{ "name": "p", "main": "lib/main.js", "type": "module" }`,
      'folder/lib/main.js': `export default ${body('p')};`,
    },
  ],
  [
    'a folder with a package.json of CommonJS',
    { 'folder/package.json': `{ "name": "p", "main": "./main" }`, 'folder/main.js': `module.exports = ${body('p')};` },
  ],
  [
    'a folder with a package.json without a main file',
    { 'folder/package.json': `{ "name": "p" }`, 'folder/index.js': `module.exports = ${body('p')};` },
  ],
  [
    'a folder with a package.json and TypeScript',
    { 'folder/package.json': `{ "name": "p", "main": "src/index.ts" }`, 'folder/src/index.ts': `export default ${body('p')};` },
  ],
  [
    'a folder with exports in its package.json',
    {
      'folder/package.json': `{ "name": "p", "type": "module", "exports": "./main.js" }`,
      'folder/main.js': `export default ${body('p')};`,
    },
  ],
  [
    'one with a package of its own',
    {
      'folder/index.mjs': `import { from } from 'inner'; export default { name: 'p', routes: [{ type: 'GET', path: '/p', handler: (q, r) => r.json({ from }) }] };`,
      'folder/node_modules/inner/package.json': `{ "name": "inner", "type": "module", "main": "index.js" }`,
      'folder/node_modules/inner/index.js': `export const from = 'p';`,
    },
  ],
];

describe('a plugin may be', () => {
  it.each(FORMS)('%s', async (_form, files) => {
    app = await new PluginApp().start(files);
    expect(await app.listed()).toMatchObject({ p: { state: 'loaded' } });
    expect((await app.api.get('/p')).body).toEqual({ from: 'p' });
  });

  it('the documented example, unchanged [routes.example]', async () => {
    app = await new PluginApp().start({ 'webhook.ts': DOCUMENTED });
    const channel = { name: 'c', serverId: '00000000-0000-0000-0000-000000000000', participantCentralUserIds: [ADA.id] };
    const channelId = (await app.api.post('/api/messaging/channels', channel)).body.data.id;
    expect(await app.api.post('/webhook', { message: 'x' })).toMatchObject({ status: 400 });
    for (const path of ['/webhook', '/webhook-plugin/webhook', `/api/agents/${ADA.id}/plugins/webhook-plugin/webhook`]) {
      const answer = await app.api.post(path, { channelId, message: 'Deployed', metadata: { build: 1 } });
      expect(answer).toMatchObject({ status: 200, body: { success: true, messageId: expect.any(String), message: 'Message sent' } });
    }
    const { messages } = (await app.api.get(`/api/messaging/channels/${channelId}/messages`)).body.data;
    expect(messages).toHaveLength(3);
    expect(messages[0]).toMatchObject({ content: 'Deployed', authorId: ADA.id, metadata: { build: 1 } });
  });

  it('none of these: other files are ignored', async () => {
    app = await new PluginApp().start({
      'p.mjs': `export default ${body('p')};`,
      'README.md': '# no plugin',
      'data.json': '{}',
      '.hidden.mjs': `throw new Error('hidden');`,
      '_draft.mjs': `throw new Error('draft');`,
      'p.spec.ts': `throw new Error('a test');`,
      'p.test.js': `throw new Error('a test');`,
      'types.d.ts': `throw new Error('types');`,
      'node_modules/x/index.js': `throw new Error('a package');`,
      'assets/picture.txt': 'x',
    });
    expect(Object.keys(await app.listed())).toEqual(['p']);
  });

  it('listed in PLUGINS: a path, or an installed package; a missing one is named', async () => {
    const outside = await new PluginApp().start({
      'one.mjs': `export default ${body('one')};`,
      'two/index.mjs': `export default ${body('two')};`,
    });
    const folder = outside.test.config.pluginsDir;
    try {
      const PLUGINS = `${join(folder, 'one.mjs')}, ${join(folder, 'two')}, ${join(folder, 'gone.mjs')}, ${folder}, no-such-package-here, semver`;
      app = await new PluginApp().start({}, { env: { PLUGINS } });
      expect(await app.listed()).toMatchObject({
        one: { state: 'loaded' },
        two: { state: 'loaded' },
        [join(folder, 'gone.mjs')]: { state: 'failed', reason: expect.stringMatching(/^file or folder .* not found$/) },
        [folder]: { state: 'failed', reason: expect.stringContaining('no package.json') },
        'no-such-package-here': { state: 'failed', reason: 'no package with this name is installed (a path must begin with ./ or /)' },
        semver: { state: 'failed', reason: expect.stringContaining('exports no plugin') },
      });
      expect((await app.api.get('/one')).body).toEqual({ from: 'one' });
    } finally {
      await outside.close();
    }
  });
});

describe('plugins are loaded', () => {
  const speaks = (name: string, more = ''): string =>
    `${TELL} export default { name: '${name}', init() { tell('init', '${name}'); }, ${more} };`;

  it('after their dependencies, then by priority, then by name', async () => {
    app = await new PluginApp().start(
      {
        'a.mjs': speaks('a', `dependencies: ['z']`),
        'b.mjs': speaks('b', `priority: -1`),
        'c.mjs': speaks('c'),
        'd.mjs': speaks('d', `priority: 5, dependencies: ['e']`),
        'e.mjs': speaks('e', `priority: -5`),
        'z.mjs': speaks('z'),
      },
      { characters: [{ ...ADA, bio: 'a' }] },
    );
    expect(app.told.map(({ data }) => data)).toEqual(['e', 'd', 'z', 'a', 'c', 'b']);
  });
});

describe('a reloaded plugin', () => {
  const version = (n: number, path = '/v'): string =>
    withRoutes(
      'v',
      `[{ type: 'GET', path: '${path}', async handler(q, r, { abortSignal }) { if (q.query.wait) await held('wait ${n}'); r.json({ version: ${n}, aborted: abortSignal.aborted }); } }]`,
      `dispose() { tell('disposed', ${n}); }`,
    );
  const source = (): PluginSource => {
    const folder = app.test.config.pluginsDir;
    return { entry: join(folder, 'v.mjs'), folder, label: 'v.mjs' };
  };

  it('responds at once, while requests to the old one end', async () => {
    app = await new PluginApp().start({ 'v.mjs': version(1) });
    const old = app.api.get('/v?wait=1');
    const release = await app.heard<() => void>('held wait 1');
    await app.write('v.mjs', version(2));
    const reloaded = app.host.reload(source());
    while ((await app.api.get('/v')).body.version !== 2);
    release();
    expect((await old).body).toEqual({ version: 1, aborted: false });
    await reloaded;
    expect(app.told.filter(({ event }) => event === 'disposed')).toEqual([{ event: 'disposed', data: 1 }]);
  });

  it('may have other routes', async () => {
    app = await new PluginApp().start({ 'v.mjs': version(1) });
    await app.write('v.mjs', version(2, '/w'));
    await app.host.reload(source());
    expect((await app.api.get('/v')).status).toBe(404);
    expect((await app.api.get('/w')).body).toMatchObject({ version: 2 });
    expect((await app.listed())['v'].routes).toMatchObject([{ path: '/w' }]);
  });

  it('keeps its old version when the new one fails', async () => {
    app = await new PluginApp().start({ 'v.mjs': version(1), 'other.mjs': `export default ${body('other')};` });
    for (const bad of ['throw new Error("broken")', 'export default 1', version(2, '/other'), version(2, '/api/agents')]) {
      await app.write('v.mjs', bad);
      await expect(app.host.reload(source())).rejects.toThrow();
      expect((await app.api.get('/v')).body).toMatchObject({ version: 1 });
    }
    expect(app.told).toEqual([]);
  });

  it('reloads its other files too', async () => {
    const main = `import { n } from './n.mjs'; export default { name: 'v', routes: [{ type: 'GET', path: '/v', handler: (q, r) => r.json({ n }) }] };`;
    app = await new PluginApp().start({ 'v/index.mjs': main, 'v/n.mjs': 'export const n = 1;' });
    await app.write('v/n.mjs', 'export const n = 2;');
    const folder = join(app.test.config.pluginsDir, 'v');
    await app.host.reload({ entry: join(folder, 'index.mjs'), folder, label: 'v' });
    expect((await app.api.get('/v')).body).toEqual({ n: 2 });
  });
});

describe('an unloaded plugin', () => {
  const waits = `${HELD} export default { name: 'w', dispose: () => tell('disposed'), routes: [
    { type: 'GET', path: '/w', async handler(q, r, { abortSignal }) { tell('signal', abortSignal); await held('w'); r.json({ done: true }); } },
    { type: 'GET', path: '/quick', handler: (q, r) => r.json({}) },
  ] };`;

  it('loses its routes, completes running responses, and is then disposed of', async () => {
    app = await new PluginApp().start({ 'w.mjs': waits });
    const answer = app.api.get('/w');
    const release = await app.heard<() => void>('held w');
    const unloaded = app.host.unload('w');
    expect((await app.api.get('/quick')).status).toBe(404);
    expect(Object.keys(await app.listed())).toEqual([]);
    expect(app.told.map(({ event }) => event)).not.toContain('disposed');
    release();
    expect((await answer).body).toEqual({ done: true });
    await unloaded;
    expect(app.told.map(({ event }) => event)).toContain('disposed');
  });

  it('has 10 s to finish before the signals of its handlers abort', async () => {
    app = await new PluginApp().start({ 'w.mjs': waits.replace(`path: '/w',`, `path: '/w', timeoutMs: 60_000,`) });
    const answer = app.api.get('/w');
    const signal = await app.heard<AbortSignal>('signal');
    const unloaded = app.host.unload('w');
    app.clock.advance(10_000);
    await unloaded;
    expect(signal.aborted).toBe(true);
    await app.release('w');
    expect((await answer).body).toEqual({ done: true });
  });

  it('is disposed of when the server stops', async () => {
    app = await new PluginApp().start({ 'w.mjs': waits });
    await app.test.restart();
    expect(app.told.map(({ event }) => event)).toContain('disposed');
  });
});
