import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Databases } from './databases.mjs';

const ROOT = resolve(import.meta.dirname, '..', '..');
const RUN = join(ROOT, 'bench', 'run.mjs');
const PROBE = join(ROOT, 'bench', 'support', 'probe.mjs');
const HOLDS_PROBE = join(ROOT, 'bench', 'support', 'holds-probe.mjs');
const COUNTS_PROBE = join(ROOT, 'bench', 'support', 'counts-probe.mjs');
const MODEL = join(ROOT, 'test', 'support', 'model-server.mjs');
const BANNER = /^Parley \S+ listens on (http:\/\/\S+)$/m;
// With 100,000 agents a first start takes half a minute.
const START_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 20_000;

/** Where one bench works: directories and processes, all gone when it is closed. */
export class Workshop {
  #processes = [];
  #directories = 0;
  #profiles = 0;

  constructor(options, directory) {
    this.name = options.name;
    this.smoke = options.smoke;
    this.profile = options.profile;
    /** The root of another build to measure beside this one. */
    this.against = options.against;
    /** Scenarios of the bench `speed`; all by default. */
    this.scenarios = options.scenarios?.split(';');
    this.embeddings = options.embeddings ?? 'none';
    this.rounds = options.rounds === undefined ? undefined : Number(options.rounds);
    /** Rows of the long side of each list; the bench `lists` has its own default. */
    this.rows = options.rows === undefined ? undefined : Number(options.rows);
    /** Options of one bench alone, see run.mjs. */
    this.options = options;
    /** Variables for every server of the bench `memory`. */
    this.env = Object.fromEntries((options.env ?? []).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
    this.directory = directory;
    /** Databases of the data directories, when `--database` names a PostgreSQL server; else each has its SQLite file. */
    this.databases = options.database === undefined ? undefined : new Databases(options.database);
    this.engine = this.databases === undefined ? 'SQLite' : 'PostgreSQL';
    /** Texts to print after the table. */
    this.reports = [];
  }

  static async open(options) {
    return new Workshop(options, await mkdtemp(join(tmpdir(), 'parley-bench-')));
  }

  /** How long something is done for, seconds. */
  seconds(full) {
    return this.smoke ? 1 : full;
  }

  /** How often something is done. */
  times(full, least = 1) {
    return this.smoke ? least : full;
  }

  /** A fresh data directory. */
  async data() {
    this.#directories += 1;
    const path = join(this.directory, `data-${this.#directories}`);
    await mkdir(path);
    await this.databases?.create(path);
    return path;
  }

  /** A copy of a data directory that no process uses. */
  async copyOf(data) {
    this.#directories += 1;
    const path = join(this.directory, `data-${this.#directories}`);
    await this.databases?.create(path, data);
    await cp(data, path, { recursive: true });
    return path;
  }

  /** A folder of so many characters. */
  async characters(count) {
    const path = join(this.directory, `characters-${count}`);
    await mkdir(path, { recursive: true });
    for (let index = 0; index < count; index++) {
      await writeFile(join(path, `${index}.json`), JSON.stringify({ name: `Agent ${index}`, bio: ['An agent of the benches.'] }));
    }
    return path;
  }

  /**
   * The built server on a data directory, with so many agents or those it comes with. Settles when it has answered;
   * `startedIn` is the time until then, ms. With `probe` it tells what it holds (support/probe.mjs), with
   * `probe: 'holds'` how long its event loop was held (support/holds-probe.mjs), with `probe: 'counts'` what it asks of SQLite and
   * allocates (support/counts-probe.mjs).
   */
  async parley({ data, agents = 1, env = {}, probe = false, root = ROOT }) {
    const characters = agents === 'default' ? join(ROOT, 'characters') : await this.characters(agents);
    const profiling =
      this.profile === undefined
        ? []
        : ['--cpu-prof', `--cpu-prof-dir=${resolve(this.profile)}`, `--cpu-prof-name=${this.name}-${this.#profiles++}.cpuprofile`];
    const probes = { holds: ['--import', HOLDS_PROBE], counts: ['--import', COUNTS_PROBE], true: ['--expose-gc', '--import', PROBE] };
    const probing = probes[String(probe)] ?? [];
    const begin = performance.now();
    const server = this.#child('parley', () =>
      spawn(process.execPath, [...profiling, ...probing, join(root, 'dist', 'main.js')], {
        cwd: this.directory,
        stdio: ['ignore', 'pipe', 'pipe', ...(probe ? ['ipc'] : [])],
        env: {
          PATH: process.env.PATH,
          DATA_DIR: data,
          CHARACTERS_DIR: characters,
          PLUGINS_DIR: join(this.directory, 'plugins'),
          SERVER_PORT: '0',
          LOG_LEVEL: 'warn',
          EMBEDDING_PROVIDER: 'none',
          // Every measured model call answers a message.
          MEMORY_EXTRACTION: 'none',
          ...(this.databases === undefined ? {} : { DATABASE_URL: this.databases.addressOf(data) }),
          ...env,
        },
      }),
    );
    const url = await server.printed(BANNER);
    const health = await fetch(`${url}/healthz`);
    if (!health.ok) throw new Error(`the server is not healthy: ${health.status}`);
    return { ...server, url, api: apiOf(url), startedIn: performance.now() - begin };
  }

