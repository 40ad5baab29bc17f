// Runs the suites of test/clients, each with packages of its own: `node test/clients/run.mjs [FOLDER …]`. The server must be built.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minVersion, satisfies } from 'semver';

const root = import.meta.dirname;
const chosen = process.argv.slice(2);
const suites = readdirSync(root).filter((name) => existsSync(join(root, name, 'package.json')));
const unknown = chosen.filter((name) => !suites.includes(name));
if (unknown.length > 0) throw new Error(`There is no suite ${unknown.join(', ')}. The suites are: ${suites.join(', ')}.`);

let passed = 0;
let failed = 0;
for (const name of chosen.length === 0 ? suites : chosen) {
  const [passes = 0, failures = 1] = suite(join(root, name)) ?? [];
  passed += passes;
  failed += failures;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

/** Installs the packages of a suite and runs it. @returns the figures of its last line; undefined when it ended without it */
function suite(folder) {
  if (run(folder, ['ci']).status !== 0) return undefined;
  const { status, output } = run(folder, ['test', '--silent']);
  const [, passes, failures] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? [];
  if (passes === undefined) return undefined;
  return [Number(passes), status === 0 ? 0 : Math.max(1, Number(failures))];
}

/** Runs npm under the Node.js that the suite asks for: this one, or one from the registry. */
function run(cwd, args) {
  const { engines } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  const wanted = engines?.node ?? '*';
  const node = `node-${process.platform}-${process.arch}@${minVersion(wanted).major}`;
  const command = satisfies(process.version, wanted) ? args : ['exec', '--yes', `--package=${node}`, '--', 'npm', ...args];
  const { status, stdout } = spawnSync('npm', command, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  process.stdout.write(stdout);
  return { status, output: stdout };
}
