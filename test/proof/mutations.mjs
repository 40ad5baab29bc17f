// Shows that the checker can fail: plants one fault at a time into a copy of the build and expects the checker to find it.
//   npm run build && node test/proof/mutations.mjs [NAME...]     PROOF_SECONDS says how long each run may look.
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';
import { MUTATIONS } from './support/planted-faults.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const RUNS = 3;

const chosen = process.argv.slice(2);
let missed = 0;
for (const mutation of MUTATIONS) {
  if (chosen.length > 0 && !chosen.some((name) => mutation.name.includes(name))) continue;
  const folder = await mkdtemp(join(tmpdir(), 'parley-mutation-'));
  try {
    await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const place of mutation.more ? [mutation, { file: mutation.file, ...mutation.more }] : [mutation]) {
      const path = join(folder, 'dist', place.file);
      await writeFile(path, planted(await readFile(path, 'utf8'), place));
    }
    await bundle(folder);
    const begin = performance.now();
    let verdict;
    for (let seed = 1; seed <= RUNS && verdict === undefined; seed += 1) verdict = run(folder, mutation, seed);
    if (verdict === undefined) missed += 1;
    process.stdout.write(`${verdict === undefined ? 'MISSED' : 'found '} ${mutation.name} (${seconds(begin)} s)\n${verdict ?? ''}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
process.exitCode = missed === 0 ? 0 : 1;

function planted(source, { find, replace }) {
  if (source.split(find).length !== 2) throw new Error(`the place is there ${source.split(find).length - 1} times: ${find}`);
  return source.replace(find, () => replace);
}

function seconds(begin) {
  return Math.round((performance.now() - begin) / 1000);
}

/** What the checker says against a build, in a few lines; undefined when it finds no fault. */
function run(folder, { faults, env }, seed) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'test:proof', '--', 'proof.spec'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PROOF_MAIN: join(folder, 'dist/main.js'),
      PROOF_FAULTS: faults,
      PROOF_SEED: String(seed),
      PROOF_SECONDS: process.env.PROOF_SECONDS ?? '10',
      ...env,
    },
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  const lines = `${stdout}${stderr}`.split('\n');
  const at = Math.max(
    0,
    lines.findIndex((line) => line.includes('PROOF_SEED=')),
  );
  const said = lines.slice(at).filter((line) => line.trim() !== '');
  return said
    .slice(0, 3)
    .map((line) => `         ${line.trim().slice(0, 240)}\n`)
    .join('');
}
