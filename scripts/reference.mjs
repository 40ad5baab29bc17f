// Writes the generated parts of docs/reference, .env.example and llms.txt: `npm run docs`. Requires a build.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { envExample } from '../dist/cli/env-example.js';
import { TABLES } from '../dist/cli/reference-tables.js';
import { llmsText } from '../dist/interfaces/docs/llms-text.js';
import { pluginSdkApi } from './plugin-sdk-api.mjs';
import { thirdPartyTable } from './third-party.mjs';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs', 'reference');
for (const { file, render } of [...TABLES, { file: 'third-party.md', render: thirdPartyTable }]) {
  const path = join(folder, file);
  const [before] = readFileSync(path, 'utf8').split('<!-- table -->');
  writeFileSync(path, `${before}<!-- table -->\n\n${render()}\n`);
}
writeFileSync(join(folder, 'plugin-sdk.api.md'), await pluginSdkApi());
writeFileSync(join(root, '.env.example'), envExample());
// Last, since it names what the documents above say.
writeFileSync(join(root, 'llms.txt'), await llmsText((file) => file, 'docs/reference/openapi.json'));
