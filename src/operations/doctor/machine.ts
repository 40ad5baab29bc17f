import { readdir, stat, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { satisfies } from 'semver';
import { engineOf, sqlitePath } from '../../core/database/index.js';
import { Findings, type Check, type Subject } from './finding.js';

const GB = 1024 ** 3;
const MB = 1024 ** 2;
const NEEDED_NODE = '>=20.19.0';
/** The version that the README recommends and the image has. */
const RECOMMENDED_NODE = 24;
/** End of security fixes of the lines with long-term support. */
const NODE_ENDS: Readonly<Record<number, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' };
const ENOUGH_FILES = 4096;
const FEW_FILES = 1024;
const OTHERS = 0o077;

export const node: Check = ({ now }) => {
  const found = new Findings('node');
  const version = process.versions.node;
  const line = Number(version.split('.')[0]);
  const end = NODE_ENDS[line];
  if (!satisfies(version, NEEDED_NODE)) found.error(`Node.js ${version} is too old.`, `Install Node.js ${RECOMMENDED_NODE}.`);
  else if (end !== undefined && Date.parse(end) < now) {
    found.warning(`Node.js ${line} has had no security fixes since ${end}.`, `Install Node.js ${RECOMMENDED_NODE}.`);
  } else if (line % 2 === 1) found.warning(`Node.js ${line} has no long-term support.`, `Install Node.js ${RECOMMENDED_NODE}.`);
  return found.orOk(`Node.js ${version}`);
};

export const limits: Check = () => {
  const found = new Findings('limits');
  const files = openFileLimit();
  if (files !== undefined && files < ENOUGH_FILES) {
    const remedy = 'Raise it: LimitNOFILE=65536 in a systemd unit, --ulimit nofile=65536 for a container, or ulimit -n.';
    const message = `The process may open ${files} files; each socket and stream is one.`;
    if (files < FEW_FILES) found.error(message, remedy);
    else found.warning(message, remedy);
  }
  const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
  if (memory < 512 * MB) {
    const remedy = 'Give the server 512 MB at least; more with embeddings, speech and many connections.';
    const message = `The machine or container has ${Math.round(memory / MB)} MB of memory.`;
    if (memory < 256 * MB) found.error(message, remedy);
    else found.warning(message, remedy);
  }
  if (process.geteuid?.() === 0) {
    found.warning('The program runs as root.', 'Run it as a user of its own, which owns DATA_DIR.');
  }
  return found.orOk(`${files ?? 'any number of'} open files, ${(memory / GB).toFixed(1)} GB of memory`);
};

/** The soft limit of this process; undefined when there is none, or the platform has no such limit. */
function openFileLimit(): number | undefined {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

export const disk: Check = async ({ config }) => {
  const found = new Findings('disk');
  const messages: string[] = [];
  for (const [variable, path] of [
    ['DATA_DIR', config.dataDir],
    ['MEDIA_DIR', config.mediaDir],
  ] as const) {
    const { bavail, bsize, blocks } = await statfs(await existing(path));
    const [free, size] = [Number(bavail) * Number(bsize), Number(blocks) * Number(bsize)];
    const message = `${(free / GB).toFixed(1)} GB of ${(size / GB).toFixed(1)} GB are free at ${variable} (${path}).`;
    if (free < GB) found.error(message, `Free some space, or move ${variable} to a larger disk.`);
    else if (free < 5 * GB || free < size / 20) found.warning(message, `Free some space, or move ${variable} to a larger disk.`);
    if (!messages.includes(message)) messages.push(message);
  }
  if (engineOf(config.databaseUrl) === 'sqlite') {
    const path = sqlitePath(config.databaseUrl);
    const size = await stat(path).then(
      (file) => file.size,
      () => 0,
    );
    const { bavail, bsize } = await statfs(await existing(path));
    if (size > Number(bavail) * Number(bsize)) {
      found.error(
        'The disk has no room for a copy of the database, which backups and upgrades make.',
        'Free some space, or move DATA_DIR to a larger disk.',
      );
    }
  }
  return found.orOk(messages.join(' '));
};

/** A path, or the nearest folder above it that exists. */
async function existing(path: string): Promise<string> {
  for (let each = resolve(path); ; each = dirname(each)) {
    if ((await stat(each).catch(() => undefined)) !== undefined || each === dirname(each)) return each;
  }
}

// The numbers by which Linux names file systems (statfs).
const NETWORK = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x01021997, '9p'],
  [0x00c36400, 'CephFS'],
  [0x5346414f, 'AFS'],
  [0x47504653, 'GPFS'],
  [0x0bd00bd0, 'Lustre'],
]);
const FUSE = 0x65735546;

export const fileSystem: Check = async ({ config }) => {
  const found = new Findings('file system');
  if (engineOf(config.databaseUrl) !== 'sqlite') return [];
  const path = sqlitePath(config.databaseUrl);
  const { type } = await statfs(await existing(path));
  const network = NETWORK.get(Number(type) >>> 0);
  const remedy = 'Move DATA_DIR to a local disk, or use PostgreSQL: npx parley-server move postgres://…';
  if (network !== undefined) found.error(`The SQLite database is on a network file system (${network}), whose locks lose data.`, remedy);
  else if (Number(type) === FUSE) found.warning('The SQLite database is on a FUSE file system, whose locks may not work.', remedy);
  return found.orOk('The SQLite database is on a local file system.');
};

export const permissions: Check = async (subject) => {
  const found = new Findings('permissions');
  if (process.platform === 'win32') return found.orOk('not checked on Windows');
  const { config } = subject;
  const folder = await stat(config.dataDir).catch(() => undefined);
  if (!folder) {
    found.warning(
      `DATA_DIR (${config.dataDir}) does not exist.`,
      'The server creates it at its start. Check DATA_DIR if it has run before.',
    );
    return found.list;
  }
  const uid = process.geteuid?.();
  if (uid !== undefined && uid !== 0 && folder.uid !== uid) {
    found.error(
      `DATA_DIR (${config.dataDir}) belongs to another user.`,
      `Run the server as that user, or chown -R its user ${config.dataDir}.`,
    );
  }
  if ((folder.mode & OTHERS) !== 0) {
    found.warning(`Other users of this machine may enter DATA_DIR (${config.dataDir}).`, `chmod 700 ${config.dataDir}`);
  }
  for (const path of await secretFiles(subject)) {
    const file = await stat(path).catch(() => undefined);
    if (file?.isFile() && (file.mode & OTHERS) !== 0) found.error(`Other users of this machine may read ${path}.`, `chmod 600 ${path}`);
  }
  return found.orOk('Only the user of the server may read its data.');
};

async function secretFiles({ config }: Subject): Promise<string[]> {
  const names = await readdir(config.dataDir).catch(() => []);
  const data = names.filter((name) => /^(secret\.key|parley\.sqlite(-wal)?)$/.test(name)).map((name) => join(config.dataDir, name));
  return [...data, config.envFile];
}
