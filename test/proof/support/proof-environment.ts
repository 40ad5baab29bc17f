import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { newestPostgres, startPostgres, type PrivatePostgres } from '../../../bench/fleet/postgres.mjs';
import { SLOW_AGENT, FAILING_AGENT, FAST_AGENT } from '../../crash/support/load-generator.js';
import { killAll } from '../../crash/support/server-process.js';
import { TestCluster } from '../../crash/support/test-cluster.js';
import { FaultyProxy } from '../../support/faulty-proxy.js';
import { startModelServer, type ModelBehaviour, type ModelServer, type ModelServerRequest } from '../../support/model-server.mjs';
import { NatsServer } from '../../support/nats-server.js';
import { ReverseProxy, type ProxyName } from '../../support/reverse-proxy.js';
import { TOOL } from './protocol-doors.js';
import { Takeovers } from './takeovers.js';
import { WEBHOOK_PLUGIN_ENV, WEBHOOK_PLUGIN } from './webhook-workload.js';

// Room for what minutes of load store.
const SMALL_DISK = 'size=192m';
const DATABASE = 'parley';

// Two answer at once, one slowly; all of them are spoilt at times.
const PROVIDERS = new Map([
  [FAST_AGENT, 'openai'],
  [SLOW_AGENT, 'ollama'],
  [FAILING_AGENT, 'openai'],
]);

/** Replies with what was said, after a call of the tool that users of protocols bring along. */
function behaviourFor({ tools, messages }: ModelServerRequest['body'], delayMs?: number): ModelBehaviour {
  const isOffered = Array.isArray(tools) && tools.some((tool: { function?: { name: string } }) => tool.function?.name === TOOL);
  const hasResult = (messages as { role: string }[]).at(-1)?.role === 'tool';
  if (isOffered && !hasResult) return { kind: 'calls', calls: [{ id: 'call_1', name: TOOL, input: {} }] };
  return { kind: 'reply', ...(delayMs !== undefined && { delayMs }) };
}

export interface EnvironmentSettings {
  readonly engine: 'sqlite' | 'postgres';
  /** More than one share a PostgreSQL database. */
  readonly servers: number;
  /** The reverse proxy, with the configuration of deploy/, through which users reach the servers; straight when left out. */
  readonly behind?: ProxyName | undefined;
  /** Whether NATS, instead of PostgreSQL, carries hints and pieces between the servers. */
  readonly nats?: boolean | undefined;
}

/** Everything around the servers of a run: their disk, their database, their models, and the proxies between them. */
export class ProofEnvironment {
  /** Proxies between the servers and a PostgreSQL database. */
  readonly databaseProxies: FaultyProxy[] = [];
  readonly proxies: FaultyProxy[] = [];
  /** Each connection through it goes to the next server. */
  front!: FaultyProxy;
  readonly takeovers = new Takeovers((sql) => this.ask(sql));
  readonly models: ModelServer[] = [];
  /** The data directory, when it is a small disk of its own that may be filled. */
  smallDisk: string | undefined;
  /** File that tells the servers how wrong their clock is. */
  readonly clockFile: string;
  /** How wrong it is, ms. */
  clockShift = 0;
  /** What the plugin's handlers write down. */
  readonly notes: string;
  cluster!: TestCluster;
  /** The server of the database; undefined on SQLite. */
  postgres: PrivatePostgres | undefined;
  /** What carries hints and pieces between the servers; undefined when PostgreSQL does. */
  nats: NatsServer | undefined;

  private reverseProxy: ReverseProxy | undefined;

  private constructor(private readonly directory: string) {
    this.clockFile = join(directory, 'clock');
    this.notes = join(directory, 'notes');
  }

  static async open({ engine, servers, behind, nats }: EnvironmentSettings): Promise<ProofEnvironment> {
    const environment = new ProofEnvironment(await mkdtemp(join(tmpdir(), 'parley-proof-')));
    try {
      if (nats) environment.nats = await NatsServer.start();
      await environment.build(engine, servers);
      if (behind !== undefined) await environment.putBehind(behind);
    } catch (error) {
      await environment.close();
      throw error;
    }
    return environment;
  }

