// Builds the console into dist/console, and compresses its files ahead. A program of its own, so that a server that was built and started by
// one command does not keep the memory of Vite.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';

const COMPRESSIBLE = /\.(html|js|css|svg)$/;

const root = join(import.meta.dirname, '..');
await build({ configFile: join(root, 'console', 'vite.config.ts'), logLevel: 'warn' });
const folder = join(root, 'dist', 'console');
const names = await readdir(folder, { recursive: true });
await Promise.all(names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(join(folder, name))));

async function compress(path) {
  const content = await readFile(path);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(content, quality));
  await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }));
}
