// Plugins that are named in PLUGINS as packages: found as `import` finds them, and refused with the reason.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { pluginApp } from './support/plugin-app.js';

const plugin = (name: string): string =>
  `{ name: '${name}', routes: [{ type: 'GET', path: '/${name}', handler: (q, r) => r.json({ from: '${name}' }) }] }`;
const esm = (name: string): string => `export default ${plugin(name)};`;
const cjs = (name: string): string => `module.exports = ${plugin(name)};`;
const WRONG = `throw new Error('the wrong file');`;

type Files = Readonly<Record<string, string | object>>;

/** Form, what stands in PLUGINS, the plugin's name, and the files of the package. */
const LOADED: [form: string, specifier: string, name: string, files: Files][] = [
  [
    'exports with import alone',
    'only-import',
    'a1',
    { 'package.json': { type: 'module', exports: { import: './dist/index.js' } }, 'dist/index.js': esm('a1') },
  ],
  [
    'a scope, and import with types and a default below it',
    '@scope/nested',
    'a2',
    {
      'package.json': {
        type: 'module',
        main: './gone.js',
        exports: { '.': { import: { types: './index.d.ts', default: './index.mjs' } } },
      },
      'index.mjs': esm('a2'),
      'index.d.ts': WRONG,
    },
  ],
  [
    'conditions in the order of the package: node before default',
    'node-first',
    'a3',
    {
      'package.json': { exports: { browser: './b.mjs', node: { import: './n.mjs', require: './n.cjs' }, default: './b.mjs' } },
      'n.mjs': esm('a3'),
      'n.cjs': WRONG,
      'b.mjs': WRONG,
    },
  ],
  [
    'a condition without an entry for Node, and a default behind it',
    'types-under-node',
    'a4',
    { 'package.json': { exports: { node: { types: './x.d.ts' }, default: './index.mjs' } }, 'index.mjs': esm('a4') },
  ],
  ['exports as a path', 'plain-path', 'a5', { 'package.json': { exports: './index.mjs' }, 'index.mjs': esm('a5') }],
  ['a list of targets', 'listed', 'a6', { 'package.json': { exports: { '.': ['not/a/path', './index.mjs'] } }, 'index.mjs': esm('a6') }],
  [
    'exports with require alone',
    'only-require',
    'a7',
    { 'package.json': { type: 'module', exports: { '.': { require: './index.cjs' } } }, 'index.cjs': cjs('a7') },
  ],
  ['main alone', 'only-main', 'a8', { 'package.json': { main: 'lib/index' }, 'lib/index.js': cjs('a8') }],
  ['type commonjs', 'type-commonjs', 'a9', { 'package.json': { type: 'commonjs', main: 'index.js' }, 'index.js': cjs('a9') }],
  ['neither main nor exports', 'only-index', 'b1', { 'package.json': {}, 'index.js': cjs('b1') }],
  ['no package.json at all', 'bare-folder', 'b2', { 'index.mjs': esm('b2') }],
  [
    'a subpath',
    '@scope/parts/webhooks',
    'b3',
    {
      'package.json': { type: 'module', exports: { '.': './index.js', './webhooks': { import: './hooks/index.js' } } },
      'index.js': WRONG,
      'hooks/index.js': esm('b3'),
    },
  ],
  [
    'a subpath by a pattern',
    'patterns/plugins/one',
    'b4',
    { 'package.json': { type: 'module', exports: { './plugins/*': './dist/*.js' } }, 'dist/one.js': esm('b4') },
  ],
  [
    'a pattern beside others: the longest beginning counts, what is null is not there',
    'more-patterns/features/two/index.js',
    'b8',
    {
      'package.json': {
        exports: { './*': WRONG, './features/*.js': ['nowhere', './lib/*.mjs'], './features/private/*': null, './fea*': './wrong.js' },
      },
      'lib/two/index.mjs': esm('b8'),
    },
  ],
  [
    'a file of a package without exports',
    'without-exports/lib/one.mjs',
    'b5',
    { 'package.json': { main: 'x.js' }, 'lib/one.mjs': esm('b5') },
  ],
  [
    'TypeScript sources',
    'with-typescript',
    'b6',
    {
      'package.json': { type: 'module', exports: { import: './src/index.ts' } },
      'src/index.ts': `import { handler } from './handler.js'; import type { Plugin } from 'parley-server/plugin-sdk';
        export const p: Plugin = { name: 'b6', routes: [{ type: 'GET', path: '/b6', handler }] };`,
      'src/handler.ts': `export const handler = (q: unknown, r: { json(a: unknown): void }): void => r.json({ from: 'b6' });`,
    },
  ],
  [
    'imports of its own, of itself and of a dependency with import alone',
    'with-imports',
    'b7',
    {
      'package.json': {
        name: 'with-imports',
        type: 'module',
        imports: { '#own': './own.js' },
        exports: { '.': './index.js', './name': './name.js' },
      },
      'index.js': `import { json } from '#own'; import { name } from 'with-imports/name'; import { path } from 'a-dependency';
        export default { name, routes: [{ type: 'GET', path, handler: (q, r) => r.json(json) }] };`,
      'own.js': `export const json = { from: 'b7' };`,
      'name.js': `export const name = 'b7';`,
      'node_modules/a-dependency/package.json': { type: 'module', exports: { import: './index.js' } },
      'node_modules/a-dependency/index.js': `export const path = '/b7';`,
    },
  ],
];

