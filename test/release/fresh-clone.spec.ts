// `npm start` and `npm test` of a clone whose packages are missing, incomplete or others than the lockfile names. npm is the real one; the
// only package is a folder, so no registry is asked.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', '..');
const INSTALLING = /^Installing the packages \(npm ci\), since (.+) \.\.\.$/m;
/** Stands for the package that each script looks for: jest, or the server of a finished build. */
const PROGRAM = `process.stdout.write('it runs ' + process.argv.slice(2).join(' '));`;

let directory: string;
let clone: string;

interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

interface Run {
  readonly ended: Promise<Outcome>;
  readonly kill: (signal: NodeJS.Signals) => void;
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Run {
  const child = spawn(program, args, {
    cwd: clone,
    env: { PATH: process.env['PATH'], HOME: directory, npm_config_cache: join(directory, 'npm'), NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }));
  return {
    ended,
    kill: (signal) => child.kill(signal),
  };
}

const start = async (): Promise<Outcome> => run('npm', ['start']).ended;
const test = async (): Promise<Outcome> => run('npm', ['test']).ended;
const reason = ({ output }: Outcome): string | undefined => INSTALLING.exec(output)?.[1];

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(clone, path)), { recursive: true });
  await writeFile(join(clone, path), content);
}

/** The lockfile of a clone with one package for development, and a script that the package runs as npm installs it. */
async function lock(version: string, script = 'node -e 0'): Promise<void> {
  await put('packages/jest/package.json', JSON.stringify({ name: 'jest', version, scripts: { postinstall: script } }));
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  const dependencies = { jest: 'file:packages/jest' };
  await put('package.json', JSON.stringify({ name: 'clone', version: '1.0.0', type: 'module', scripts, devDependencies: dependencies }));
  const packages = {
    '': { name: 'clone', version: '1.0.0', devDependencies: dependencies },
    'node_modules/jest': { version, resolved: 'file:packages/jest', dev: true, hasInstallScript: true },
  };
  await put('package-lock.json', JSON.stringify({ name: 'clone', version: '1.0.0', lockfileVersion: 3, requires: true, packages }));
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-clone-'));
  clone = join(directory, 'clone');
  await mkdir(clone);
  await cp(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true });
  // Packages are copied and not linked, as those of a registry are.
  await put('.npmrc', 'install-links=true\naudit=false\nfund=false\n');
  await put('packages/jest/bin/jest.js', PROGRAM);
  await put('src/main.ts', '');
  await put('dist/main.js', PROGRAM);
  await lock('1.0.0');
  // A finished build, newer than its inputs.
  await put('dist/.complete', '');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe.each([
  ['npm start', start],
  ['npm test', test],
])('%s', (_name, command) => {
  it('installs what is missing, says so in one line, and installs nothing the next time', async () => {
    const first = await command();
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('it runs') });
    expect(reason(first)).toBe('node_modules is missing');
    const second = await command();
    expect([second.code, reason(second)]).toEqual([0, undefined]);
    expect(existsSync(join(clone, '.preparing'))).toBe(false);
  });

  it('installs again after an installation that was interrupted', async () => {
    await put('node_modules/jest/half-of-a-file.js', '');
    const first = await command();
    expect([first.code, reason(first)]).toEqual([0, 'node_modules is incomplete']);
    expect(existsSync(join(clone, 'node_modules/jest/half-of-a-file.js'))).toBe(false);
  });

  it('installs again when the lockfile names another version', async () => {
    await command();
    await lock('2.0.0');
    await put('dist/.complete', '');
    const outcome = await command();
    expect([outcome.code, reason(outcome)]).toEqual([0, 'package-lock.json names others']);
    expect(await readFile(join(clone, 'node_modules/jest/package.json'), 'utf8')).toContain('2.0.0');
  });

  it('says what npm says and ends with 1 when the installation fails, and does not run', async () => {
    await lock('1.0.0', `node -e "console.error('no compiler'); process.exit(3)"`);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { code, output } = await command();
      expect(code).toBe(1);
      expect(output).toMatch(
        /The packages could not be installed: npm ci ended with code \d+\.\n[^]*no compiler[^]*run npm ci or start again/,
      );
      expect(output).not.toContain('it runs');
    }
  });

  it('leaves a linked node_modules to the folder that it belongs to', async () => {
    await command();
    await cp(join(clone, 'node_modules'), join(directory, 'elsewhere'), { recursive: true });
    await rm(join(clone, 'node_modules'), { recursive: true });
    await symlink(join(directory, 'elsewhere'), join(clone, 'node_modules'));
    await lock('2.0.0');
    await put('dist/.complete', '');
    const outcome = await command();
    expect([outcome.code, reason(outcome)]).toEqual([0, undefined]);
    expect(await readFile(join(directory, 'elsewhere/jest/package.json'), 'utf8')).toContain('1.0.0');
  });
});

