import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  it.each(TABLES)('$file says what the code says, no more and no less (npm run docs)', async ({ file, render }) => {
    const written = await readFile(join(import.meta.dirname, '../../docs/reference', file), 'utf8');
    expect(cells(written.split('<!-- table -->')[1] ?? '')).toEqual(cells(render()));
  });
});
