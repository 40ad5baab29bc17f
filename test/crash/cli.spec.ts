// The command line: what its commands print and do.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { registeredSettings } from '../../src/core/config/index.js';
import { idFromText } from '../../src/core/ids/index.js';
import { commandLine, ROOT } from './support/command-line.js';
import { killAll, ServerProcess } from './support/server-process.js';

const cli = commandLine();
const { parley, parleyWith } = cli;

describe('parley', () => {
  it.each([[[]], [['start']]])('%j starts the server', async (args) => {
    expect(await parley(...args)).toEqual({ code: undefined, out: '', err: '', started: true });
  });

  it.each([[['--help']], [['-h']], [['help']], [['plugin', '--help']], [['key', '--help']], [['key', 'create', '-h']]])(
    '%j lists the commands',
    async (args) => {
      expect(await parley(...args)).toMatchObject({ code: 0, out: expect.stringContaining('plugin check NAME'), started: false });
    },
  );

  it.each([[['--version']], [['-v']]])('%j prints the version', async (args) => {
    expect(await parley(...args)).toEqual({ code: 0, out: '1.2.3\n', err: '', started: false });
  });

  it.each([
    [['run']],
    [['plugin']],
    [['plugin', 'new']],
    [['plugin', 'check', 'a', 'b']],
    [['start', 'now']],
    [['--port', '1']],
    [['plugin', 'drop', 'x']],
    [['key']],
    [['key', 'list', 'all']],
    [['key', 'revoke']],
    [['key', 'revoke', 'a', 'b']],
    [['key', 'drop', 'a']],
    [['key', 'create', '--scope', 'read']],
    [['key', 'create', '--name', 'x']],
    [['key', 'create', '--name', 'x', '--scope', 'read', '--expires', '0']],
    [['key', 'create', '--name', 'x', '--scope', 'read', '--expires', '1.5']],
    [['key', 'create', '--name', 'x', '--scope', 'read', '--expires', 'soon']],
    [['key', 'create', '--name', 'x', '--scope', 'read', '--colour', 'red']],
    [['restore']],
    [['move']],
    [['move', 'mysql://127.0.0.1/a']],
    [['move', 'postgres://127.0.0.1/a', 'more']],
    [['move', '--to-file', 'postgres://127.0.0.1/a']],
    [['move', '--verify', 'postgres://127.0.0.1/a']],
    [['doctor', '--all']],
    [['doctor', 'all']],
    [['storage']],
    [['storage', 'move']],
    [['constructor']],
  ])('%j is refused with a pointer to the help', async (args) => {
    expect(await parley(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('parley --help'), started: false });
  });

  it.each([
    [['backup', '--hlp'], 'There is no option --hlp. Did you mean --help?'],
    [['key', 'create', '--nam', 'x'], 'There is no option --nam. Did you mean --name?'],
    [['storage', 'move', '--to'], '--to needs a value.'],
    [['storage', 'move', '--to', '--delete'], '--to needs a value.'],
    [['storage', 'move', '--delete=yes'], '--delete takes no value.'],
    [['storage', 'move', '--colour', 'red'], 'There is no option --colour.'],
    [['key', 'crate'], 'There is no command "key crate". Did you mean parley key create?'],
    [['stroage', 'move', '--to', 'x'], 'There is no command "stroage". Did you mean parley storage?'],
    [['--versoin'], 'There is no option --versoin. Did you mean --version?'],
    [['run'], 'There is no command "run".'],
  ])('%j is refused with the reason and a suggestion', async (args, reason) => {
    expect((await parley(...args)).err.split('\n')[0]).toBe(reason);
  });

  it('prints the usage of the misused command only', async () => {
    const { err } = await parley('storage', 'move', '--colour');
    expect(err).toMatch(/\n\nUsage: parley\n {2}storage move --to PLACE [^]*\n\n"parley --help" lists all commands\.\n$/);
    expect(err).not.toContain('backup');
  });
});

describe('an incomplete command', () => {
  it.each([
    [['plugin', 'new'], '"plugin new" needs the NAME'],
    [['plugin', 'check'], '"plugin check" needs the path or the package NAME'],
    [['plugin'], '"plugin" needs a command: new or check.'],
    [['key'], '"key" needs a command: create, list or revoke.'],
    [['storage'], '"storage" needs a command: move.'],
    [['import'], '"import" needs the name of a file'],
    [['restore'], '"restore" needs the FOLDER'],
    [['key', 'revoke'], '"key revoke" needs the ID'],
  ])('%j gets an error that names the missing argument', async (args, reason) => {
    expect((await parley(...args)).err).toContain(reason);
  });
});

