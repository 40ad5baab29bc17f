import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caddyCommand, freePort, NGINX_SERVER_LIMITS, nginxCommand } from '../../scripts/deploy/proxies.mjs';

/** The reverse proxies of which deploy/ has a configuration. */
export const PROXIES = ['nginx', 'caddy'] as const;
export type ProxyName = (typeof PROXIES)[number];

// What each writes to standard error once it listens.
const LISTENS = { nginx: /start worker process/, caddy: /serving initial configuration/ };
const PATIENCE_MS = 60_000;

/** nginx or Caddy with the configuration of deploy/, as a process of its own on a free port of loopback. */
export class ReverseProxy {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    /** Where clients reach it. */
    readonly url: string,
  ) {}

  /**
   * @param ports servers behind it, on loopback
   * @throws Error when the program is not installed or does not start
   */
  static async start(name: ProxyName, ports: readonly number[]): Promise<ReverseProxy> {
    const folder = await mkdtemp(join(tmpdir(), `parley-${name}-`));
    const port = await freePort();
    const [command, args, environment = {}] =
      name === 'nginx'
        ? nginxCommand(folder, {
            PARLEY_LISTEN: `127.0.0.1:${port}`,
            PARLEY_NAME: '_',
            PARLEY_SERVERS: ports.map((server) => `server 127.0.0.1:${server} ${NGINX_SERVER_LIMITS};`).join(' '),
          })
        : caddyCommand(folder, {
            PARLEY_SITE: `http://:${port}`,
            PARLEY_SERVERS: ports.map((server) => `127.0.0.1:${server}`).join(' '),
          });
    const child = spawn(command, args, { env: { PATH: process.env['PATH'], ...environment }, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    const listening = new Promise<void>((resolve, reject) => {
      child.on('error', (error) => reject(new Error(`${name} cannot be started: apt-get install ${name} (${error.message})`)));
      child.on('exit', (code) => reject(new Error(`${name} ended with ${code}\n${output}`)));
      AbortSignal.timeout(PATIENCE_MS).addEventListener('abort', () => reject(new Error(`${name} does not listen\n${output}`)));
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (LISTENS[name].test(output)) resolve();
      });
    });
    const proxy = new ReverseProxy(child, folder, `http://127.0.0.1:${port}`);
    try {
      await listening;
    } catch (error) {
      await proxy.close();
      throw error;
    }
    return proxy;
  }

  async close(): Promise<void> {
    if (this.child.exitCode === null && this.child.pid !== undefined) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGTERM');
      await ended;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