  /** The stub of a model service, which answers at once. */
  async model() {
    const model = this.#child('model', () => spawn(process.execPath, [MODEL], { stdio: ['ignore', 'pipe', 'pipe'] }));
    const port = await model.printed(/^\{"port":(\d+)\}$/m);
    return `http://127.0.0.1:${port}/v1`;
  }

  /** A process that does one job after another, so that what it does does not slow down who measures it. */
  role(name) {
    const worker = this.#child(name, () => fork(RUN, ['--role', name], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }));
    const ask = async (job) => {
      // Two requests of each caller show that a bench works.
      worker.child.send(this.smoke && job.seconds !== undefined ? { ...job, amount: 2 * job.callers } : job);
      const [answer] = await Promise.race([
        once(worker.child, 'message'),
        worker.ended.then(() => [{ error: `the process "${name}" ended\n${worker.output()}` }]),
      ]);
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    };
    return Object.assign(ask, { pid: worker.pid });
  }

  report(text) {
    if (text !== '') this.reports.push(text);
  }

  /** Stops every process that it has started. */
  async stopAll() {
    await Promise.all(this.#processes.splice(0).map((each) => each.stop()));
  }

  output() {
    return this.#processes.map((each) => each.output()).join('\n');
  }

  async close() {
    await this.stopAll();
    await this.databases?.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  #child(name, start) {
    const child = start();
    let text = '';
    const ended = once(child, 'close');
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part) => (text = (text + part).slice(-20_000)));
    }
    const handle = {
      child,
      pid: child.pid,
      ended,
      output: () => `--- ${name}\n${text}`,
      async printed(pattern) {
        const signal = AbortSignal.timeout(START_LIMIT_MS);
        for (;;) {
          const found = pattern.exec(text);
          if (found) return found[1];
          if (child.exitCode !== null || signal.aborted) throw new Error(`"${name}" did not start\n${text}`);
          await Promise.race([once(child.stdout, 'data', { signal }).catch(() => undefined), ended]);
        }
      },
      async stop() {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        const tooLong = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
        await ended;
        clearTimeout(tooLong);
      },
    };
    this.#processes.push(handle);
    return handle;
  }
}

const IDLE_CHECK_MS = 500;
// The server indexes memories once nothing has happened for a second.
const IDLE_CHECKS = 5;
const IDLE_LIMIT_MS = 120_000;

/** Waits until a process has used hardly any processor time for 2.5 s: until its queues are empty. */
export async function idle(pid) {
  const limit = performance.now() + IDLE_LIMIT_MS;
  let before = await processorMs(pid);
  for (let quiet = 0; quiet < IDLE_CHECKS && performance.now() < limit;) {
    await new Promise((resolve) => setTimeout(resolve, IDLE_CHECK_MS));
    const now = await processorMs(pid);
    quiet = now - before > 10 ? 0 : quiet + 1;
    before = now;
  }
}

/** Resident memory of a process, MB; where the system does not tell, NaN. */
export async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** The most memory that a process has had resident, MB; where the system does not tell, NaN. */
export async function peakMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Processor time that a process has used with all its threads, ms; where the system does not tell, NaN. */
export async function processorMs(pid) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  // In ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function apiOf(url) {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status} ${text}`);
    return { text, data: JSON.parse(text).data };
  };
}