describe('parley storage move', () => {
  it.each([[[]], [['--from', 'data/media']]])('copies nothing before the first upload, and prints the next step: %j', async (from) => {
    const target = join(cli.folder, 'uploads');
    const moved = await parley(
      'storage',
      'move',
      '--to',
      target,
      ...from.map((part) => (part.startsWith('-') ? part : join(cli.folder, part))),
    );
    expect(moved).toMatchObject({ code: 0, out: expect.stringMatching(/^0 files, [^]*\nSet MEDIA_DIR=/) });
  });

  it('refuses a missing folder in one line', async () => {
    const nowhere = join(cli.folder, 'nowhere');
    expect(await parley('storage', 'move', '--from', nowhere, '--to', join(cli.folder, 'uploads'))).toMatchObject({
      code: 1,
      out: '',
      err: `The folder ${nowhere} does not exist.\n`,
    });
  });
});

describe('parley backup', () => {
  it('reports a missing database at the searched path, and creates nothing', async () => {
    const nowhere = join(cli.folder, 'nowhere');
    expect(await parleyWith({ DATA_DIR: nowhere }, 'backup')).toMatchObject({
      code: 1,
      err: `The database ${join(nowhere, 'parley.sqlite')} does not exist. Set DATA_DIR (or DATABASE_URL) to the same value as for the server.\n`,
    });
    expect(existsSync(nowhere)).toBe(false);
  });
});

