import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

// Debian installs it where the path of a user may not lead.
const PROGRAM = '/usr/sbin/nats-server';

/** A NATS server as a process of its own, on a free port, which it keeps when it is started again. */
export class NatsServer {
  private constructor(
    readonly port: number,
    private child: ChildProcess,
  ) {}

  /** @throws Error when it is not installed or does not start */
  static async start(): Promise<NatsServer> {
    const { child, port } = await launch(-1);
    return new NatsServer(port, child);
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  async startAgain(): Promise<void> {
    ({ child: this.child } = await launch(this.port));
  }
}

function launch(port: number): Promise<{ child: ChildProcess; port: number }> {
  const child = spawn(PROGRAM, ['--addr', '127.0.0.1', '--port', String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`nats-server cannot be started: apt-get install nats-server (${error.message})`)));
    child.on('exit', (code) => reject(new Error(`nats-server ended with ${code}\n${output}`)));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const listening = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(output);
      if (listening && output.includes('Server is ready')) resolve({ child, port: Number(listening[1]) });
    });
  });
}
