// Writes the tables of docs/reference that are made from code: `npm run docs` (needs a build).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TABLES } from '../dist/cli/reference-tables.js';

const folder = join(import.meta.dirname, '..', 'docs', 'reference');
for (const { file, render } of TABLES) {
  const path = join(folder, file);
  const [before] = readFileSync(path, 'utf8').split('<!-- table -->');
  writeFileSync(path, `${before}<!-- table -->\n\n${render()}\n`);
}
