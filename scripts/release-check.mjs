// `npm run release:check`: packs Parley as it would be published, installs it in every way that the guide names, and uses it. Needs the
// package registry and no other network. `--reuse-driver` takes the SQLite driver of this repository instead of building one, which saves
// minutes; `--nodes 22,24` names the versions of Node.js to try besides the running one.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { contentFaults, MAX_BYTES } from './release/contents.mjs';
import { run, withServer } from './release/processes.mjs';

const { values } = parseArgs({
  options: { 'reuse-driver': { type: 'boolean', default: false }, nodes: { type: 'string', default: '20,22,24' } },
});
const root = realpathSync(join(import.meta.dirname, '..'));
/** As npm names the package of a publisher for whom the name of this one is taken. */
const OTHER_NAME = '@release-check/parley';

// A space, because paths of users have some.
const work = mkdtempSync(join(tmpdir(), 'parley release '));
const folder = (name) => {
  const path = join(work, name);
  mkdirSync(path, { recursive: true });
  return path;
};
const manifestOf = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
/** Folders of npx that this check has made. */
const leftovers = new Set();
let driver = values['reuse-driver'] ? join(root, 'node_modules', 'sqlite3', 'build') : undefined;

const { name, version } = manifestOf(root);
const begin = performance.now();
try {
  const archive = await step('npm pack', () => pack(root));
  await step('contents of the archive', () => contents(archive));
  await step('npm publish --dry-run', () => run('npm', ['publish', archive, '--dry-run', '--ignore-scripts', '--tag', 'release-check']));
  const installed = await step(`npm install in an empty folder${driver ? '' : ', with the SQLite driver'}`, () =>
    install(archive, 'installed'),
  );
  await step('npx parley: version and help', () => {
    assert.equal(run('npx', ['parley-server', '--version'], { cwd: installed }).trim(), version);
    assert.match(run('npx', ['parley-server', '--help'], { cwd: installed }), /init \[FOLDER\]/);
  });
  const program = join(installed, 'node_modules', ...name.split('/'));
  await step('npx parley: agents, console, answer, stop', () => emptyFolder(['npx', 'parley-server'], installed, program));
  for (const major of values.nodes.split(',').filter((each) => each !== '' && each !== process.versions.node.split('.')[0])) {
    await step(`the same with Node.js ${major}`, () => emptyFolder(['npx', 'parley-server'], installed, program, withNode(major)));
  }
  await step('types for TypeScript', () => types(installed));
  await step('npx in an empty folder, without an installation', () => npxOnce(archive));
  const renamed = await step(`the package as ${OTHER_NAME}`, () => rename(archive));
  await step('npm publish --dry-run under that name', () => run('npm', ['publish', renamed, '--dry-run', '--ignore-scripts']));
  const parley = await step('global installation under that name', () => globally(renamed));
  const project = await step('parley init, npm install, npm test, npm start', () => newProject(parley, renamed));
  await step('npm create parley', () => created(project));
  process.stdout.write(`${name} ${version} can be released (${Math.round((performance.now() - begin) / 1000)} s).\n`);
} finally {
  for (const path of [work, ...leftovers]) rmSync(path, { recursive: true, force: true });
}

