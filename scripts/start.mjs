// `npm start`: runs the built server, and builds it first when the sources are newer than the build.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ensureBuild from './ensure-build.mjs';

const root = join(import.meta.dirname, '..');
if (existsSync(join(root, 'src'))) {
  try {
    ensureBuild(() => process.stderr.write('Building Parley ...\n'));
  } catch (error) {
    process.stderr.write(`Parley could not be built. ${error.message}\n`);
    process.exit(1);
  }
}
await import(join(root, 'dist', 'main.js'));