/** The error, the value of PLUGINS, a pattern of the reason, and the files of the package. */
const REFUSED: [fault: string, specifier: string, reason: RegExp, files: Files][] = [
  ['not installed', 'not-there', /no package with this name is installed/, {}],
  ['a scope alone', '@scope', /no package with this name is installed/, {}],
  ['a built-in module of Node', 'fs', /no package with this name is installed/, {}],
  [
    'its file is not there',
    'not-built',
    /exports \.\/dist\/index\.js for \., which does not exist \(has the package been built\?\)/,
    { 'package.json': { exports: { import: './dist/index.js' } } },
  ],
  [
    'its main file is not there',
    'no-main',
    /the main file of its package\.json, dist\/x\.js, does not exist/,
    { 'package.json': { main: 'dist/x.js' } },
  ],
  ['it has no file at all', 'empty', /no main file and no index file/, { 'package.json': {} }],
  [
    'it is for Bun alone',
    'bun-only',
    /exports \. only for types, bun/,
    { 'package.json': { exports: { '.': { types: './x.d.ts', bun: './index.ts' } } }, 'index.ts': esm('x') },
  ],
  [
    'it does not export itself',
    'parts-only',
    /does not export \./,
    { 'package.json': { exports: { './part': './part.js' } }, 'part.js': esm('x') },
  ],
  [
    'it does not export the subpath',
    'closed/inner.js',
    /does not export \.\/inner\.js/,
    { 'package.json': { exports: { '.': './a.js' } }, 'inner.js': esm('x') },
  ],
  [
    'it keeps the subpath to itself',
    'keeps/inner/x.js',
    /does not export \.\/inner\/x\.js/,
    { 'package.json': { exports: { './*': './*', './inner/*': null } }, 'inner/x.js': esm('x') },
  ],
  ['it has no such file', 'open-2/gone.js', /has no file \.\/gone\.js/, { 'package.json': { main: 'a.js' } }],
  [
    'its exports lead outside',
    'outside',
    /exports \.\/\.\.\/only-main\/lib\/index\.js: targets must begin with/,
    { 'package.json': { exports: './../only-main/lib/index.js' } },
  ],
  ['a subpath leads outside', 'only-main/../only-main/lib/index.js', /no package with this name/, {}],
  [
    'its exports are no path',
    'no-path',
    /exports dist\/index\.js: targets must begin with/,
    { 'package.json': { exports: 'dist/index.js' }, 'dist/index.js': cjs('x') },
  ],
  ['its exports are a number', 'number', /exports of its package\.json must be a path or an object/, { 'package.json': { exports: 7 } }],
  ['its package.json is no JSON', 'broken', /its package\.json cannot be read/, { 'package.json': '{' }],
  ['its package.json is a list', 'list', /it is not a JSON object/, { 'package.json': '[]' }],
  ['it exports no plugin', 'no-plugin', /exports no plugin/, { 'package.json': { main: 'index.js' }, 'index.js': 'module.exports = 1;' }],
  [
    'a peer is not installed',
    'lonely',
    /it requires the package absent-peer, which is not installed: run npm install absent-peer in its folder/,
    {
      'package.json': { type: 'module', main: 'index.js', peerDependencies: { 'absent-peer': '*' } },
      'index.js': `import x from 'absent-peer'; ${esm('x')}`,
    },
  ],
  [
    'a part of a package is not there',
    'half',
    /it requires the package @absent\/whole\/part, which is not installed/,
    { 'package.json': { main: 'index.cjs' }, 'index.cjs': `require('@absent/whole/part'); ${cjs('x')}` },
  ],
  [
    'it needs Bun',
    'needs-bun',
    /requires Bun; Parley runs on Node/,
    { 'package.json': { type: 'module', main: 'index.js' }, 'index.js': `import { Database } from 'bun:sqlite'; ${esm('x')}` },
  ],
  [
    'it uses Bun',
    'uses-bun',
    /requires Bun; Parley runs on Node/,
    { 'package.json': { type: 'module', main: 'index.js' }, 'index.js': `const port = Bun.env.PORT; ${esm('x')}` },
  ],
];

