// Builds the package create-parley, for which Parley itself need not be installed; called by its `prepack`.
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'create-parley');
const read = (path) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
const { name, version } = read(root);
if (read(folder).version !== version) {
  process.stderr.write(`create-parley must have the version of ${name}: run "npm pkg set version=${version}" in create-parley.\n`);
  process.exit(1);
}
await build({
  absWorkingDir: root,
  entryPoints: ['src/cli/create.ts'],
  outfile: join(folder, 'dist', 'create.js'),
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  define: { PARLEY: JSON.stringify({ name, version }) },
  logLevel: 'warning',
});
copyFileSync(join(root, 'LICENSE'), join(folder, 'dist', 'LICENSE'));