  async close(): Promise<void> {
    await killAll();
    await this.reverseProxy?.close();
    for (const way of [this.front, ...this.proxies, ...this.databaseProxies]) await way?.close();
    await Promise.all(this.models.map((model) => model.close()));
    await this.postgres?.stop();
    await this.nats?.kill();
    if (this.smallDisk !== undefined) spawnSync('umount', [this.smallDisk]);
    await rm(this.directory, { recursive: true, force: true });
  }

  private async build(engine: 'sqlite' | 'postgres', servers: number): Promise<void> {
    const { directory, models } = this;
    models.push(...(await Promise.all([startModelServer(), startModelServer(), startModelServer()])));
    models.forEach((model, at) => model.otherwise((body) => behaviourFor(body, at === 1 ? 12 : undefined)));
    for (const folder of ['characters', 'plugins']) await mkdir(join(directory, folder));
    for (const [{ name }, modelProvider] of PROVIDERS) {
      const character = {
        name,
        bio: 'An agent of the tests.',
        settings: { modelProvider },
        plugins: name === FAST_AGENT.name ? ['hooks'] : [],
      };
      await writeFile(join(directory, 'characters', `${name}.json`), JSON.stringify(character));
    }
    writeFileSync(this.notes, '');
    await writeFile(join(directory, 'plugins', 'hooks.mjs'), WEBHOOK_PLUGIN(this.notes));
    if (engine === 'postgres') {
      const bin = await newestPostgres();
      if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
      this.postgres = await startPostgres(bin, killAll);
      await this.postgres.create(DATABASE);
    }
    for (let at = 0; at < servers; at += 1) {
      const dataDir = join(directory, `data-${at}`);
      await mkdir(dataDir);
      // Only an administrator may mount; elsewhere the disk is not filled, and the last line says so.
      const small = engine === 'sqlite' && spawnSync('mount', ['-t', 'tmpfs', '-o', SMALL_DISK, 'tmpfs', dataDir]).status === 0;
      if (small) this.smallDisk = dataDir;
      const way = await FaultyProxy.to(0);
      this.proxies.push(way);
      const env = { ...this.env(dataDir), ...(await this.databaseEnv()) };
      if (at === 0) this.cluster = new TestCluster(env, way);
      else this.cluster.add(env, way);
    }
    let turn = 0;
    this.front = await FaultyProxy.to(() => this.proxies[turn++ % servers]!.port);
  }

  private async putBehind(name: ProxyName): Promise<void> {
    this.reverseProxy = await ReverseProxy.start(
      name,
      this.proxies.map(({ port }) => port),
    );
    this.cluster.front = this.reverseProxy.url;
    this.front.target = Number(new URL(this.reverseProxy.url).port);
  }

  /** One query in the database of the servers; PostgreSQL only. */
  async ask(sql: string): Promise<Record<string, unknown>[]> {
    return (await this.postgres?.ask(DATABASE, sql)) ?? [];
  }

  private env(dataDir: string): { DATA_DIR: string } & Record<string, string> {
    const { directory, models, clockFile } = this;
    return {
      DATA_DIR: dataDir,
      CHARACTERS_DIR: join(directory, 'characters'),
      PLUGINS_DIR: join(directory, 'plugins'),
      OPENAI_BASE_URL: models[0]!.baseUrl,
      OLLAMA_BASE_URL: models[1]!.baseUrl,
      MODEL_RETRIES: '1',
      MODEL_TIMEOUT_MS: '1500',
      LOG_LEVEL: process.env['PROOF_LOG'] ?? 'fatal',
      NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href}`,
      SHIFTED_CLOCK: clockFile,
      METRICS: 'on',
      INVARIANT_CHECK_MS: '500',
      ...WEBHOOK_PLUGIN_ENV,
    };
  }

  private async databaseEnv(): Promise<Record<string, string>> {
    if (this.postgres === undefined) return {};
    const way = await FaultyProxy.to(this.postgres.port);
    this.databaseProxies.push(way);
    const url = new URL(way.url);
    // Processes on one database have to agree on the key.
    return {
      DATABASE_URL: `postgres://postgres@${url.host}/${DATABASE}`,
      SECRET_KEY: 'one key for all servers of the checker',
      ...(this.nats ? { EVENTS_URL: this.nats.url } : {}),
    };
  }
}
