import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChannel, elapsed, FAILING_AGENT, FAST_AGENT, LoadGenerator, SLOW_AGENT } from '../../crash/support/load-generator.js';
import { HistoryChecker } from '../../crash/support/history-checker.js';
import { TestCluster, UnexpectedStatus } from '../../crash/support/test-cluster.js';
import type { Ledger } from '../../crash/support/users.js';
import { startModelServer, type ModelServer } from '../../support/model-server.mjs';
import type { Random } from '../../support/random.js';
import { checkDisk } from './disk-check.js';
import { GUEST_ADDRESS, makeDataDisk, makeGuest } from './guest-image.js';
import { checkPostgres } from './postgres-check.js';
import { UploadsAndKeys } from './uploads-and-keys.js';
import { GUEST_PORT, MachineLauncher, StartFailure } from './virtual-machine.js';
import { VolatileDisk, type PowerCut } from './volatile-disk.js';

const WRITERS = 2;
const LONGEST_LOAD_STEPS = 150;
// About as long as a start takes.
const LONGEST_START_MS = 20_000;
const CUT_AGAIN = 0.4;
const CUT_WHILE_FLUSHING = 0.75;
// An emulated machine on a busy host is slow.
const PATIENCE_MS = 600_000;
/** In QEMU's network. */
const HOST = '10.0.2.2';

/** The administrator key of the server in the guest, which listens on a network. */
export const API_KEY = 'the-key-of-the-power-test';

/** One power failure under load, and what was found after it. */
export interface RoundResult {
  readonly cuts: readonly PowerCut[];
  readonly messages: number;
  readonly replies: number;
  readonly sessions: number;
  readonly uploads: number;
  readonly keyed: number;
  /** Requests that the failure cut off. */
  readonly repeated: number;
  /** From switching it on to the first answer, ms. */
  readonly startMs: number;
  readonly faults: readonly string[];
}

/** A virtual machine with the built server under load, whose power fails again and again. */
export class PowerTest {
  private closed: Promise<void> | undefined;
  private readonly rounds: { ledger: Ledger; shared: readonly string[]; kept: UploadsAndKeys }[] = [];

  private constructor(
    private readonly directory: string,
    private readonly engine: 'sqlite' | 'postgres',
    private readonly random: Random,
    private readonly models: readonly ModelServer[],
    private readonly disk: VolatileDisk,
    private readonly launcher: MachineLauncher,
    private readonly cluster: TestCluster,
  ) {}

