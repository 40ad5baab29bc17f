// The guide, followed to the letter: its files are written, its commands run in one shell against the built server.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it, jest } from '@jest/globals';
import { killAll, ServerProcess } from '../crash/support/server-process.js';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';

// Many processes, which a busy machine starts slowly.
jest.setTimeout(180_000);

const ROOT = resolve(import.meta.dirname, '../..');
const PATIENCE_MS = 20_000;
const run = promisify(execFile);

let folder = '';
let model: ModelServer | undefined;
afterEach(async () => {
  await killAll();
  await model?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Block {
  readonly info: string;
  readonly text: string;
}

function blocksOf(guide: string): Block[] {
  return [...guide.matchAll(/^```(\w+[^\n]*)\n([\s\S]*?)^```$/gm)].map(([, info = '', text = '']) => ({ info, text }));
}

/** Whether an output has what the guide shows of it, in that order; `…` stands for anything. */
function shows(output: string, shown: string): boolean {
  let at = 0;
  return shown
    .split('…')
    .filter((part) => part.trim() !== '')
    .every((part) => {
      const found = output.indexOf(part, at);
      at = found + part.length;
      return found >= 0;
    });
}

it('docs/guides/write-a-plugin.md works as written', async () => {
  const blocks = blocksOf(await readFile(join(ROOT, 'docs/guides/write-a-plugin.md'), 'utf8'));
  folder = await mkdtemp(join(tmpdir(), 'parley-guide-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(ROOT, join(folder, 'node_modules/parley-server'));
  await mkdir(join(folder, 'plugins'));
  model = await startModelServer();
  model.next(
    { kind: 'calls', calls: [{ id: 'one', name: 'WHO_IS_ON_CALL', input: { team: 'web' } }] },
    { kind: 'reply', text: 'Ada is on call for the web team.' },
  );

  const start = blocks.find(({ info }) => info === 'sh')?.text ?? '';
  const server = await ServerProcess.start({
    ...Object.fromEntries([...start.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value])),
    DATA_DIR: join(folder, 'data'),
    CHARACTERS_DIR: join(ROOT, 'characters'),
    PLUGINS_DIR: join(folder, 'plugins'),
    OPENAI_BASE_URL: model.baseUrl,
  });

  const env = { PATH: process.env['PATH'], PLUGINS_DIR: join(folder, 'plugins') };
  const variables: string[] = [];
  const shell = async (command: string): Promise<string> => {
    const text = command.replaceAll('localhost:3000', server.url).replaceAll('npx parley-server', `node ${join(ROOT, 'dist/main.js')}`);
    const { stdout } = await run('bash', ['-c', [...variables, text].join('\n')], { cwd: folder, env });
    return stdout;
  };

  let [loads, commands] = [0, 0];
  for (const { info, text } of blocks) {
    const file = /file=(\S+)/.exec(info)?.[1];
    if (file !== undefined) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
      if (file.includes('.test.')) continue;
      loads += 1;
      await server.printed(new RegExp(`(plugin reloaded[^]*){${loads}}`));
    }
    if (info !== 'console') continue;
    for (const exchange of text.split(/^\$ /m).slice(1)) {
      const [command = '', ...shown] = exchange.trimEnd().split('\n');
      commands += 1;
      const assignment = /^([A-Z]+)=\$\((.*)\)$/.exec(command);
      if (assignment) {
        variables.push(`${assignment[1]}='${(await shell(assignment[2]!)).trim()}'`);
        continue;
      }
      if (/^[A-Z]+=/.test(command)) {
        variables.push(command.startsWith('SIGNATURE=') ? `SIGNATURE='${(await shell(`${command}; echo $SIGNATURE`)).trim()}'` : command);
        continue;
      }
      // A plugin may still work after its response, so a command that only reads is repeated.
      const until = Date.now() + (command.includes(' -d ') ? 0 : PATIENCE_MS);
      let output = await shell(command);
      while (!shows(output, shown.join('\n')) && Date.now() < until) output = await shell(command);
      expect({ command, shows: shows(output, shown.join('\n')), output }).toMatchObject({ shows: true });
    }
  }
  expect([loads, commands]).toEqual([4, 19]);
  await server.printed(/somebody asked/);
  await server.printed(/a turn has ended/);
  const [first, second] = model.requests;
  expect(JSON.stringify(first?.body)).toContain('There are two teams: web and data.');
  expect(JSON.stringify(second?.body)).toContain('Ada is on call.');
});
