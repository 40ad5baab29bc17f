// Hostile plugins: the server starts, reports each with its reason, and keeps serving the others.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Log } from '../../src/core/logging/index.js';
import { PluginApp, TELL, withRoutes } from './support/plugin-app.js';

const fine = (name: string): string =>
  withRoutes(name, `[{ type: 'GET', path: '/${name}', handler: (q, r) => r.json({ from: '${name}' }) }]`);
const object = (source: string): string => `${TELL} export default ${source};`;
const route = (source: string, name = 'x'): string => object(`{ name: '${name}', routes: [${source}] }`);

/** File, what is in it, what the plugin is listed as, and words of the reason. */
const HOSTILE_PLUGINS: [words: string, file: string, source: string, name: string, reason: RegExp][] = [
  ['throws on import', 'z01.mjs', `throw new Error('out of order');`, 'z01.mjs', /out of order/],
  ['throws something odd on import', 'z02.mjs', `throw 'no error';`, 'z02.mjs', /no error/],
  ['throws nothing on import', 'z03.mjs', `throw undefined;`, 'z03.mjs', /\S/],
  ['rejects on import', 'z04.mjs', `await Promise.reject(new Error('not today')); export default { name: 'x' };`, 'z04.mjs', /not today/],
  [
    'never ends its import',
    'z05.mjs',
    `${TELL} tell('importing'); await new Promise(() => {}); export default { name: 'x' };`,
    'z05.mjs',
    /within 30000 ms/,
  ],
  ['is no JavaScript', 'z06.mjs', `export default { name: `, 'z06.mjs', /\S/],
  ['is no TypeScript', 'z07.ts', `export default { name: 'x' as as string };`, 'z07.ts', /\S/],
  ['imports what is not there', 'z08.mjs', `import x from './nothing.js'; export default { name: 'x' };`, 'z08.mjs', /nothing\.js/],
  [
    'imports a package that is not there',
    'z09.mjs',
    `import x from 'no-such-package-here'; export default { name: 'x' };`,
    'z09.mjs',
    /no-such-package-here/,
  ],
  ['exports nothing', 'z10.mjs', `export {};`, 'z10.mjs', /exports no plugin/],
  ['is empty', 'z11.mjs', ``, 'z11.mjs', /exports no plugin/],
  ['exports null', 'z12.mjs', object('null'), 'z12.mjs', /exports no plugin/],
  ['exports a text', 'z13.mjs', object(`'plugin'`), 'z13.mjs', /exports no plugin/],
  ['exports a function', 'z14.mjs', object(`() => ({ name: 'x' })`), 'z14.mjs', /exports no plugin/],
  ['exports a list', 'z15.mjs', object(`[{ name: 'x' }]`), 'z15.mjs', /exports no plugin/],
  ['exports an object without a name', 'z16.mjs', object(`{ routes: [] }`), 'z16.mjs', /exports no plugin/],
  ['exports two plugins', 'z17.mjs', `export const a = { name: 'a' }; export const b = { name: 'b' };`, 'z17.mjs', /exports 2 plugins/],
  [
    'exports a getter that throws',
    'z18.mjs',
    object(`{ get name() { throw new Error('no name for you'); } }`),
    'z18.mjs',
    /no name for you/,
  ],
  ['has a name that is empty', 'z20.mjs', object(`{ name: '' }`), 'z20.mjs', /name must be/],
  ['has a name with a slash', 'z21.mjs', object(`{ name: 'a/b' }`), 'z21.mjs', /name must be/],
  ['has a name that leads upwards', 'z22.mjs', object(`{ name: '..' }`), 'z22.mjs', /name must be/],
  ['has a name with a space', 'z23.mjs', object(`{ name: 'a b' }`), 'z23.mjs', /name must be/],
  ['has routes that are no list', 'z24.mjs', object(`{ name: 'x', routes: { type: 'GET' } }`), 'z24.mjs', /routes/],
  ['has a route that is null', 'z25.mjs', route('null'), 'z25.mjs', /routes\.0/],
  ['has a route of an unknown type', 'z26.mjs', route(`{ type: 'FETCH', path: '/x', handler() {} }`), 'z26.mjs', /routes\.0\.type/],
  ['has a route without a path', 'z27.mjs', route(`{ type: 'GET', handler() {} }`), 'z27.mjs', /routes\.0\.path/],
  ['has a handler that is no function', 'z28.mjs', route(`{ type: 'GET', path: '/x', handler: 'run' }`), 'z28.mjs', /routes\.0\.handler/],
  ['has a route without a handler', 'z29.mjs', route(`{ type: 'GET', path: '/x' }`), 'z29.mjs', /routes\.0\.handler/],
  ['has a STATIC route without a file', 'z30.mjs', route(`{ type: 'STATIC', path: '/x' }`), 'z30.mjs', /routes\.0\.filePath/],
  [
    'has a path that nobody understands',
    'z31.mjs',
    route(`{ type: 'GET', path: '/x/{', handler() {} }`, 'z31'),
    'z31',
    /\/x\/\{ is not valid/,
  ],
  [
    'has a limit that is no number',
    'z33.mjs',
    route(`{ type: 'GET', path: '/x', handler() {}, timeoutMs: 'long' }`),
    'z33.mjs',
    /routes\.0\.timeoutMs/,
  ],
  ['has an init that is no function', 'z34.mjs', object(`{ name: 'x', init: true }`), 'z34.mjs', /init/],
  ['has a config that is a list', 'z35.mjs', object(`{ name: 'x', config: ['A'] }`), 'z35.mjs', /config/],
  ['brings a database adapter', 'z38.mjs', object(`{ name: 'x', adapter: {} }`), 'z38.mjs', /adapter is a database adapter/],
  ['brings a database schema', 'z39.mjs', object(`{ name: 'x', schema: {} }`), 'z39.mjs', /store data in runtime\.store/],
  ['is for another version', 'z36.mjs', object(`{ name: 'x', compatibility: '>=9' }`), 'z36.mjs', /requires Parley >=9; this is/],
  ['is for a version that is none', 'z37.mjs', object(`{ name: 'x', compatibility: 'newest' }`), 'z37.mjs', /requires Parley newest/],
  ['throws in init', 'z40.mjs', object(`{ name: 'z40', init() { throw new Error('no start'); } }`), 'z40', /no start/],
  ['rejects in init', 'z41.mjs', object(`{ name: 'z41', async init() { throw new Error('no start'); } }`), 'z41', /no start/],
  [
    'never ends its init',
    'z42.mjs',
    object(`{ name: 'z42', init(config, { abortSignal }) { tell('starting', abortSignal); return new Promise(() => {}); },
      routes: [{ type: 'GET', path: '/z42', handler: (q, r) => r.json({}) }] }`),
    'z42',
    /init did not end within 30000 ms/,
  ],
  [
    'needs one that is not there',
    'z43.mjs',
    object(`{ name: 'z43', dependencies: ['nobody'] }`),
    'z43',
    /depends on plugin nobody, which is not installed/,
  ],
  [
    'needs one that fails',
    'z44.mjs',
    object(`{ name: 'z44', dependencies: ['z40'] }`),
    'z44',
    /depends on plugin z40, which could not be loaded/,
  ],
  ['needs itself', 'z45.mjs', object(`{ name: 'z45', dependencies: ['z45'] }`), 'z45', /cycle: z45 -> z45/],
  ['needs one that needs it', 'z46.mjs', object(`{ name: 'z46', dependencies: ['z47'] }`), 'z46', /z47/],
  ['is needed by the one that it needs', 'z47.mjs', object(`{ name: 'z47', dependencies: ['z46'] }`), 'z47', /z46/],
  ['has the name of another', 'z50.mjs', fine('fine'), 'fine', /a plugin with this name is already loaded from fine\.mjs/],
  [
    'shadows an operation of the server',
    'z51.mjs',
    route(`{ type: 'GET', path: '/api/agents', handler() {} }`, 'z51'),
    'z51',
    /GET \/api\/agents conflicts with the built-in route GET \/api\/agents/,
  ],
  [
    'shadows one with a parameter',
    'z52.mjs',
    route(`{ type: 'GET', path: '/api/messaging/channels/:id/messages', handler() {} }`, 'z52'),
    'z52',
    /conflicts with the built-in route GET \/api\/messaging\/channels\//,
  ],
  [
    'shadows everything',
    'z53.mjs',
    route(`{ type: 'GET', path: '/*all', handler() {} }`, 'z53'),
    'z53',
    /conflicts with the built-in route/,
  ],
  [
    'shadows a path in other letters',
    'z54.mjs',
    route(`{ type: 'POST', path: '/API/Messaging/Submit/', handler() {} }`, 'z54'),
    'z54',
    /built-in route POST \/api\/messaging\/submit/,
  ],
  ['shadows the sockets', 'z55.mjs', route(`{ type: 'GET', path: '/socket.io/x', handler() {} }`, 'z55'), 'z55', /reserved/],
  ['shadows the sockets in other letters', 'z56.mjs', route(`{ type: 'GET', path: '/Socket.IO', handler() {} }`, 'z56'), 'z56', /reserved/],
  [
    'shadows a route of another',
    'z57.mjs',
    route(`{ type: 'GET', path: '/fine', handler() {} }`, 'z57'),
    'z57',
    /GET \/fine conflicts with GET \/fine of plugin fine/,
  ],
  [
    'shadows one of another by a parameter',
    'z58.mjs',
    route(`{ type: 'GET', path: '/:any', handler() {} }`, 'z58'),
    'z58',
    /conflicts with/,
  ],
  [
    'shadows one of another by files',
    'z59.mjs',
    route(`{ type: 'STATIC', path: '/fine', filePath: '.' }`, 'z59'),
    'z59',
    /STATIC \/fine conflicts with GET \/fine of plugin fine/,
  ],
  [
    'has a route twice',
    'z60.mjs',
    route(`{ type: 'PUT', path: '/z60/:a', handler() {} }, { type: 'PUT', path: '/z60/:b', handler() {} }`, 'z60'),
    'z60',
    /PUT \/z60\/:b conflicts with PUT \/z60\/:a of the same plugin/,
  ],
  [
    'has a route that is never reached',
    'z61.mjs',
    route(`{ type: 'PUT', path: '/z61/:a', handler() {} }, { type: 'PUT', path: '/z61/b', handler() {} }`, 'z61'),
    'z61',
    /PUT \/z61\/b conflicts with PUT \/z61\/:a of the same plugin/,
  ],
  ['is a folder whose main file is not there', 'z62/package.json', `{ "name": "z62", "main": "gone.js" }`, 'z62', /z62|main/],
  ['is a folder whose package.json is none', 'z63/package.json', `{ "name": `, 'z63', /z63|package\.json/],
];

/** Load, but behave badly afterwards. */
const RASCALS = {
  'fine.mjs': fine('fine'),
  'zz-last.mjs': fine('zz-last'),
  'r1.mjs': withRoutes(
    'rascal',
    `[
      { type: 'GET', path: '/rascal/leaks', handler: (q, r, { abortSignal }) => {
        for (let i = 0; i < 50; i += 1) { abortSignal.addEventListener('abort', () => {}); q.signal.addEventListener('abort', () => {}); }
        r.json({});
      } },
      { type: 'GET', path: '/rascal/blocks', handler: (q, r) => { const until = performance.now() + 1000; while (performance.now() < until); r.json({}); } },
      { type: 'GET', path: '/rascal/hangs', handler: () => { tell('hangs'); return new Promise(() => {}); } },
      { type: 'GET', path: '/rascal/twice', handler: (q, r) => { r.json({ first: true }); r.json({ second: true }); } },
      { type: 'GET', path: '/rascal/throws', handler: () => { throw new Error('no'); } },
      { type: 'GET', path: '/rascal/changes', handler: (q, r, runtime) => {
        for (const thing of [q, q.headers, q.params, runtime, runtime.character]) { try { thing.agentId = thing.host = 'changed'; } catch {} }
        r.json({});
      } },
    ]`,
    `dispose() { throw new Error('no end'); }`,
  ),
  'r2.mjs': object(`{ name: 'lingers', dispose() { tell('lingering'); return new Promise(() => {}); } }`),
};

const app = new PluginApp();
const errors: string[] = [];

beforeAll(async () => {
  const files = Object.fromEntries(HOSTILE_PLUGINS.map(([, file, source]) => [file, source]));
  const log = jest.spyOn(Log.prototype, 'error').mockImplementation((message) => void errors.push(message));
  const started = app.start({ ...files, ...RASCALS });
  await app.heard('importing');
  app.clock.advance(30_000);
  const signal = await app.heard<AbortSignal>('starting');
  app.clock.advance(30_000);
  await started;
  expect(signal.aborted).toBe(true);
  log.mockRestore();
});
afterAll(async () => {
  const closed = app.close();
  await app.heard('lingering');
  app.clock.advance(10_000);
  await closed;
});

describe('a plugin that', () => {
  it.each(HOSTILE_PLUGINS)(
    '%s is named with the reason, in the list and in the log [routes.collisions] [plugins.refused]',
    async (_words, file, _source, name, reason) => {
      const { plugins } = (await app.api.get('/api/plugins')).body.data;
      const source = file.split('/')[0];
      const found = plugins.filter((one: { source: string }) => one.source === source);
      expect(found).toEqual([{ name, source, state: 'failed', reason: expect.stringMatching(reason), routes: [] }]);
      expect(errors.filter((line) => line.startsWith(`plugin ${name} is not loaded: `) && reason.test(line))).not.toEqual([]);
    },
  );
});

describe('meanwhile', () => {
  it('the public health report names who failed, and no reason [plugins.health]', async () => {
    const { plugins } = (await app.api.get('/health')).body.checks;
    expect(plugins.failed).toEqual(expect.arrayContaining(HOSTILE_PLUGINS.map(([, , , name]) => name)));
    expect(JSON.stringify(plugins)).not.toMatch(/out of order|not today|conflicts with/);
  });

  it.each(['fine', 'zz-last'])('plugin %s answers', async (name) => {
    expect(await app.api.get(`/${name}`)).toMatchObject({ status: 200, body: { from: name } });
  });

  it('the built-in operations respond', async () => {
    expect((await app.api.get('/api/agents')).status).toBe(200);
    expect((await app.api.get('/z42')).status).toBe(404);
  });

  it('other plugins respond for any handlers of one', async () => {
    const { api } = app;
    const hanging = api.get('/rascal/hangs');
    await app.heard('hangs');
    for (const what of ['leaks', 'twice', 'throws', 'changes']) await api.get(`/rascal/${what}`);
    const [blocked, ...others] = await Promise.all([
      api.get('/rascal/blocks'),
      ...['/fine', '/zz-last', '/api/agents', '/api/plugins'].map((path) => api.get(path)),
    ]);
    expect(blocked.status).toBe(200);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    app.clock.advance(5000);
    expect((await hanging).status).toBe(504);
    expect((await api.get('/fine')).body).toEqual({ from: 'fine' });
  });
});
