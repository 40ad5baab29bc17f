// Before the tests that start the built program: builds it when dist is missing or older than a source file.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const INPUTS = ['src', 'package.json', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', '.swcrc'];

export default function build() {
  if (changed(join(root, 'dist', 'main.js')) >= Math.max(...INPUTS.flatMap((input) => newest(join(root, input))))) return;
  const nest = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`nest build failed:\n${stdout}${stderr}`);
}

function newest(path) {
  if (!statSync(path).isDirectory()) return [changed(path)];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => changed(join(entry.parentPath, entry.name)));
}

function changed(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
