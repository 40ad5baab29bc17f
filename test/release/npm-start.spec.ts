// `npm start` and the signals that end it: whichever process of the chain is told, none is left, and the next start works.
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startModelServer, type ModelServer } from '../support/model-server.mjs';
import { ApiClient } from '../support/api-client.js';
import type { Exit } from '../crash/support/server-process.js';

const ROOT = join(import.meta.dirname, '..', '..');
const PATIENCE_MS = 50_000;
const LISTENS = /^Parley \S+ listens on (http:\/\/\S+)$/m;
const CLEAN: Exit = { code: 0, signal: null };
const USER = '11111111-1111-1111-1111-111111111111';

let directory: string;
let model: ModelServer;
const runs: NpmRun[] = [];

/** npm, or npx, as a terminal or a service manager runs it: in a process group of its own. */
class NpmRun {
  readonly exited: Promise<Exit>;
  output = '';
  private readonly child: ChildProcess;
  private ended = false;

  constructor(args: readonly string[], cwd: string, env: Record<string, string> = {}, program: 'npm' | 'npx' = 'npm') {
    this.child = spawn(program, args, {
      cwd,
      env: {
        ...{ PATH: process.env['PATH'], HOME: directory, NO_UPDATE_NOTIFIER: '1', npm_config_cache: join(directory, 'npm') },
        ...{ ENV_FILE: join(directory, 'none.env'), DATA_DIR: join(directory, 'data'), CHARACTERS_DIR: join(directory, 'characters') },
        ...{ PLUGINS_DIR: join(directory, 'plugins'), SERVER_PORT: '0', EMBEDDING_PROVIDER: 'none' },
        ...{ OPENAI_BASE_URL: model.baseUrl, MODEL_RETRIES: '0', ...env },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.exited = once(this.child, 'close').then(([code, signal]) => {
      this.ended = true;
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
    runs.push(this);
  }

  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const found = pattern.exec(this.output);
      if (found) return found;
      if (this.ended || signal.aborted) throw new Error(`not printed: ${String(pattern)}\n${this.output}`);
      const more = [this.child.stdout!, this.child.stderr!].map((stream) => once(stream, 'data', { signal }).catch(() => undefined));
      await Promise.race([...more, this.exited]);
    }
  }

  /** Tells npm alone. */
  signal(signal: NodeJS.Signals): void {
    process.kill(this.child.pid!, signal);
  }

  /** Tells every process of the group, as Ctrl-C in a terminal does. */
  signalAll(signal: NodeJS.Signals): void {
    process.kill(-this.child.pid!, signal);
  }

  /** Whether a process of the group still runs; one that has ended may wait for a while until its parent notices. */
  leftovers(): boolean {
    const ofGroup = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && this.isRunning(name));
    return ofGroup.length > 0;
  }

  private isRunning(pid: string): boolean {
    try {
      // "PID (NAME) STATE PARENT GROUP ..."
      const [state, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return Number(group) === this.child.pid && state !== 'Z';
    } catch {
      return false;
    }
  }

  /** Tells the group and waits; the outcome says how npm ended, and that nothing is left of it. */
  async end(): Promise<Exit & { leftovers: boolean }> {
    const tooLong = setTimeout(() => this.leftovers() && this.signalAll('SIGKILL'), PATIENCE_MS);
    const exit = await this.exited;
    clearTimeout(tooLong);
    return { ...exit, leftovers: this.leftovers() };
  }
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-npm-'));
  model = await startModelServer();
  await mkdir(join(directory, 'characters'));
  await writeFile(join(directory, 'characters', 'vera.json'), JSON.stringify({ name: 'Vera', bio: 'An agent of the tests.' }));
});
afterEach(async () => {
  for (const run of runs.splice(0)) {
    if (run.leftovers()) run.signalAll('SIGKILL');
    await run.exited;
  }
  await model.close();
  await rm(directory, { recursive: true, force: true });
});

describe('a server started with npm start', () => {
  const start = (env?: Record<string, string>): NpmRun => new NpmRun(['start'], ROOT, env);

  it('stops cleanly when any of its processes gets the signal, and the next start works at once', async () => {
    const ways: ((run: NpmRun) => void)[] = [
      (run) => run.signal('SIGTERM'),
      (run) => run.signal('SIGINT'),
      (run) => run.signalAll('SIGTERM'),
      // Ctrl-C
      (run) => run.signalAll('SIGINT'),
    ];
    for (const tell of ways) {
      const run = start();
      await run.printed(LISTENS);
      tell(run);
      expect([String(tell), await run.end()]).toEqual([String(tell), { ...CLEAN, leftovers: false }]);
      expect(run.output.match(/"msg":"stopping"/g)).toHaveLength(1);
    }
  });

  it('stops at once when it gets the signal during its start', async () => {
    // A database that never answers: the start does not come to its end.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const run = start({ DATABASE_URL: `postgres://x:y@127.0.0.1:${(silent.address() as AddressInfo).port}/z` });
    const [connection] = (await once(silent, 'connection')) as [Socket];
    connection.on('error', () => undefined);
    run.signal('SIGTERM');
    expect(await run.end()).toEqual({ code: null, signal: 'SIGTERM', leftovers: false });
    silent.close();
  });

  it('lets a running reply finish after the first signal, and not after a second one', async () => {
    model.next({ kind: 'hang', after: 1 });
    const run = start({ SHUTDOWN_GRACE_MS: '600000' });
    const [, url = ''] = await run.printed(LISTENS);
    const api = new ApiClient(() => url);
    const { agents } = (await api.get('/api/agents')).body.data;
    const { sessionId } = (await api.post('/api/messaging/sessions', { agentId: agents[0].id, userId: USER })).body.data;
    const waiting = api.post(`/api/messaging/sessions/${sessionId}/messages`, { content: 'Hi', transport: 'http' }).catch(() => undefined);
    await model.received();
    run.signal('SIGTERM');
    await run.printed(/"msg":"stopping"/);
    // The second wish counts once it cannot be the same signal on another way.
    const again = setInterval(() => run.leftovers() && run.signalAll('SIGTERM'), 300);
    expect(await run.end()).toEqual({ code: null, signal: 'SIGTERM', leftovers: false });
    clearInterval(again);
    await waiting;
  });
});

describe('a server of an installed package', () => {
  const project = (): string => join(directory, 'agents');

  beforeEach(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, 'dist', 'main.js'), 'init', project()]);
    // As npm lays out an installed package.
    await mkdir(join(project(), 'node_modules', '.bin'), { recursive: true });
    await symlink(ROOT, join(project(), 'node_modules', 'parley-server'));
    await symlink(join('..', 'parley-server', 'dist', 'main.js'), join(project(), 'node_modules', '.bin', 'parley-server'));
    await chmod(join(ROOT, 'dist', 'main.js'), 0o755);
  });

  const npx = (): NpmRun => new NpmRun(['parley-server'], project(), {}, 'npx');
  const npmStart = (): NpmRun => new NpmRun(['start'], project());

  it.each<[string, () => NpmRun, (run: NpmRun) => void]>([
    ['npx is told SIGTERM', npx, (run) => run.signal('SIGTERM')],
    ['every process of npx is told SIGTERM', npx, (run) => run.signalAll('SIGTERM')],
    ['Ctrl-C is pressed under npx', npx, (run) => run.signalAll('SIGINT')],
    ['npm start is told SIGTERM', npmStart, (run) => run.signal('SIGTERM')],
    ['npm start is told SIGINT', npmStart, (run) => run.signal('SIGINT')],
    ['Ctrl-C is pressed under npm start', npmStart, (run) => run.signalAll('SIGINT')],
  ])('stops cleanly when %s', async (_way, start, tell) => {
    const run = start();
    const [, url = ''] = await run.printed(LISTENS);
    tell(run);
    expect(await run.end()).toMatchObject({ leftovers: false });
    expect(run.output.match(/"msg":"stopping"/g)).toHaveLength(1);
    expect(run.output).not.toMatch(/"level":"error"|did not stop/);
    await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed');
  });
});

