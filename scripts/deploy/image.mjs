// Builds the image of a Dockerfile without Docker: each stage is an overlay over a Debian root made by debootstrap, and each RUN happens in it.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { argument, fill, ignores, operands, pairs, stagesOf } from './dockerfile.mjs';

const SUITE = 'bookworm';
const SHELL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Runs a command; its output goes to the terminal. @throws Error when it fails */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
  if (error) throw new Error(`${command} cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}

/**
 * A Debian root as the base image has it: minimal, with the Node.js and npm of this machine in /usr/local.
 *
 * @param folder where it is made; used again when it is there
 */
export function makeBase(folder) {
  const done = join(folder, '.made');
  if (existsSync(done)) return;
  rmSync(folder, { recursive: true, force: true });
  run('debootstrap', ['--variant=minbase', '--include=ca-certificates', SUITE, folder, ...mirror()]);
  const local = join(folder, 'usr/local');
  const copied = { recursive: true, verbatimSymlinks: true };
  cpSync(process.execPath, join(local, 'bin/node'));
  const prefix = dirname(dirname(process.execPath));
  cpSync(join(prefix, 'lib/node_modules/npm'), join(local, 'lib/node_modules/npm'), copied);
  cpSync(join(prefix, 'include/node'), join(local, 'include/node'), copied);
  for (const name of ['npm', 'npx']) {
    run('ln', ['-s', `../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name)]);
  }
  rmSync(join(folder, 'var/cache/apt/archives'), { recursive: true, force: true });
  writeFileSync(done, '');
}

/**
 * Carries out the Dockerfile.
 *
 * @param context the folder of the build, of which .dockerignore leaves out what is not for the image
 * @param work    folder for the stages; `base` in it is the root that all of them begin with
 * @param args    build arguments
 * @returns the last stage: its root, its environment and metadata, and the folder of what it adds to the base
 */
export function buildImage(context, work, args = {}) {
  const stages = stagesOf(readFileSync(join(context, 'Dockerfile'), 'utf8'), args);
  const left = ignores(readFileSync(join(context, '.dockerignore'), 'utf8'));
  const built = new Map();
  let last;
  for (const [index, stage] of stages.entries()) {
    const begin = performance.now();
    process.stdout.write(`\n== stage ${stage.name ?? index} from ${stage.base}\n`);
    last = buildStage(stage, join(work, `stage-${index}`), { context, left, built, args, base: join(work, 'base') });
    if (stage.name) built.set(stage.name, last.root);
    process.stdout.write(`== stage ${stage.name ?? index}: ${Math.round((performance.now() - begin) / 1000)} s\n`);
  }
  return last;
}

/** Size of all files in a folder, bytes. */
export function sizeOf(folder) {
  const { stdout } = spawnSync('du', ['-sxb', folder], { encoding: 'utf8' });
  return Number.parseInt(stdout, 10);
}

function buildStage({ steps, metadata }, folder, { context, left, built, args, base }) {
  const root = join(folder, 'root');
  const added = join(folder, 'added');
  for (const path of [root, added, join(folder, 'work')]) mkdirSync(path, { recursive: true });
  run('mount', ['-t', 'overlay', 'overlay', '-o', `lowerdir=${base},upperdir=${added},workdir=${join(folder, 'work')}`, root]);
  // What the root of a container is.
  chmodSync(root, 0o755);
  const variables = {};
  const environment = { PATH: SHELL_PATH };
  let cwd = '/';
  for (const { line, word, rest } of steps) {
    const text = fill(rest, { ...variables, ...environment });
    process.stdout.write(`-- ${line}: ${word} ${text}\n`);
    if (word === 'ARG') Object.assign(variables, argument(rest, args));
    if (word === 'ENV') Object.assign(environment, pairs(text));
    if (word === 'WORKDIR') mkdirSync(join(root, (cwd = resolve(cwd, text))), { recursive: true });
    // The shell replaces variables itself.
    if (word === 'RUN') inRoot(root, `cd ${cwd}\n${rest}`, { ...variables, ...environment });
    if (word === 'COPY') copy(text, { root, cwd, context, left, built });
  }
  return { root, added, environment, cwd, metadata };
}

/** A RUN: with the network, the certificates and the npm configuration of this machine, which the image does not keep. */
function inRoot(root, script, environment) {
  const npm = (name) => spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim();
  const mounts = [
    ['/etc/resolv.conf', '/etc/resolv.conf'],
    ['/etc/hosts', '/etc/hosts'],
    ['/etc/ssl/certs', '/etc/ssl/certs'],
    [npm('globalconfig'), '/usr/local/etc/npmrc'],
    [npm('userconfig'), '/root/.npmrc'],
    [npm('cache'), '/root/.npm'],
  ].filter(([from]) => existsSync(from));
  const bind = mounts.map(([from, to]) => {
    const make = statSync(from).isDirectory() ? `mkdir -p ${root}${to}` : `mkdir -p ${root}${dirname(to)} && touch ${root}${to}`;
    return `${make} && mount --bind ${from} ${root}${to}`;
  });
  const prepare = [
    'set -e',
    ...bind,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    `exec chroot ${root} /bin/sh -ec "$STEP"`,
  ];
  run('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', prepare.join('\n')], {
    env: { ...environment, HOME: '/root', DEBIAN_FRONTEND: 'noninteractive', STEP: script },
  });
}

function copy(text, { root, cwd, context, left, built }) {
  const { options, paths } = operands(text);
  const target = paths.at(-1);
  const to = join(root, resolve(cwd, target));
  const sources = paths.slice(0, -1).map((path) => (options.from ? join(built.get(options.from), path) : join(context, path)));
  const intoFolder = target.endsWith('/') || sources.length > 1;
  for (const source of sources) {
    const isFolder = statSync(source).isDirectory();
    const filter = (path) =>
      options.from !== undefined || path === context || !left(relative(context, path)) || holdsKept(context, path, left);
    const destination = isFolder || !intoFolder ? to : join(to, basename(source));
    cpSync(source, destination, { recursive: true, verbatimSymlinks: true, filter });
  }
}

/** Whether a folder that is left out contains something that is not. */
function holdsKept(context, path, left) {
  if (basename(path) === 'node_modules' || basename(path) === '.git' || !statSync(path).isDirectory()) return false;
  return readdirSync(path, { withFileTypes: true }).some((entry) => {
    const inner = join(path, entry.name);
    return !left(relative(context, inner)) || (entry.isDirectory() && holdsKept(context, inner, left));
  });
}

/** Debian's mirror of this machine, where it has one. */
function mirror() {
  const sources = '/etc/apt/sources.list.d/debian.sources';
  const found = existsSync(sources) ? /^URIs: (\S+)$/m.exec(readFileSync(sources, 'utf8')) : null;
  return found ? [found[1]] : [];
}
