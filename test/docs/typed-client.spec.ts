// The example of a typed client: its types are those of the OpenAPI document, it compiles, and it works.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ADA, createTestApp } from '../support/create-test-app.js';

const ROOT = join(import.meta.dirname, '../..');

it('has the types of docs/reference/openapi.json (npm run docs)', async () => {
  const script: string = join(ROOT, 'scripts/client-types.mjs');
  const { clientTypes } = (await import(script)) as { clientTypes: () => Promise<string> };
  expect((await clientTypes()) === readFileSync(join(ROOT, 'docs/examples/parley-api.d.ts'), 'utf8')).toBe(true);
});

it('compiles', () => {
  const options =
    '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext --target es2022 --lib es2022,dom';
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options.split(' '), join(ROOT, 'docs/examples/typed-client.ts')],
    { encoding: 'utf8' },
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

it('opens a session', async () => {
  const test = await createTestApp();
  try {
    const script: string = join(ROOT, 'docs/examples/typed-client.ts');
    const { hello } = (await import(script)) as { hello: (base: string, agentId: string, userId: string) => Promise<string> };
    expect(await hello(test.url, ADA.id, '11111111-1111-1111-1111-111111111111')).toMatch(/^[0-9a-f-]{36}$/);
  } finally {
    await test.close();
  }
});
