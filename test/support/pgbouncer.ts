import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Debian installs it where the path of a user may not lead.
const PROGRAM = '/usr/sbin/pgbouncer';

/** PgBouncer in transaction mode in front of the PostgreSQL of the tests, as a process of its own on a free port. */
export class PgBouncer {
  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /**
   * @param poolSize connections to PostgreSQL for each database
   * @param target   port of PostgreSQL
   * @throws Error when PgBouncer is not installed or does not start
   */
  static async start(poolSize = 10, target = 5432): Promise<PgBouncer> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-pgbouncer-'));
    const port = await freePort();
    const settings = join(folder, 'pgbouncer.ini');
    await writeFile(
      settings,
      [
        '[databases]',
        `* = host=127.0.0.1 port=${target} user=postgres`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = any',
        'pool_mode = transaction',
        `default_pool_size = ${poolSize}`,
        'server_reset_query =',
        ...withoutPrepared(),
      ].join('\n'),
    );
    const user = await ordinaryUser(folder);
    const child = spawn(PROGRAM, [settings], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    const started = new Promise<void>((resolve, reject) => {
      child.on('error', (error) => {
        reject(new Error(`PgBouncer cannot be started: apt-get install pgbouncer (${error.message})`));
      });
      child.on('exit', (code) => reject(new Error(`PgBouncer ended with ${code}\n${output}`)));
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (/process up/.test(output)) resolve();
      });
    });
    try {
      await started;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    return new PgBouncer(port, folder, child);
  }

  /** The address of a database by way of the pooler. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url.href;
  }

  async close(): Promise<void> {
    const ended = once(this.child, 'exit');
    // Immediately; SIGINT would wait for the clients.
    this.child.kill('SIGTERM');
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Newer versions translate the names of prepared statements, which older ones and other poolers do not. */
function withoutPrepared(): string[] {
  const [, minor = 0] = /^PgBouncer 1\.(\d+)/.exec(execFileSync(PROGRAM, ['--version'], { encoding: 'utf8' })) ?? [];
  return Number(minor) >= 21 ? ['max_prepared_statements = 0'] : [];
}

/** PgBouncer refuses to run as root, and is given the user of PostgreSQL then. */
async function ordinaryUser(folder: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = ['-u', '-g'].map((option) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' })));
  await chown(folder, uid, gid);
  await chown(join(folder, 'pgbouncer.ini'), uid, gid);
  return { uid, gid };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
