import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { TABLES } from '../../src/cli/reference-tables.js';

const cells = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s-]+$/.test(line))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe('the reference', () => {
  it.each(TABLES)('$file matches the code (npm run docs)', async ({ file, render }) => {
    const written = await readFile(join(import.meta.dirname, '../../docs/reference', file), 'utf8');
    expect(cells(written.split('<!-- table -->')[1] ?? '')).toEqual(cells(render()));
  });

  it("plugin-sdk.api.md lists the SDK's public API (npm run docs)", async () => {
    const script = pathToFileURL(join(import.meta.dirname, '../../scripts/plugin-sdk-api.mjs')).href;
    const { pluginSdkApi } = (await import(script)) as { pluginSdkApi: () => Promise<string> };
    expect(await readFile(join(import.meta.dirname, '../../docs/reference/plugin-sdk.api.md'), 'utf8')).toBe(await pluginSdkApi());
  });

  it('third-party.md lists every speech package with its version and licence (npm run docs)', async () => {
    const { thirdPartyTable } = await thirdParty();
    const written = await readFile(join(import.meta.dirname, '../../docs/reference/third-party.md'), 'utf8');
    const named = (text: string): string[][] => cells(text).map((row) => row.slice(0, 3));
    expect(named(written.split('<!-- table -->')[1] ?? '')).toEqual(named(thirdPartyTable()));
  });
});

it('no installed package is under the GPL', async () => {
  const { copyleftPackages } = await thirdParty();
  expect(copyleftPackages()).toEqual([]);
});

function thirdParty(): Promise<{ thirdPartyTable: () => string; copyleftPackages: () => string[] }> {
  const script = pathToFileURL(join(import.meta.dirname, '../../scripts/third-party.mjs')).href;
  return import(script) as ReturnType<typeof thirdParty>;
}
