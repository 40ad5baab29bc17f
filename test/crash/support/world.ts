import { ServerProcess, type ServerEnv } from './server-process.js';

/** A server that dies and comes back, as its users see it. */
export class World {
  /** Requests that a kill cut off. */
  cut = 0;
  /** Requests, messages and streams that the server acknowledged. */
  acknowledged = 0;
  private server: ServerProcess | undefined;
  private time = 0;
  private changed = signal();
  private failure: Error | undefined;

  constructor(private readonly env: ServerEnv) {}

  /** A number that grows with each call: what has a smaller one happened before. */
  now(): number {
    return ++this.time;
  }

  async start(): Promise<void> {
    this.server = await ServerProcess.start(this.env);
    this.announce();
  }

  /** kill -9, in whatever it is doing. */
  async kill(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    await server?.kill();
  }

  /** Starts a server and kills it before it may have got anywhere. */
  async killWhileStarting(ms: number): Promise<void> {
    const server = ServerProcess.launch(this.env);
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

  /** Does something against the server, again and again until no kill comes between. Any other failure is thrown. */
  async insist<T>(work: (url: string) => Promise<T>): Promise<T> {
    for (;;) {
      const server = await this.running();
      try {
        return await work(server.url);
      } catch (error) {
        if (this.server === server) throw new Error(`${String(error)}\n${server.output()}`, { cause: error });
        this.cut += 1;
      }
    }
  }

  /** Where the running server listens. */
  get url(): string {
    if (!this.server) throw new Error('no server runs');
    return this.server.url;
  }

  private async running(): Promise<ServerProcess> {
    while (this.server === undefined) {
      this.check();
      await this.changed.promise;
    }
    this.check();
    return this.server;
  }

  private announce(): void {
    this.changed.resolve();
    this.changed = signal();
  }
}

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