  /**
   * @param unsafe   the server and its database flush nothing: the test has to find that
   * @param niceness of the emulator
   */
  static async open(engine: 'sqlite' | 'postgres', random: Random, unsafe: boolean, niceness: number): Promise<PowerTest> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-power-'));
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
    // initdb runs as another user, because PostgreSQL refuses to run as root.
    await chmod(directory, 0o711);
    const models: ModelServer[] = [];
    const remove = (): Promise<void> => closeAll(models, directory);
    try {
      models.push(
        await startModelServer(),
        await startModelServer({ otherwise: { kind: 'reply', delayMs: 12 } }),
        await startModelServer({ otherwise: { kind: 'status', status: 500 } }),
      );
      const characters = join(directory, 'characters');
      await writeCharacters(characters);
      const env = serverEnv(models, engine);
      const postgres = engine === 'postgres';
      const files = await makeGuest(directory, env, { characters, postgres, unsafe });
      const disk = new VolatileDisk(await makeDataDisk(directory, postgres), random);
      const launcher = await MachineLauncher.on(disk, files, directory, niceness);
      const cluster = new TestCluster({ DATA_DIR: '/data/parley' }, undefined, launcher);
      return new PowerTest(directory, engine, random, models, disk, launcher, cluster);
    } catch (error) {
      await remove();
      throw error;
    }
  }

  /** Ends the machine and removes everything; whatever is under way fails. */
  close(): Promise<void> {
    this.cluster.fail(new Error('the power test was closed'));
    return (this.closed ??= this.launcher.close().then(() => closeAll(this.models, this.directory)));
  }

  /** Boots the machine for the first time. */
  async start(): Promise<void> {
    await this.cluster.start();
  }

  /** Lets users work, cuts the power at a moment of chance, boots again, and holds what is there against what users were told. */
  async round(): Promise<RoundResult> {
    const { cluster, random, launcher, disk } = this;
    const ledger: Ledger = { sessions: [], sent: [] };
    const before = cluster.cut;
    const load = new LoadGenerator(cluster, ledger, random);
    const shared = [await createChannel(cluster)];
    const kept = new UploadsAndKeys(cluster, random, await createChannel(cluster));
    this.rounds.push({ ledger, shared, kept });
    const users = Promise.all([
      ...Array.from({ length: WRITERS }, () => load.sessionUser()),
      ...Array.from({ length: WRITERS }, () => load.channelUser(shared)),
      load.submitter(shared),
      kept.upload(load.isOver),
      kept.request(load.isOver),
    ]).catch((error: unknown) => cluster.fail(error));
    const first = launcher.machines.length - 1;
    const faults: string[] = [];
    let startMs = 0;
    // The emulated network resets connections of a busy guest at times, too.
    const cutAndRestart = cluster.disturb(async () => {
      await cluster.progress(random.between(1, LONGEST_LOAD_STEPS));
      cluster.check();
      // While the disk flushes, or at any other moment.
      await (random.chance(CUT_WHILE_FLUSHING) ? disk.flushing : elapsed(random.between(0, 500)));
      await cluster.kill();
      faults.push(...(await this.checkedDisk()));
      if (random.chance(CUT_AGAIN)) faults.push(...(await this.cutWhileStarting()));
      const begin = performance.now();
      await cluster.start();
      startMs = Math.round(performance.now() - begin);
      await cluster.progress(random.between(1, 20));
      load.end();
      await within(PATIENCE_MS, users, 'users still had no answer');
      cluster.check();
    });
    await cutAndRestart.catch((error: unknown) => {
      if (!isBrokenPromise(error)) throw error;
      faults.push(String(error));
    });

    let replies = 0;
    // A user who met a broken promise has stopped in the middle of something.
    if (faults.length === 0) {
      const check = new HistoryChecker(cluster.url, ledger, PATIENCE_MS);
      await check.check([...shared, ...ledger.sessions.map(({ channelId }) => channelId)]);
      faults.push(...check.faults, ...(await kept.check(cluster.url)));
      if (this.engine === 'postgres') faults.push(...(await checkPostgres(launcher.machines.at(-1)!.postgresPort)));
      replies = [...check.histories.values()].flat().filter(({ event }) => event === 'turn.finished').length;
    }
    return {
      cuts: launcher.machines.slice(first).flatMap(({ cut }) => cut ?? []),
      messages: ledger.sent.length,
      replies,
      sessions: ledger.sessions.length,
      uploads: kept.uploads.length,
      keyed: kept.keyed.length,
      repeated: cluster.cut - before,
      startMs,
      faults,
    };
  }

  /** Everything of all rounds is still there: no later failure touched it. */
  async checkAll(): Promise<string[]> {
    const faults: string[] = [];
    for (const { ledger, shared, kept } of this.rounds) {
      // The pieces of an answer are kept for a quarter of an hour only.
      const sent = ledger.sent.map(({ stream: _, ...message }) => message);
      const check = new HistoryChecker(this.cluster.url, { ...ledger, sent }, PATIENCE_MS);
      await check.check([...shared, ...ledger.sessions.map(({ channelId }) => channelId)]);
      faults.push(...check.faults, ...(await kept.check(this.cluster.url)));
    }
    return faults;
  }

  /** What the machine has printed, for the message of a failure. */
  output(): string {
    return this.launcher.machines.at(-1)?.output() ?? '';
  }

  /** Boots a machine whose power fails before it may have got anywhere. */
  private async cutWhileStarting(): Promise<string[]> {
    const { random, disk } = this;
    const machine = await this.launcher.boot();
    // The file system and the database are recovered with flushes, too.
    const late = elapsed(random.between(0, LONGEST_START_MS));
    for (let flushes = random.between(1, 8); flushes > 0; flushes -= 1) await Promise.race([disk.flushing, late, machine.exited]);
    await machine.kill();
    return this.checkedDisk();
  }

  private checkedDisk(): Promise<string[]> {
    return checkDisk(this.disk.content, this.directory);
  }
}

/** The server rejects an acknowledged write, or no longer starts. */
function isBrokenPromise(error: unknown): boolean {
  return error instanceof StartFailure || (error instanceof Error && error.cause instanceof UnexpectedStatus);
}

function serverEnv(models: readonly ModelServer[], engine: 'sqlite' | 'postgres'): Record<string, string> {
  const [openai, ollama, anthropic] = models.map(({ port }) => `http://${HOST}:${port}/v1`);
  return {
    ...(engine === 'postgres' ? { DATABASE_URL: `postgres://postgres@${GUEST_ADDRESS}:5432/postgres` } : {}),
    DATA_DIR: '/data/parley',
    SERVER_HOST: GUEST_ADDRESS,
    SERVER_PORT: String(GUEST_PORT),
    API_KEY,
    OPENAI_BASE_URL: openai!,
    OLLAMA_BASE_URL: ollama!,
    ANTHROPIC_BASE_URL: anthropic!,
    ANTHROPIC_API_KEY: 'none',
    MODEL_RETRIES: '0',
    EMBEDDING_PROVIDER: 'none',
    MEMORY_EXTRACTION: 'none',
    LOG_LEVEL: 'fatal',
  };
}

async function writeCharacters(folder: string): Promise<void> {
  await mkdir(folder);
  for (const [{ name }, modelProvider] of [
    [FAST_AGENT, 'openai'],
    [SLOW_AGENT, 'ollama'],
    [FAILING_AGENT, 'anthropic'],
  ] as const) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify({ name, bio: 'An agent of the tests.', settings: { modelProvider } }));
  }
}

async function closeAll(models: readonly ModelServer[], directory: string): Promise<void> {
  await Promise.all(models.map((model) => model.close()));
  await rm(directory, { recursive: true, force: true });
}

async function within(ms: number, work: Promise<unknown>, message: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(message)), ms)));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
