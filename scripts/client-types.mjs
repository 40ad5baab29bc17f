// Generates client types from the OpenAPI document: docs/examples/parley-api.d.ts.
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const DOCUMENT = new URL('../docs/reference/openapi.json', import.meta.url);
const TARGET = new URL('../docs/examples/parley-api.d.ts', import.meta.url);

/** The types as text; deterministic. */
export async function clientTypes() {
  const types = astToString(await openapiTS(JSON.parse(await readFile(DOCUMENT, 'utf8'))));
  return `// Made by npm run docs from docs/reference/openapi.json.\n\n${types}`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await writeFile(TARGET, await clientTypes());
