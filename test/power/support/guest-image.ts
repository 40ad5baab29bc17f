import { execFile } from 'node:child_process';
import { chown, copyFile, cp, mkdir, readFile, rm, symlink, truncate, writeFile, appendFile, chmod } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { newestPostgres } from '../../../bench/fleet/postgres.mjs';
import { installForProduction } from '../../support/production-install.js';
import { debianKernel, debianPackage } from './debian-packages.js';

const run = promisify(execFile);
/** Address of the guest in the network of QEMU; its host is 10.0.2.2. */
export const GUEST_ADDRESS = '10.0.2.15';
const PROGRAM_DISK_MB = 1024;
const DATA_DISK_MB = 384;
const MODULES = [
  ...['virtio', 'virtio_ring', 'virtio_pci_legacy_dev', 'virtio_pci_modern_dev', 'virtio_pci'].map((name) => `drivers/virtio/${name}`),
  'drivers/block/virtio_blk',
  'net/core/failover',
  'drivers/net/net_failover',
  'drivers/net/virtio_net',
];
// Frequent checkpoints: more of the moments at which the power fails are interesting ones.
const POSTGRES_SETTINGS = `
listen_addresses = '${GUEST_ADDRESS}'
unix_socket_directories = '/tmp'
shared_buffers = 32MB
max_wal_size = 64MB
min_wal_size = 32MB
checkpoint_timeout = 30s
timezone = 'UTC'
log_timezone = 'UTC'
`;

export interface GuestFiles {
  readonly kernel: string;
  readonly kernelVersion: string;
  readonly initrd: string;
  readonly programDisk: string;
}

/**
 * Makes the files that a guest starts from: Debian's kernel, an initial RAM disk, and a read-only disk with Node.js, the built server, its
 * packages, PostgreSQL and the libraries of this host that they need.
 *
 * @param unsafe the server and its database flush nothing (libeatmydata)
 */
export async function makeGuest(
  directory: string,
  env: Readonly<Record<string, string>>,
  { characters, postgres, unsafe }: { characters: string; postgres: boolean; unsafe: boolean },
): Promise<GuestFiles> {
  const kernel = await debianKernel();
  const busybox = join(await debianPackage('busybox-static'), 'bin/busybox');
  const root = join(directory, 'system');
  await makeFolders(root, ['dev', 'proc', 'sys', 'tmp', 'data', 'etc', 'bin']);
  await copyFile(busybox, join(root, 'bin/busybox'));
  await symlink('busybox', join(root, 'bin/sh'));
  const parley = join(root, 'parley');
  installForProduction(parley);
  await cp(characters, join(parley, 'characters'), { recursive: true });
  const sqlite = 'node_modules/sqlite3/build/Release/node_sqlite3.node';
  await copyPrograms(root, { [process.execPath]: '/usr/bin/node', '/usr/sbin/e2fsck': '/sbin/e2fsck' });
  await copyLibraries(root, join(parley, sqlite));
  const settings = { ...env };
  if (postgres) settings['POSTGRES'] = await copyPostgres(root);
  if (unsafe) {
    const library = join(await debianPackage('libeatmydata1'), 'usr/lib/x86_64-linux-gnu/libeatmydata.so');
    await copyFile(library, join(root, 'libeatmydata.so'));
    settings['LD_PRELOAD'] = '/libeatmydata.so';
  }
  const programDisk = join(directory, 'program.img');
  await makeDisk(root, programDisk, PROGRAM_DISK_MB);
  await rm(root, { recursive: true });

  const ramDisk = join(directory, 'initrd');
  await makeFolders(ramDisk, ['bin', 'dev', 'system', 'modules']);
  await copyFile(busybox, join(ramDisk, 'bin/busybox'));
  for (const name of MODULES) await copyFile(join(kernel.modules, `${name}.ko`), join(ramDisk, 'modules', `${basename(name)}.ko`));
  await copyFile(join(import.meta.dirname, '../guest/init.sh'), join(ramDisk, 'init'));
  await chmod(join(ramDisk, 'init'), 0o755);
  const lines = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'\n`);
  await writeFile(join(ramDisk, 'settings'), lines.join(''));
  const initrd = `${ramDisk}.gz`;
  await run('sh', ['-c', 'find . | cpio --quiet -o -H newc | gzip -1 > "$0"', initrd], { cwd: ramDisk });
  return { kernel: kernel.image, kernelVersion: kernel.version, initrd, programDisk };
}

