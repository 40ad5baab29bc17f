import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Launcher, RunningServer } from '../../crash/support/test-cluster.js';
import { GUEST_ADDRESS, type GuestFiles } from './guest-image.js';
import { NbdServer } from './nbd-server.js';
import type { PowerCut, VolatileDisk } from './volatile-disk.js';

const MEMORY_MB = 1024;
export const GUEST_PORT = 3000;
const POSTGRES_PORT = 5432;
const BANNER = /^Parley \S+ listens on /m;
// Linux takes the timer of a machine that is emulated slowly for a broken one.
const KERNEL_OPTIONS = 'console=ttyS0 quiet panic=-1 mitigations=off no_timer_check';
const BOOT_LIMIT_MS = 600_000;

/** The server does not start in the machine. */
export class StartFailure extends Error {}

/** A virtual machine with the server, from its boot until its power is cut. */
export class VirtualMachine implements RunningServer {
  /** What the guest printed to its console. */
  stdout = '';
  stderr = '';
  /** What the disk lost; set once the power was cut. */
  cut: PowerCut | undefined;
  readonly exited: Promise<void>;
  private readonly child: ChildProcess;
  private ended = false;

  constructor(
    files: GuestFiles,
    socket: string,
    private readonly disk: VolatileDisk,
    private readonly nbd: NbdServer,
    private readonly port: number,
    readonly postgresPort: number,
    niceness: number,
  ) {
    const forward = (host: number, guest: number): string => `hostfwd=tcp:127.0.0.1:${host}-${GUEST_ADDRESS}:${guest}`;
    const arguments_ = [
      ...['-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '1', '-m', String(MEMORY_MB)],
      ...['-nodefaults', '-no-user-config', '-no-reboot', '-display', 'none', '-serial', 'stdio'],
      ...['-kernel', files.kernel, '-initrd', files.initrd, '-append', KERNEL_OPTIONS],
      ...['-blockdev', `driver=raw,node-name=program,read-only=on,file.driver=file,file.filename=${files.programDisk}`],
      ...['-device', 'virtio-blk-pci,drive=program'],
      // `no-flush=off`: each flush of the guest becomes a flush of the NBD server.
      ...['-blockdev', `driver=nbd,node-name=data,server.type=unix,server.path=${socket},cache.no-flush=off`],
      ...['-device', 'virtio-blk-pci,drive=data,write-cache=on'],
      ...['-netdev', `user,id=net,${forward(port, GUEST_PORT)},${forward(postgresPort, POSTGRES_PORT)}`],
      ...['-device', 'virtio-net-pci,netdev=net,romfile='],
    ];
    // Ends with this process, however that ends.
    const program = ['--pdeathsig', 'KILL', 'nice', '-n', String(niceness), 'qemu-system-x86_64', ...arguments_];
    this.child = spawn('setpriv', program, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      if (process.env['POWER_CONSOLE'] !== undefined) process.stderr.write(text);
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = once(this.child, 'close').then(() => void (this.ended = true));
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @throws Error when the machine ends before, or takes too long */
  async ready(): Promise<void> {
    await this.printed(BANNER);
  }

  /** Cuts the power: QEMU is killed, and of what was not flushed the disk keeps what chance decides. */
  async kill(): Promise<void> {
    if (!this.ended && this.cut === undefined) {
      this.nbd.disconnect();
      this.cut = this.disk.cutPower();
      this.child.kill('SIGKILL');
    }
    await this.exited;
  }

  stop(): Promise<never> {
    return Promise.reject(new Error('A virtual machine is not stopped, only its power is cut.'));
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  output(): string {
    return `--- virtual machine (${this.ended ? 'ended' : 'running'})\n${this.stdout.slice(-5000)}\n${this.stderr.slice(-2000)}\n---`;
  }

  private async printed(pattern: RegExp): Promise<void> {
    const signal = AbortSignal.timeout(BOOT_LIMIT_MS);
    while (!pattern.test(this.stdout)) {
      await Promise.race([once(this.child.stdout!, 'data', { signal }).catch(() => undefined), this.exited]);
      if (this.ended || signal.aborted) throw new StartFailure(`the virtual machine did not print ${String(pattern)}\n${this.output()}`);
    }
  }
}

/** Starts one virtual machine after another on the same disk. */
export class MachineLauncher implements Launcher {
  /** All machines so far. */
  readonly machines: VirtualMachine[] = [];

  private constructor(
    private readonly files: GuestFiles,
    private readonly disk: VolatileDisk,
    private readonly socket: string,
    private readonly nbd: NbdServer,
    private readonly niceness: number,
  ) {}

  static async on(disk: VolatileDisk, files: GuestFiles, directory: string, niceness: number): Promise<MachineLauncher> {
    const socket = join(directory, 'disk.sock');
    return new MachineLauncher(files, disk, socket, await NbdServer.listen(socket, disk), niceness);
  }

  async boot(): Promise<VirtualMachine> {
    const [port, postgresPort] = [await freePort(), await freePort()];
    const machine = new VirtualMachine(this.files, this.socket, this.disk, this.nbd, port, postgresPort, this.niceness);
    this.machines.push(machine);
    return machine;
  }

  async start(): Promise<VirtualMachine> {
    const machine = await this.boot();
    await machine.ready();
    return machine;
  }

  async close(): Promise<void> {
    await this.machines.at(-1)?.kill();
    await this.nbd.close();
  }
}

/** QEMU does not say which port it took when it is given none. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
