// `parley plugin`: the plugin that it writes works, and what it says of plugins.
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commandLine, ROOT } from './support/command-line.js';

const cli = commandLine();
const { parley } = cli;

describe('parley plugin', () => {
  it('new writes a plugin that loads and whose test passes; it does not overwrite one', async () => {
    const made = await parley('plugin', 'new', 'greeter');
    const path = join(cli.folder, 'plugins/greeter');
    expect(made).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`node --test ${join(path, 'greeter.test.mjs')} `) });
    expect(await parley('plugin', 'check', path)).toEqual({
      code: 0,
      out: [
        'greeter 0.1.0 can be loaded.',
        '  GET    /greeter/:who',
        '  POST   /greeter',
        '  action GREETER_GREET',
        '  setting GREETING',
        '  setting GREETER_KEY (secret)',
        '',
      ].join('\n'),
      err: '',
      started: false,
    });
    const { status, stdout } = spawnSync(process.execPath, ['--test', join(path, 'greeter.test.mjs')], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    expect({ status, passed: /pass (\d+)/.exec(stdout)?.[1] }).toEqual({ status: 0, passed: '4' });
    const before = await readFile(join(path, 'index.mjs'), 'utf8');
    expect(await parley('plugin', 'new', 'greeter')).toMatchObject({ code: 1, err: expect.stringContaining('it already exists') });
    expect(await readFile(join(path, 'index.mjs'), 'utf8')).toBe(before);
  });

  it.each(['../up', 'a/b', 'Ä', '', '.hidden', 'with space'])('new refuses the name "%s"', async (name) => {
    expect(await parley('plugin', 'new', name)).toMatchObject({ code: 1, err: expect.stringContaining('is not a valid plugin name') });
  });

  it.each([
    ['that is not there', 'gone.mjs', undefined, 'file or folder'],
    ['that throws', 'throws.mjs', `throw new Error('broken');`, 'broken'],
    ['that is none', 'none.mjs', 'export default 1;', 'exports no plugin'],
    ['with a bad path', 'path.mjs', `export default { name: 'x', routes: [{ type: 'GET', path: '/{', handler() {} }] };`, 'is not valid'],
    [
      'with a file that is not there',
      'file.mjs',
      `export default { name: 'x', routes: [{ type: 'STATIC', path: '/x', filePath: 'no' }] };`,
      'does not exist',
    ],
    [
      'with a route twice',
      'twice.mjs',
      `const route = { type: 'GET', path: '/x', handler() {} }; export default { name: 'x', routes: [route, { ...route }] };`,
      'conflicts with GET /x of the same plugin',
    ],
    [
      'with a route of the server',
      'taken.mjs',
      `export default { name: 'x', routes: [{ type: 'GET', path: '/api/agents/:id', handler() {} }] };`,
      'conflicts with the built-in route GET /api/agents/',
    ],
    [
      'without a setting that it requires',
      'setting.mjs',
      `export default { name: 'x', config: { SOME_KEY: { required: true } } };`,
      'its configuration is incomplete: SOME_KEY must be set',
    ],
    [
      'whose parameters are no schema',
      'schema.mjs',
      `export default { name: 'x', actions: [{ name: 'A', description: 'x', parameters: { city: { type: 'string' } }, handler() {} }] };`,
      'actions.0.parameters are not a JSON Schema of an object: put them under "properties"',
    ],
    ['with a misspelt part', 'part.mjs', `export default { name: 'x', action: [] };`, 'action is not known; did you mean actions?'],
    [
      'with misspelt members',
      'members.mjs',
      `export default { name: 'x', routes: [{ type: 'POST', path: '/x', handlr() {}, webhook: { verfy: 'github', secret: 'S' } }] };`,
      'routes.0.handlr is not known; did you mean handler?; routes.0.webhook.verfy is not known; did you mean verify?; ',
    ],
  ])('check refuses a plugin %s, with the reason', async (_name, file, source, reason) => {
    const path = join(cli.folder, file);
    if (source !== undefined) await writeFile(path, source);
    expect(await parley('plugin', 'check', path)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(reason) });
  });

  it('check finds a package by its name in the working folder, and warns of missing fields', async () => {
    const home = join(cli.folder, 'node_modules/@some/plugin');
    await mkdir(join(home, 'dist'), { recursive: true });
    const agentConfig = { pluginParameters: { SOME_TOKEN: { required: true }, OTHER: { required: true, default: 'x' } } };
    await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module', exports: { import: './dist/index.js' }, agentConfig }));
    const source = `export default { name: 'some', dependencies: ['base'], init: (config, runtime) => runtime.getTasks({}) };`;
    await writeFile(join(home, 'dist/index.js'), source);
    const check = (name: string): { status: number | null; stdout: string; stderr: string } =>
      spawnSync(process.execPath, [join(ROOT, 'dist/main.js'), 'plugin', 'check', name], {
        cwd: cli.folder,
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
      });
    const { status, stdout } = check('@some/plugin');
    expect(status).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'some can be loaded.',
      expect.stringContaining('warning: setting SOME_TOKEN has no value here'),
      '  warning: it depends on plugin base, which must be loaded too',
      expect.stringContaining('it uses runtime.getTasks, which Parley does not support'),
      '',
    ]);
    expect(check('@some/other')).toMatchObject({ status: 1, stderr: expect.stringContaining('no package with this name is installed') });
  });

  it('check lists every part of a plugin, and warns of fields that Parley ignores', async () => {
    const path = join(cli.folder, 'all.mjs');
    await writeFile(
      path,
      `class Rota { static serviceType = 'rota'; static start() { return new Rota(); } stop() {} }
export default {
  name: 'all', version: '1.0.0', mood: 'good',
  config: { GREETING: 'Hi', SOME_KEY: { secret: true, required: true, default: 'k' } },
  routes: [
    { type: 'GET', path: '/all', public: true, handler() {} },
    { type: 'POST', path: '/all', webhook: { verify: 'github', secret: 'SOME_KEY', mode: 'ack' }, handler() {} },
    { type: 'PUT', path: '/all', webhook: { verify: () => true }, handler() {} },
    { type: 'POST', path: '/all/files', isMultipart: true, handler() {} },
  ],
  actions: [{ name: 'WHO', description: 'Tells who', handler() {} }],
  providers: [{ name: 'TEAMS', get() {} }],
  evaluators: [{ name: 'COUNT', handler() {} }],
  toolSources: [{ name: 'SERVER', tools: () => [] }],
  services: [Rota],
  models: { TEXT_LARGE() {} },
  events: { RUN_ENDED: [() => {}, () => {}], RUN_STARTED: [() => {}] },
};`,
    );
    const { code, out } = await parley('plugin', 'check', path);
    expect([code, ...out.split('\n')]).toEqual([
      0,
      'all 1.0.0 can be loaded.',
      '  GET    /all (public)',
      '  POST   /all (webhook, verified: github, ack)',
      '  PUT    /all (webhook, verified: its own verification, inline)',
      '  POST   /all/files (uploads)',
      '  action WHO',
      '  provider TEAMS',
      '  evaluator COUNT',
      '  toolSource SERVER',
      '  service rota',
      '  model  TEXT_LARGE',
      '  event  RUN_ENDED (2 handlers)',
      '  event  RUN_STARTED',
      '  setting GREETING',
      '  setting SOME_KEY (required, secret)',
      '  warning: Parley does not read mood',
      '',
    ]);
  });

  it('check warns of unknown runtime members', async () => {
    const path = join(cli.folder, 'misspelt.mjs');
    await writeFile(
      path,
      `export default { name: 'misspelt', init(config, runtime) { runtime.sendMesage(); runtime.getSeting('A'); runtime.logger.inf('a'); } };`,
    );
    const { code, out } = await parley('plugin', 'check', path);
    expect([code, ...out.split('\n')]).toEqual([
      0,
      'misspelt can be loaded.',
      '  warning: according to its source, it uses runtime.getSeting, which does not exist; did you mean getSetting?',
      '  warning: according to its source, it uses runtime.sendMesage, which does not exist; did you mean sendMessage?',
      '  warning: according to its source, it uses runtime.logger.inf, which does not exist; did you mean info?',
      '',
    ]);
  });

  it('check works in the built program', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'dist/main.js'), 'plugin', 'check', './plugins/post-message'], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: 'post-message 1.0.0 can be loaded.\n  POST   /post-message\n  setting POST_MESSAGE_KEY (secret)\n',
    });
  });
});
