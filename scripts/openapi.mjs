// Generates docs/reference/openapi.json from the code (`npm run docs`); with --print, writes to standard output. Requires a build.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReadonlyVisitor } from '@nestjs/swagger/plugin';
import { createApp } from '../dist/bootstrap/create-app.js';
import { loadConfig } from '../dist/core/config/index.js';
import { describeApi } from '../dist/openapi/document.js';
import { readSources } from './openapi-sources.mjs';

const root = join(import.meta.dirname, '..');
const program = ReadonlyVisitor.createTsProgram(join(root, 'tsconfig.build.json'));
const output = { folder: join(root, 'dist'), file: `openapi-metadata-${process.pid}.mjs` };

const dataDir = mkdtempSync(join(tmpdir(), 'parley-openapi-'));
const folders = { CHARACTERS_DIR: dataDir, PLUGINS_DIR: join(dataDir, 'plugins') };
const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', EMBEDDING_PROVIDER: 'none', ...folders }, '0.0.0');
const app = await createApp(config);
try {
  const text = `${JSON.stringify(await describeApi(app, await readSources(program, root, output)), null, 2)}\n`;
  if (process.argv.includes('--print')) process.stdout.write(text);
  else writeFileSync(join(root, 'docs', 'reference', 'openapi.json'), text);
} finally {
  await app.close();
  rmSync(dataDir, { recursive: true, force: true });
}
