// `npm run typeorm`: the command line of TypeORM with the options of ormconfig.ts.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, jest } from '@jest/globals';
import { SCHEMA } from '../../src/app.module.js';

jest.setTimeout(180_000);

const MIGRATIONS = SCHEMA.migrations.map(({ name }) => name).sort((one, other) => Number(one.slice(-13)) - Number(other.slice(-13)));
const ROOT = resolve(import.meta.dirname, '../..');

it('reads ormconfig.ts: runs, shows and reverts migrations, and lists entities that the database lacks', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-typeorm-'));
  const typeorm = async (command: string): Promise<string> => {
    const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'typeorm', '--', command], { cwd: ROOT, env });
    return stdout;
  };
  try {
    await typeorm('migration:run');
    expect(await typeorm('schema:log')).toContain('up to date');
    await typeorm('migration:revert');
    const shown = await typeorm('migration:show');
    expect(shown.match(/\[X\]/g)).toHaveLength(MIGRATIONS.length - 1);
    expect(shown).toMatch(new RegExp(`\\[ \\] ${MIGRATIONS.length} ?${MIGRATIONS.at(-1)}|\\[ \\] ${MIGRATIONS.at(-1)}`));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
