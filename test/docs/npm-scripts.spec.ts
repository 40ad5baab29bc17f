// The npm scripts that documents and comments name are in package.json.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const READ = ['*.md', '*.ts', '*.tsx', '*.mjs', '*.cjs', '.ci/run'];

const files = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-co', '--exclude-standard', ...READ], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

const missing = (text: string): string[] =>
  [...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)/g)].flatMap(([, name = '']) => (name in scripts ? [] : [name]));

it('names of npm scripts in documents and comments are those of package.json', () => {
  const found = files
    .filter((file) => file !== 'test/docs/npm-scripts.spec.ts')
    .flatMap((file) => missing(readFileSync(join(ROOT, file), 'utf8')).map((name) => `${file}: npm run ${name}`));
  expect(found).toEqual([]);
  expect(missing('npm run --silent build, npm run nothing:here')).toEqual(['nothing:here']);
});