/** Makes an empty data disk, or one with an empty PostgreSQL database. @returns its content */
export async function makeDataDisk(directory: string, postgres: boolean): Promise<Buffer> {
  const root = join(directory, 'data');
  const image = join(directory, 'data.img');
  await mkdir(join(root, 'parley'), { recursive: true });
  if (postgres) await initialisePostgres(join(root, 'postgres'));
  await makeDisk(root, image, DATA_DISK_MB);
  const content = await readFile(image);
  await rm(image);
  await rm(root, { recursive: true });
  return content;
}

async function makeFolders(root: string, names: readonly string[]): Promise<void> {
  for (const name of names) await mkdir(join(root, name), { recursive: true });
}

async function makeDisk(folder: string, image: string, sizeMb: number): Promise<void> {
  await writeFile(image, '');
  await truncate(image, sizeMb * 2 ** 20);
  await run('/usr/sbin/mke2fs', ['-q', '-t', 'ext4', '-d', folder, image]);
}

async function copyPrograms(root: string, programs: Readonly<Record<string, string>>): Promise<void> {
  for (const [from, to] of Object.entries(programs)) {
    await mkdir(dirname(join(root, to)), { recursive: true });
    await copyFile(from, join(root, to));
    await copyLibraries(root, from);
  }
}

/** Copies the shared libraries that a program loads. */
async function copyLibraries(root: string, program: string): Promise<void> {
  const { stdout } = await run('ldd', [program]);
  for (const [, path] of stdout.matchAll(/(\/\S+) \(0x/g)) {
    await mkdir(dirname(join(root, path!)), { recursive: true });
    await copyFile(path!, join(root, path!));
  }
}

/** @returns the folder of its programs in the guest */
async function copyPostgres(root: string): Promise<string> {
  const bin = await postgresBin();
  const version = basename(dirname(bin));
  await copyPrograms(root, Object.fromEntries(['postgres', 'pg_isready'].map((name) => [join(bin, name), join(bin, name)])));
  const library = join(dirname(bin), 'lib');
  await mkdir(join(root, library), { recursive: true });
  for (const name of ['amcheck.so', 'plpgsql.so', 'dict_snowball.so']) await copyFile(join(library, name), join(root, library, name));
  const share = `/usr/share/postgresql/${version}`;
  await cp(share, join(root, share), { recursive: true, dereference: true });
  await mkdir(join(root, '/usr/share/zoneinfo'), { recursive: true });
  await copyFile('/usr/share/zoneinfo/UTC', join(root, '/usr/share/zoneinfo/UTC'));
  const { uid, gid } = await postgresUser();
  await writeFile(join(root, 'etc/passwd'), `root:x:0:0::/:/bin/sh\npostgres:x:${uid}:${gid}::/:/bin/sh\n`);
  await writeFile(join(root, 'etc/group'), `root:x:0:\npostgres:x:${gid}:\n`);
  return bin;
}

async function initialisePostgres(data: string): Promise<void> {
  const bin = await postgresBin();
  const { uid, gid } = await postgresUser();
  await chmod(dirname(data), 0o711);
  await mkdir(data);
  if (process.getuid!() === 0) await chown(data, uid, gid);
  const user = process.getuid!() === 0 ? { uid, gid } : {};
  const args = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--data-checksums'];
  await run(join(bin, 'initdb'), args, { ...user, cwd: dirname(data) });
  await appendFile(join(data, 'postgresql.conf'), POSTGRES_SETTINGS);
  await appendFile(join(data, 'pg_hba.conf'), 'host all all 10.0.2.0/24 trust\n');
}

async function postgresBin(): Promise<string> {
  const bin = await newestPostgres();
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return bin;
}

/** PostgreSQL does not run as root. */
async function postgresUser(): Promise<{ uid: number; gid: number }> {
  if (process.getuid!() !== 0) return { uid: process.getuid!(), gid: process.getgid!() };
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)));
  return { uid: uid!, gid: gid! };
}