describe('parley init', () => {
  const init = (...args: string[]): ReturnType<typeof parley> => parley('init', ...args);

  it('writes a project into a new folder, prints the next steps, and refuses a folder with files', async () => {
    const project = join(cli.folder, 'my-agents');
    const made = await init(project);
    expect(made).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^wrote {2}package\.json\n[^]*\n {2}npm install\n {2}npm test\n/),
    });
    expect((await readdir(project)).sort()).toEqual([
      ...['.env.example', '.gitignore', 'README.md', 'characters', 'exec.cmd', 'package.json', 'plugins'],
    ]);
    expect(await readFile(join(project, '.gitignore'), 'utf8')).toBe('node_modules/\ndata/\n.env\n');
    expect(await init(project)).toMatchObject({
      code: 1,
      out: '',
      err: `${project} is not empty (.env.example, .gitignore, README.md and 4 more). Choose another folder, or pass --force to add only the files that are missing.\n`,
    });
  });

  it('adds missing files with --force, and replaces none', async () => {
    const project = join(cli.folder, 'existing');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{"name":"mine"}');
    const made = await init(project, '--force');
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/kept {3}package\.json\n[^]*npm install --save-exact file:\//) });
    expect(await readFile(join(project, 'package.json'), 'utf8')).toBe('{"name":"mine"}');
    expect(existsSync(join(project, 'plugins/hello/index.mjs'))).toBe(true);
  });

  it('depends on the archive that --package names, and refuses a missing one', async () => {
    const archive = join(cli.folder, 'parley-server-1.0.0.tgz');
    expect(await init(join(cli.folder, 'packed'), '--package', archive)).toMatchObject({
      code: 1,
      err: `--package ${archive}: no such file or folder. Run "npm pack" in a clone of Parley to make the archive.\n`,
    });
    await writeFile(archive, '');
    expect(await init(join(cli.folder, 'packed'), '--package', archive)).toMatchObject({ code: 0 });
    const { dependencies } = JSON.parse(await readFile(join(cli.folder, 'packed/package.json'), 'utf8'));
    expect(dependencies).toEqual({ 'parley-server': `file:${archive}` });
  });

  it('treats a folder with only .git as empty', async () => {
    await mkdir(join(cli.folder, 'repository/.git'), { recursive: true });
    expect(await init(join(cli.folder, 'repository'))).toMatchObject({ code: 0 });
  });

  it.each([
    [['My Agents'], '"My Agents" is not a valid project name: use lower-case letters', '--name my-agents'],
    [['agents', '--name', '../x'], '"../x" is not a valid project name', '--name x'],
    [['agents', '--name', 'parley-server'], '"parley-server" is not a valid project name: it is reserved', '--name my-agents'],
    [['agents', 'others'], '"others" is not expected', ''],
  ])('refuses %j and writes nothing', async (args, reason, way) => {
    const made = await init(join(cli.folder, args[0]!), ...args.slice(1));
    expect(made).toMatchObject({ code: 1, out: '', err: expect.stringContaining(reason) });
    expect(made.err).toContain(way);
    expect(existsSync(join(cli.folder, args[0]!))).toBe(false);
  });

  it('explains its options after an unknown one', async () => {
    expect(await init('agents', '--what')).toMatchObject({ code: 2, err: expect.stringMatching(/--what[^]*init \[FOLDER\]/) });
  });

  it('names every setting of .env.example as the server reads it', async () => {
    const { projectFiles } = await import('../../src/cli/project-files.js');
    const text = projectFiles('x', '1.0.0')['.env.example'] ?? '';
    const names = [...text.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name!);
    const known = new Set(registeredSettings().map(({ name }) => name));
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('parley key', () => {
  const ADA = idFromText('Ada');
  const API_KEY = 'the administrator of the tests';
  let env: Record<string, string>;
  let server: ServerProcess;

  beforeAll(async () => {
    const characters = join(cli.folder, 'characters');
    await mkdir(characters);
    await writeFile(join(characters, 'ada.json'), JSON.stringify({ name: 'Ada', bio: 'An agent of the tests.' }));
    server = await ServerProcess.start({ DATA_DIR: join(cli.folder, 'server'), CHARACTERS_DIR: characters, API_KEY });
    env = { API_KEY, SERVER_PORT: new URL(server.url).port };
  });
  afterAll(() => killAll());

  const statusWith = async (key: string): Promise<number> =>
    (await fetch(`${server.url}/api/agents`, { headers: { 'x-api-key': key } })).status;

  it('create prints a working key, list shows it, and revoke disables it', async () => {
    const name = 'dash\u001b[31mboard';
    const made = await parleyWith(env, 'key', 'create', '--name', name, '--scope', 'read', '--agent', ADA, '--expires', '30');
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^parley_[\w-]{43}\n$/) });
    const key = made.out.trim();
    const id = /[0-9a-f-]{36}/.exec(made.err)?.[0] ?? '';
    expect(await statusWith(key)).toBe(200);

    const listed = async (): Promise<string[]> =>
      (
        (await parleyWith({ API_KEY, SERVER_URL: `${server.url}/` }, 'key', 'list')).out.split('\n').find((line) => line.startsWith(id)) ??
        ''
      ).split(/\s{2,}/);
    const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    expect(await listed()).toEqual([
      id,
      'read',
      expect.stringContaining(`until ${day}`),
      expect.any(String),
      ADA,
      'none',
      JSON.stringify(name),
    ]);

    expect(await parleyWith(env, 'key', 'revoke', id)).toMatchObject({
      code: 0,
      out: `The key ${id} (${JSON.stringify(name)}) is revoked.\n`,
    });
    expect(await statusWith(key)).toBe(401);
    expect((await listed())[2]).toBe('revoked');
    expect((await parleyWith(env, 'key', 'list')).out).not.toContain(key);
  });

  it.each([
    ['the key of the server is another', { API_KEY: 'another' }, ['list'], 'The API key is wrong. Send'],
    ['there is no such key', {}, ['revoke', '99999999-9999-9999-9999-999999999999'], 'not found'],
    ['there cannot be such a key', {}, ['revoke', '../agents'], 'UUID'],
    ['the scope is none', {}, ['create', '--name', 'x', '--scope', 'all'], 'scope'],
    ['the agent is none', {}, ['create', '--name', 'x', '--scope', 'read', '--agent', 'Ada'], 'agents'],
    ['the port is not known', { SERVER_PORT: '0' }, ['list'], 'Set SERVER_URL'],
    ['no server answers', { SERVER_URL: 'http://127.0.0.1:9' }, ['list'], 'No server responds at http://127.0.0.1:9.'],
    [
      'an answer has no more to say',
      {},
      ['create', '--name', 'x', '--scope', 'all'],
      /^scope must be one of [\w, ]+: read, write, admin\n$/,
    ],
  ])('explains the error when %s', async (_what, other, args, reason) => {
    const refused = await parleyWith({ ...env, ...other }, 'key', ...args);
    expect(refused).toMatchObject({ code: 1, out: '', err: expect.stringMatching(reason) });
  });

  it('needs API_KEY, which the built program reads from its .env file', async () => {
    expect(await parleyWith({}, 'key', 'list')).toMatchObject({ code: 1, out: '', err: expect.stringContaining('API_KEY is not set.') });
    await writeFile(join(cli.folder, '.env'), `API_KEY="${API_KEY}"\nSERVER_URL=${server.url}\n`);
    const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'dist/main.js'), 'key', 'list'], {
      cwd: cli.folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    expect({ status, head: stdout.slice(0, 2) }).toEqual({ status: 0, head: 'ID' });
  });
});
