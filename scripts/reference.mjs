// Writes the generated parts of docs/reference: `npm run docs`. Requires a build.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TABLES } from '../dist/cli/reference-tables.js';
import { pluginSdkApi } from './plugin-sdk-api.mjs';
import { thirdPartyTable } from './third-party.mjs';

const folder = join(import.meta.dirname, '..', 'docs', 'reference');
for (const { file, render } of [...TABLES, { file: 'third-party.md', render: thirdPartyTable }]) {
  const path = join(folder, file);
  const [before] = readFileSync(path, 'utf8').split('<!-- table -->');
  writeFileSync(path, `${before}<!-- table -->\n\n${render()}\n`);
}
writeFileSync(join(folder, 'plugin-sdk.api.md'), await pluginSdkApi());