const packageOf = (specifier: string): string => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
const files = Object.fromEntries(
  [...LOADED, ...REFUSED].flatMap(([, specifier, , content]) =>
    Object.entries(content).map(([file, text]) => [
      `node_modules/${packageOf(specifier)}/${file}`,
      typeof text === 'string' ? text : JSON.stringify(text),
    ]),
  ),
);
const app = pluginApp(files, { env: { PLUGINS: [...LOADED, ...REFUSED].map(([, specifier]) => specifier).join(',') } });

interface Listed {
  source: string;
  name: string;
  state: string;
  reason?: string;
}
const named = async (specifier: string): Promise<Listed | undefined> =>
  ((await app.api.get('/api/plugins')).body.data.plugins as Listed[]).find(({ source }) => source === specifier);

describe('a package is loaded by its name:', () => {
  it.each(LOADED)('%s', async (_form, specifier, name) => {
    expect(await named(specifier)).toMatchObject({ name, state: 'loaded' });
    expect((await app.api.get(`/${name}`)).body).toEqual({ from: name });
  });
});

it('a package loads the file that Node would import', () => {
  const specifiers = LOADED.map(([, specifier]) => specifier);
  const script = `console.log(JSON.stringify(${JSON.stringify(specifiers)}.map((one) => { try { return import.meta.resolve(one) } catch { return null } })))`;
  const cwd = app.test.config.pluginsDir;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd, encoding: 'utf8', env: {} });
  const byNode = (JSON.parse(stdout) as (string | null)[]).map((url) => url && fileURLToPath(url));
  const loaded = specifiers.map((specifier) => app.host.plugins().find(({ source }) => source.label === specifier)?.source.entry);
  const more = ['only-require', 'bare-folder'];
  expect(specifiers.filter((_, index) => byNode[index] === null)).toEqual(more);
  expect(loaded.filter((_, index) => byNode[index] !== null)).toEqual(byNode.filter((file) => file !== null));
});

describe('a package is refused with the reason:', () => {
  it.each(REFUSED)('%s', async (_fault, specifier, reason) => {
    expect(await named(specifier)).toMatchObject({ state: 'failed', reason: expect.stringMatching(reason) });
  });
});