describe('a program that npm start builds first', () => {
  const tree = (): string => join(directory, 'tree');

  beforeEach(async () => {
    await mkdir(join(tree(), 'src', 'bootstrap'), { recursive: true });
    const parts = [
      'package.json',
      'scripts',
      'client',
      'console',
      'nest-cli.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'tsconfig.sdk.json',
      '.swcrc',
    ];
    for (const name of parts) {
      await cp(join(ROOT, name), join(tree(), name), { recursive: true });
    }
    await symlink(join(ROOT, 'node_modules'), join(tree(), 'node_modules'));
    const main = `process.on('SIGTERM', () => process.exit(0)); setInterval(() => undefined, 1000); process.stdout.write('it runs\\n');`;
    await writeFile(join(tree(), 'src', 'bootstrap', 'program.ts'), `${main}\nexport {};\n`);
    await writeFile(join(tree(), 'src', 'main.ts'), "import './bootstrap/program.js';\n");
    // The build looks for these by their names.
    const sources = {
      'plugin-sdk/index.ts': 'export {};\n',
      'plugin-sdk/testing.ts': 'export {};\n',
      'providers/speech/workers/decoder.worker.ts': "export const decoder = (): Promise<unknown> => import('@audio/decode-webm');\n",
    };
    for (const [path, source] of Object.entries(sources)) {
      await mkdir(dirname(join(tree(), 'src', path)), { recursive: true });
      await writeFile(join(tree(), 'src', path), source);
    }
  });

  it.each<[string, (run: NpmRun) => void]>([
    ['npm alone', (run) => run.signal('SIGTERM')],
    ['the whole group', (run) => run.signalAll('SIGTERM')],
  ])('stops when %s gets the signal during the build, and builds again at the next start', async (_who, tell) => {
    const first = new NpmRun(['start'], tree());
    await first.printed(/Building Parley/);
    tell(first);
    expect(await first.end()).toEqual({ code: null, signal: 'SIGTERM', leftovers: false });
    // What a build leaves that is cut off in the middle.
    await mkdir(join(tree(), 'dist'), { recursive: true });
    await writeFile(join(tree(), 'dist', 'main.js'), `throw new Error('half of a build');`);
    const second = new NpmRun(['start'], tree());
    await second.printed(/it runs/);
    second.signal('SIGTERM');
    expect(await second.end()).toEqual({ ...CLEAN, leftovers: false });
    expect(await readdir(join(tree(), 'dist', 'console'))).toContain('index.html.br');
  });

  it('is built again after a failed build', async () => {
    await writeFile(join(tree(), 'src', 'wrong.ts'), `export const count: number = 'no number';`);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const run = new NpmRun(['start'], tree());
      expect(await run.end()).toMatchObject({ code: 1, leftovers: false });
      expect(run.output).toMatch(/could not be built[^]*wrong\.ts/);
    }
  });

  it('stops under start:dev, too', async () => {
    const run = new NpmRun(['run', 'start:dev'], tree());
    await run.printed(/it runs/);
    run.signal('SIGTERM');
    expect(await run.end()).toEqual({ ...CLEAN, leftovers: false });
    expect(await readdir(tree())).toContain('dist');
  });
});
