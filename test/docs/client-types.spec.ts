import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

it("the client's wire types match docs/reference/openapi.json (npm run docs)", async () => {
  const script: string = join(ROOT, 'scripts/client-types.mjs');
  const { clientTypes } = (await import(script)) as { clientTypes: () => Promise<Record<string, string>> };
  const stale = Object.entries(await clientTypes()).filter(([name, text]) => text !== readFileSync(join(ROOT, 'client/src', name), 'utf8'));
  expect(stale.map(([name]) => name)).toEqual([]);
});
