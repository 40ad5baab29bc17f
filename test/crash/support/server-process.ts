import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

// A run of the mutation check names a copy of the build with a fault planted in it.
const MAIN = process.env['PROOF_MAIN'] ?? join(import.meta.dirname, '..', '..', '..', 'dist', 'main.js');
const BANNER = /^Parley \S+ listens on (http:\/\/\S+)$/m;
const PATIENCE_MS = 60_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServerEnv extends Record<string, string | undefined> {
  readonly DATA_DIR: string;
}

const alive = new Set<ServerProcess>();

/** Kills whatever a test left running. */
export async function killAll(): Promise<void> {
  await Promise.all([...alive].map((server) => server.kill()));
}

/** The built server as a process of its own, in a process group of its own. */
export class ServerProcess {
  /** Settles when the process has ended, however it ended, and all its output is there. */
  readonly exited: Promise<Exit>;
  stdout = '';
  stderr = '';
  private readonly child: ChildProcess;
  private ended: Exit | undefined;

  private constructor(env: ServerEnv, under: readonly string[] = [], main = MAIN) {
    const [program = process.execPath, ...args] = [...under, process.execPath, main];
    this.child = spawn(program, args, {
      // Not the repository, so that tests ignore its .env file.
      cwd: join(env.DATA_DIR, '..'),
      env: {
        PATH: process.env['PATH'],
        SERVER_PORT: '0',
        // Not the examples of the repository.
        PLUGINS_DIR: join(env.DATA_DIR, '..', 'plugins'),
        EMBEDDING_PROVIDER: 'none',
        // The model calls of a test are its own.
        MEMORY_EXTRACTION: 'none',
        LOG_LEVEL: 'info',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    alive.add(this);
    this.exited = once(this.child, 'close').then(([code, signal]) => {
      alive.delete(this);
      return (this.ended = { code: code as number | null, signal: signal as NodeJS.Signals | null });
    });
  }

  /** Starts a process and does not wait for it to get anywhere. */
  static launch(env: ServerEnv): ServerProcess {
    return new ServerProcess(env);
  }

  /**
   * Starts a server and waits until it listens.
   *
   * @param under a command that runs the rest of its arguments as a program, in the same process
   * @param main  the built program, when it is another one than the repository's
   */
  static async start(env: ServerEnv, under?: readonly string[], main?: string): Promise<ServerProcess> {
    const server = new ServerProcess(env, under, main);
    await server.printed(BANNER);
    return server;
  }

  /** Starts a server that is expected to give up, and waits for its end. */
  static async fail(env: ServerEnv, under?: readonly string[], main?: string): Promise<Exit & { stdout: string; stderr: string }> {
    const server = new ServerProcess(env, under, main);
    const tooLong = setTimeout(() => server.signal('SIGKILL'), PATIENCE_MS);
    const exit = await server.exited;
    clearTimeout(tooLong);
    return { ...exit, stdout: server.stdout, stderr: server.stderr };
  }

  get pid(): number {
    return this.child.pid!;
  }

  /** Where it listens, as it printed it. */
  get url(): string {
    const url = BANNER.exec(this.stdout)?.[1];
    if (url === undefined) throw new Error(`the server has not said where it listens\n${this.output()}`);
    return url;
  }

  /** What it has printed so far, for the message of a failure. */
  output(): string {
    const fate = this.ended ? `ended with ${this.ended.signal ?? this.ended.code}` : 'running';
    return `--- server ${this.child.pid} (${fate})\n${this.stdout.slice(-5000)}\n--- its standard error\n${this.stderr.slice(-5000)}\n---`;
  }

  /** Waits until standard output matches. @throws Error with the output when the process ends before, or takes too long */
  async printed(pattern: RegExp): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (!pattern.test(this.stdout)) {
      const more = once(this.child.stdout!, 'data', { signal }).catch(() => undefined);
      await Promise.race([more, this.exited]);
      if (this.ended !== undefined || signal.aborted) {
        if (pattern.test(this.stdout)) return;
        throw new Error(`the server did not print ${String(pattern)}\n${this.output()}`);
      }
    }
  }

  /** kill -9, and waits for the end. */
  async kill(): Promise<Exit> {
    this.signal('SIGKILL');
    return this.exited;
  }

  /** As an operator stops it. Killed when it takes longer than all its time limits together. */
  async stop(): Promise<Exit> {
    this.signal('SIGTERM');
    const tooLong = setTimeout(() => this.signal('SIGKILL'), PATIENCE_MS);
    const exit = await this.exited;
    clearTimeout(tooLong);
    return exit;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** True while any process of the server's group is left. */
  leftovers(): boolean {
    try {
      process.kill(-this.child.pid!, 0);
      return true;
    } catch {
      return false;
    }
  }
}
