// The names under which Parley can be published. `parley` and the scope `@parley` belong to others in the public registry, so a page that
// names them would make a reader install a stranger's package.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
/** Says how packages are published; no user page. */
const RELEASE = [
  'CHANGELOG.md',
  'docs/guides/release.md',
  'docs/decisions/',
  'create-parley/',
  'src/cli/create.ts',
  'scripts/release-check.mjs',
];
const SELF = 'test/docs/package-names.spec.ts';

const STRANGERS = [
  /\bnpx (?:-\S+ )*parley(?![-\w])/,
  /@parley\//,
  /\bnpm (?:i|install|add|exec)\b[^\n`';]*\sparley(?![-\w./])/,
  /from '(?:parley)(?:\/|')/,
];
/** Right after a release only. */
const UNPUBLISHED = /\bnpm (?:create parley|init parley)|\bnpm (?:i|install|add)\b[^\n`';]*\sparley-(?:server|client)(?![-\w./])/;

const files = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(?:m?[jt]sx?|cjs|json|md|ya?ml|sh|cmd|example)$/.test(path) && path !== SELF && path !== 'package-lock.json');

/** @returns the lines that match, each with its file */
function lines(pattern: RegExp, paths: readonly string[]): string[] {
  return paths.flatMap((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
}

const userPages = files.filter((path) => !RELEASE.some((release) => path.startsWith(release)));

it.each(STRANGERS)('no file except those about releases contains %s', (pattern) => {
  expect(userPages.length).toBeGreaterThan(1_000);
  expect(lines(pattern, userPages)).toEqual([]);
});

it('no user page names an installation that needs a release', () => {
  expect(lines(UNPUBLISHED, userPages)).toEqual([]);
});

it('no user page has a placeholder for an address', () => {
  expect(lines(/\b(?:REPOSITORY|YOUR_REPO)\b/, userPages)).toEqual([]);
});

it('packages have the names that pages use', () => {
  const name = (folder: string): string => JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).name;
  expect([name('.'), name('client'), name('create-parley')]).toEqual(['parley-server', 'parley-client', 'create-parley']);
});

it('Iris, the README and the FAQ name the same command to install and start a clone', () => {
  const texts = ['characters/iris.json', 'README.md', 'docs/guides/faq.md'].map((path) => readFileSync(join(ROOT, path), 'utf8'));
  for (const text of texts) expect(text).toContain('npm start');
  expect(texts[0]).not.toContain('npm install');
});