async function step(title, check) {
  const since = performance.now();
  process.stdout.write(`${title} ...`);
  try {
    const result = await check();
    process.stdout.write(` ok, ${((performance.now() - since) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stdout.write(' FAILED\n');
    throw error;
  }
}

/** @returns the archive */
function pack(path, args = []) {
  const packed = mkdtempSync(join(work, 'pack-'));
  run('npm', ['pack', ...args, '--pack-destination', packed], { cwd: path });
  return join(packed, readdirSync(packed)[0]);
}

function contents(archive) {
  const unpacked = unpack(archive, 'unpacked');
  const files = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files.map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(unpacked.length + 1)
      .replaceAll('\\', '/'),
  );
  assert.deepEqual(contentFaults(names, root), []);
  assert.ok(names.includes('dist/THIRD-PARTY-NOTICES.txt'), 'the licences of bundled packages are missing');
  const { size } = statSync(archive);
  assert.ok(size < MAX_BYTES, `the archive has ${size} bytes, at most ${MAX_BYTES} are allowed`);
  const { private: hidden, scripts } = manifestOf(unpacked);
  assert.equal(hidden, undefined);
  for (const script of ['install', 'preinstall', 'postinstall', 'prepare']) assert.equal(scripts[script], undefined);
}

function unpack(archive, to) {
  run('tar', ['-xzf', archive, '-C', folder(to)]);
  return join(work, to, 'package');
}

/** @returns the folder whose node_modules has the package */
function install(archive, to, spec = archive) {
  const path = folder(to);
  npmInstall(path, [spec]);
  return path;
}

function npmInstall(cwd, args) {
  const output = run('npm', ['install', ...(driver ? ['--ignore-scripts'] : []), ...args], { cwd, withErrors: true });
  assert.doesNotMatch(output, /EBADENGINE/);
  assert.equal(existsSync(join(cwd, 'node_modules', '@scarf')), false, 'a package reports installations');
  useDriver(join(cwd, 'node_modules'));
}

/** Takes the first driver that was built for all later installations. */
function useDriver(modules) {
  const target = join(modules, 'sqlite3', 'build');
  if (driver) cpSync(driver, target, { recursive: true });
  driver ??= cpSyncTo(target, folder('driver'));
}

function cpSyncTo(from, to) {
  cpSync(from, to, { recursive: true });
  return to;
}

/** Uses a server that is started by a command in a folder that has nothing but perhaps node_modules. */
async function emptyFolder(command, cwd, program, env) {
  rmSync(join(cwd, 'data'), { recursive: true, force: true });
  const had = readdirSync(cwd);
  const before = program && listing(program);
  await withServer(command, { cwd, env }, async (url, banner) => {
    // The example plugins are loaded only where they are named.
    assert.doesNotMatch(banner, /^plugins /m);
    assert.equal((await fetch(`${url}/api/server/health`)).status, 200);
    const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
    const [script] = /\/console-assets\/[\w.-]+\.js/.exec(page) ?? [];
    assert.equal((await fetch(url + script)).status, 200);
    assert.match(await answer(url, 'Iris', 'Who are you?'), /Iris/);
    assert.match(await answer(url, 'Iris', 'What is SHUTDOWN_GRACE_MS?'), /docs\/reference\/config\.md/);
    assert.equal((await fetch(`${url}/api/openapi.json`)).status, 200);
    const spoken = await post(`${url}/api/audio/${await agentId(url, 'Iris')}/speech/generate`, { text: 'Hello.' });
    assert.equal(spoken.headers.get('content-type'), 'audio/wav');
  });
  assert.deepEqual(readdirSync(cwd).sort(), [...new Set([...had, 'data'])].sort());
  assert.ok(existsSync(join(cwd, 'data', 'parley.sqlite')));
  if (program) assert.deepEqual(listing(program), before, 'the folder of the package has changed');
}

function listing(path) {
  return readdirSync(path, { recursive: true }).map((each) => `${each} ${statSync(join(path, each)).mtimeMs}`);
}

async function agentId(url, agentName) {
  const { data } = await (await fetch(`${url}/api/agents`)).json();
  return data.agents.find((agent) => agent.name === agentName).id;
}

function post(url, body) {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

async function answer(url, agentName, content) {
  const sessions = `${url}/api/messaging/sessions`;
  const { sessionId } = await (await post(sessions, { agentId: await agentId(url, agentName), userId: randomUUID() })).json();
  return (await (await post(`${sessions}/${sessionId}/messages`, { content, transport: 'http' })).json()).agentResponse.text;
}

/** Environment in which `node` is another version, which npm has as a package. */
function withNode(major) {
  const wanted = `node-${process.platform}-${process.arch}@${major}`;
  const node = run('npm', ['exec', '--yes', `--package=${wanted}`, '--', 'node', '-p', 'process.execPath'], { cwd: work }).trim();
  return { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
}

function types(installed) {
  const plugin = `import { definePlugin } from 'parley-server/plugin-sdk';
import { callRoute } from 'parley-server/plugin-sdk/testing';
const plugin = definePlugin({ name: 'typed', routes: [{ type: 'GET', path: '/typed', handler: (_, response, runtime) => response.json({ name: runtime.character.name.length }) }] });
export const { status }: { status: number } = await callRoute(plugin, { path: '/typed' });
`;
  const compilerOptions = {
    module: 'nodenext',
    strict: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  const path = join(installed, 'typed');
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), '{"type":"module"}');
  writeFileSync(join(path, 'plugin.ts'), plugin.replaceAll("'parley-server/", `'${name}/`));
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', path]);
  rmSync(path, { recursive: true });
}

/** `npx` of a package that is not installed, which npm puts into its cache. */
async function npxOnce(archive) {
  const cwd = folder('empty');
  const npx = ['npx', '--yes', '--ignore-scripts', `--package=${archive}`];
  const bin = run(npx[0], [...npx.slice(1), '-c', process.platform === 'win32' ? 'where parley' : 'command -v parley'], { cwd }).trim();
  const modules = dirname(dirname(bin));
  leftovers.add(dirname(modules));
  useDriver(modules);
  await emptyFolder([...npx, 'parley-server'], cwd, join(modules, ...name.split('/')));
}

/** @returns the program */
async function globally(archive) {
  const prefix = folder('prefix');
  run('npm', ['install', '--global', '--ignore-scripts', '--prefix', prefix, archive]);
  const program = join(prefix, 'lib', 'node_modules', ...OTHER_NAME.split('/'));
  useDriver(join(program, 'node_modules'));
  const parley = join(prefix, 'bin', 'parley');
  await emptyFolder([parley], folder('of a user'), program);
  return parley;
}

/** What a publisher does who needs another name: one command. */
function rename(archive) {
  const unpacked = unpack(archive, 'renamed');
  run('npm', ['pkg', 'set', `name=${OTHER_NAME}`], { cwd: unpacked });
  return pack(unpacked, ['--ignore-scripts']);
}

/** @returns the folder of the project */
async function newProject(parley, renamed) {
  const project = join(work, 'agents');
  run(parley, ['init', 'agents'], { cwd: work });
  const { dependencies } = manifestOf(project);
  assert.deepEqual(dependencies, { 'parley-server': `npm:${OTHER_NAME}@${version}` });
  // The archive in place of the registry, which does not have this version yet.
  const copy = folder('project');
  cpSync(project, copy, { recursive: true });
  run('npm', ['pkg', 'set', `dependencies.parley-server=file:${renamed}`], { cwd: copy });
  npmInstall(copy, []);
  assert.match(run('npm', ['test'], { cwd: copy }), /pass 4/);
  await withServer(['npm', 'start'], { cwd: copy }, async (url, banner) => {
    assert.match(banner, /^plugins hello$/m);
    assert.deepEqual(await (await fetch(`${url}/hello/Ada`)).json(), { message: 'Hello, Ada. This is Juno.' });
    assert.match(await answer(url, 'Juno', 'Which file contains your character?'), /characters\/juno\.json/);
  });
  assert.match(run('npx', ['parley-server', 'plugin', 'new', 'second'], { cwd: copy }), /plugins.second/);
  assert.match(run('npm', ['test'], { cwd: copy }), /pass 8/);
  return project;
}

/** The package create-parley writes the same as `parley init`, apart from the name of the package. */
function created(project) {
  const archive = pack(join(root, 'create-parley'));
  const unpacked = unpack(archive, 'create');
  assert.deepEqual(readdirSync(unpacked, { recursive: true }).sort(), [
    'README.md',
    'dist',
    join('dist', 'LICENSE'),
    join('dist', 'create.js'),
    'package.json',
  ]);
  const cwd = folder('created');
  run(process.execPath, [join(unpacked, manifestOf(unpacked).bin['create-parley']), 'agents'], { cwd });
  assert.equal(manifestOf(join(cwd, 'agents')).dependencies['parley-server'].replace(/^npm:.*@/, ''), version);
  const rest = (path) =>
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'package.json')
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')])
      .sort();
  assert.deepEqual(rest(join(cwd, 'agents')), rest(project));
}