describe('an installation before the start', () => {
  it('is made once when two starts need it at once', async () => {
    await lock('1.0.0', `node -e "require('fs').appendFileSync('../../installed', 'x')"`);
    await put('dist/.complete', '');
    const outcomes = await Promise.all([start(), start(), test()]);
    expect(outcomes.map(({ code, output }) => [code, output.includes('it runs')])).toEqual([
      [0, true],
      [0, true],
      [0, true],
    ]);
    expect(outcomes.filter((outcome) => reason(outcome) !== undefined)).toHaveLength(1);
    expect(await readFile(join(clone, 'installed'), 'utf8')).toBe('x');
  });

  it('does not wait for a process that was killed', async () => {
    const ended = spawn(process.execPath, ['-e', '0']);
    await once(ended, 'close');
    await put('.preparing', String(ended.pid));
    expect(await start()).toMatchObject({ code: 0, output: expect.stringContaining('it runs') });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends at once with %s, the script of a package too, and is made again', async (signal) => {
    const heard = createServer().listen(0, '127.0.0.1');
    await once(heard, 'listening');
    // Connected for as long as it runs, which is for ever.
    await lock('1.0.0', `node -e "require('net').connect(${(heard.address() as AddressInfo).port}, '127.0.0.1')"`);
    await put('dist/.complete', '');
    const first = run(process.execPath, ['scripts/start.mjs']);
    const [script] = (await once(heard, 'connection')) as [Socket];
    const over = once(
      script.on('error', () => undefined),
      'close',
    );
    first.kill(signal);
    expect(await first.ended).toMatchObject({ code: null, signal });
    await over;
    heard.close();
    await lock('1.0.0');
    await put('dist/.complete', '');
    const second = await start();
    expect([second.code, reason(second)]).toEqual([0, 'node_modules is incomplete']);
  });

  it('says that npm is missing', async () => {
    const path = join(directory, 'bin');
    await mkdir(path);
    await symlink(process.execPath, join(path, 'node'));
    const { code, output } = await run(process.execPath, ['scripts/start.mjs'], { PATH: path }).ended;
    expect([code, output]).toEqual([1, expect.stringContaining('npm was not found. Install Node.js with npm.')]);
  });

  it('is not made for a package from a registry, nor for one without its sources', async () => {
    const npm = join(directory, 'bin', 'npm');
    await mkdir(dirname(npm));
    await writeFile(npm, `#!/bin/sh\ntouch ${join(directory, 'npm-ran')}\nexit 1\n`);
    await chmod(npm, 0o755);
    const PATH = `${dirname(npm)}:${process.env['PATH'] ?? ''}`;
    const packaged = async (): Promise<Outcome> => run(process.execPath, ['scripts/start.mjs'], { PATH }).ended;
    await rm(join(clone, 'src'), { recursive: true });
    expect(await packaged()).toMatchObject({ code: 0, output: 'it runs ' });
    await put('src/main.ts', '');
    await put('dist/.complete', '');
    await rm(join(clone, 'package-lock.json'));
    expect(await packaged()).toMatchObject({ code: 0, output: 'it runs ' });
    expect(existsSync(join(directory, 'npm-ran'))).toBe(false);
  });
});
