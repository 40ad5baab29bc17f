// `npm run deploy:image`: carries out the Dockerfile without Docker, in roots made by debootstrap, and tries the image as a container runs it:
// another user, a read-only root, the health check, an answer, SIGTERM. Needs Linux, root and debootstrap. A few minutes.
//   npm run deploy:image -- EXTRAS="s3 traces"
import { rmSync, mkdirSync, mkdtempSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage, makeBase, sizeOf } from './deploy/image.mjs';
import { tryImage } from './deploy/try-image.mjs';

if (process.getuid?.() !== 0 || spawnSync('debootstrap', ['--version']).status !== 0) {
  process.stderr.write('This needs root and debootstrap (apt-get install debootstrap).\n');
  process.exit(1);
}
// Ctrl-C ends the command that runs, and with it this program, which then takes its mounts away.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
const args = Object.fromEntries(process.argv.slice(2).map((each) => each.split(/=(.*)/s)));
const work = mkdtempSync(join(tmpdir(), 'parley-image-'));
try {
  mkdirSync(join(work, 'base'));
  makeBase(join(work, 'base'));
  const image = buildImage(join(import.meta.dirname, '..'), work, args);
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
  process.stdout.write(`\nThe image adds ${megabytes(sizeOf(image.added))} to its base.\n`);
  for (const part of ['node_modules', 'dist', 'docs']) {
    process.stdout.write(`  ${part}: ${megabytes(sizeOf(join(image.added, 'app', part)))}\n`);
  }
  await tryImage(image, work);
} finally {
  const mounted = spawnSync('sh', ['-c', `mount | grep -o ' on ${work}[^ ]*' | cut -c5- | sort -r`], { encoding: 'utf8' }).stdout;
  for (const path of mounted.split('\n').filter(Boolean)) spawnSync('umount', [path]);
  rmSync(work, { recursive: true, force: true });
}
