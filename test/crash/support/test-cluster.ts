import { UndocumentedResponse } from '../../support/api-document.js';
import type { FaultyProxy } from '../../support/faulty-proxy.js';
import { ServerProcess, type Exit, type ServerEnv } from './server-process.js';

/** A server that runs, in a process of this machine or elsewhere. */
export interface RunningServer {
  readonly url: string;
  readonly stderr: string;
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Ends it without any warning. */
  kill(): Promise<unknown>;
  stop(): Promise<Exit>;
}

/** Where servers come from. */
export interface Launcher {
  /** Starts a server and waits until it listens. */
  start(env: ServerEnv, under?: readonly string[], main?: string): Promise<RunningServer>;
}

/** An answer that was not the expected one. Some disturbances make some of them legitimate: then the request is sent again. */
export class UnexpectedStatus extends Error {
  constructor(
    readonly status: number,
    what: string,
  ) {
    super(`${what} ${status}`);
  }
}

// What a caller is told when nothing was written and it should try again.
const TRY_AGAIN = new Set([503, 507]);
const RETRY_MS = 20;
// A connection that was cut while idle is noticed only at its next use.
const AFTERMATH_MS = 2000;

/** One server process, which dies and comes back, and the way to it. */
interface ServerSlot {
  readonly env: ServerEnv;
  readonly way: FaultyProxy | undefined;
  server: RunningServer | undefined;
  disturbedUntil: number;
}

/** A server that dies and comes back, as its users see it; or several on one database, of which each request takes one. */
export class TestCluster {
  /** A reverse proxy through which users reach all servers, whichever it chooses. */
  front: string | undefined;
  /** Requests that a kill cut off. */
  cut = 0;
  /** Requests, messages and streams that the server acknowledged. */
  acknowledged = 0;
  private readonly slots: ServerSlot[] = [];
  private readonly started: RunningServer[] = [];
  private turn = 0;
  private time = 0;
  private changed = signal();
  private failure: Error | undefined;

  /**
   * @param way      how users reach the server; straight when left out
   * @param launcher starts the servers; processes of the built program when left out
   */
  constructor(
    env: ServerEnv,
    way?: FaultyProxy,
    private readonly launcher: Launcher = ServerProcess,
  ) {
    this.add(env, way);
  }

  /** Gives a further server its place, beside the others on their database. */
  add(env: ServerEnv, way?: FaultyProxy): void {
    this.slots.push({ env, way, server: undefined, disturbedUntil: 0 });
  }

  /** How many servers there are. */
  get size(): number {
    return this.slots.length;
  }

  /** Does something to a server, or to the way to it, that may make requests fail until it is over. */
  async disturb(work: (server: RunningServer, way: FaultyProxy | undefined) => Promise<void>, at = 0): Promise<void> {
    const slot = this.slot(at);
    if (!slot.server) throw new Error('no server runs');
    slot.disturbedUntil = Infinity;
    try {
      await work(slot.server, slot.way);
    } finally {
      slot.disturbedUntil = performance.now() + AFTERMATH_MS;
    }
  }

  /** A number that grows with each call: what has a smaller one happened before. */
  now(): number {
    return ++this.time;
  }

  /** @param main the built program, when it is another one than the repository's */
  async start(at = 0, main?: string): Promise<void> {
    const slot = this.slot(at);
    const server = await this.launcher.start(slot.env, undefined, main);
    this.started.push(server);
    if (slot.way) slot.way.target = Number(new URL(server.url).port);
    slot.server = server;
    // A proxy goes on for a while as if the server were down, or still had its connections.
    if (this.front !== undefined) slot.disturbedUntil = performance.now() + AFTERMATH_MS;
    this.announce();
  }

  /** kill -9, in whatever it is doing. */
  async kill(at = 0): Promise<void> {
    const slot = this.slot(at);
    const { server } = slot;
    slot.server = undefined;
    await server?.kill();
  }

  /** Stops a server as an operator does; requests that come meanwhile take another, or wait for the next start. */
  async stop(at = 0): Promise<void> {
    const slot = this.slot(at);
    const { server } = slot;
    slot.server = undefined;
    const exit = await server?.stop();
    if (exit && exit.code !== 0) throw new Error(`the server stopped with ${exit.signal ?? exit.code}\n${server?.output() ?? ''}`);
  }

  /** Starts a server and kills it before it may have got anywhere. */
  async killWhileStarting(ms: number, at = 0): Promise<void> {
    const server = ServerProcess.launch(this.slot(at).env);
    const killed = setTimeout(() => server.signal('SIGKILL'), ms);
    await server.exited;
    clearTimeout(killed);
  }

  /** Settles when the server has acknowledged so much more. */
  async progress(steps: number): Promise<void> {
    const goal = this.acknowledged + steps;
    while (this.acknowledged < goal && this.failure === undefined) await this.changed.promise;
  }

  acknowledge(): number {
    this.acknowledged += 1;
    this.announce();
    return this.now();
  }

  /** Ends every wait: a user met something that must not be. */
  fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
    this.announce();
  }

  /** @throws what a user met */
  check(): void {
    if (this.failure) throw this.failure;
  }

  /** Does something against a server, again and again until no kill comes between. Any other failure is thrown. */
  async insist<T>(work: (url: string) => Promise<T>): Promise<T> {
    for (;;) {
      const [slot, server] = await this.running();
      // Through a proxy any of the servers may be the one that fails.
      const asked = this.front === undefined ? [slot] : this.slots;
      const before = asked.map((each) => each.server);
      try {
        return await work(this.front ?? slot.way?.url ?? server.url);
      } catch (error) {
        const calm = asked.every((each, at) => each.server !== undefined && each.server === before[at] && isQuiet(each));
        const refused = error instanceof UnexpectedStatus && !TRY_AGAIN.has(error.status);
        // Whatever happens to a server, its answers have their documented form.
        const malformed = error instanceof UndocumentedResponse || error instanceof SyntaxError;
        if (calm || refused || malformed) throw new Error(`${String(error)}\n${server.output()}`, { cause: error });
        this.cut += 1;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** What the servers that run have printed, for the message of a failure. */
  output(): string {
    return this.slots.map(({ server }) => server?.output() ?? '--- no server').join('\n');
  }

  /** What all servers have printed to standard error so far. */
  get stderr(): string {
    return this.started.map(({ stderr }) => stderr).join('');
  }

  /** Where the first server is reached. */
  get url(): string {
    const { way, server } = this.slot(0);
    if (!server) throw new Error('no server runs');
    return this.front ?? way?.url ?? server.url;
  }

  /** Where each server that runs listens, past all proxies. */
  get addresses(): string[] {
    return this.slots.flatMap(({ server }) => server?.url ?? []);
  }

  /** A server that runs, another each time. */
  private async running(): Promise<[ServerSlot, RunningServer]> {
    for (;;) {
      this.check();
      for (let tries = 0; tries < this.slots.length; tries += 1) {
        const slot = this.slot(this.turn++ % this.slots.length);
        if (slot.server) return [slot, slot.server];
      }
      await this.changed.promise;
    }
  }

  private slot(at: number): ServerSlot {
    const slot = this.slots[at];
    if (!slot) throw new Error(`there is no server ${at}`);
    return slot;
  }

  private announce(): void {
    this.changed.resolve();
    this.changed = signal();
  }
}

function isQuiet({ disturbedUntil }: ServerSlot): boolean {
  return performance.now() > disturbedUntil;
}

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
