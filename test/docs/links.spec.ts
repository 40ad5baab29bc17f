// Links between the documents of the repository lead to files and headings that exist.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from '@jest/globals';
import { headingId } from '../../src/core/documents/index.js';

const ROOT = join(import.meta.dirname, '../..');
/** History: it says where things were. */
const HISTORY = /^(?:CHANGELOG\.md$|docs\/decisions\/)/;
const CODE = /^( *```)[^]*?^\1/gm;

const documents = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '-co', '--exclude-standard', '*.md', 'llms.txt'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));

function headings(file: string): Set<string> {
  const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(CODE, '');
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => headingId(heading)));
}

function broken(file: string, text: string): string[] {
  return [...text.replaceAll(CODE, '').matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^(?:https?:|mailto:|\/)/.test(target)) return [];
    const [path = '', fragment] = target.split('#', 2);
    const named = path === '' ? file : relative(ROOT, join(ROOT, dirname(file), path));
    if (!existsSync(join(ROOT, named))) return [`${file}: ${target}`];
    return fragment === undefined || !named.endsWith('.md') || headings(named).has(fragment) ? [] : [`${file}: ${target}`];
  });
}

it('leads nowhere else', () => {
  const found = documents.filter((file) => !HISTORY.test(file)).flatMap((file) => broken(file, readFileSync(join(ROOT, file), 'utf8')));
  expect(found).toEqual([]);
  expect(broken('README.md', '[a](docs/nothing.md) [b](#no-heading) [c](CONTRIBUTING.md#set-up)')).toEqual([
    'README.md: docs/nothing.md',
    'README.md: #no-heading',
  ]);
});

it('names sections of guides that exist where files refer to them', () => {
  const files = execFileSync(
    'git',
    ['-c', 'safe.directory=*', 'grep', '-lE', 'docs/guides/[a-z-]+\\.md', '--', 'deploy', 'src', 'Dockerfile', 'compose.yaml'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
    .trim()
    .split('\n');
  const wrong = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(docs\/guides\/[a-z-]+\.md)(?:, "([^"]+)")?/g)].flatMap(
      ([, guide = '', section]) => {
        if (!existsSync(join(ROOT, guide))) return [`${file}: ${guide}`];
        return section === undefined || headings(guide).has(headingId(section)) ? [] : [`${file}: ${guide}, ${section}`];
      },
    ),
  );
  expect(wrong).toEqual([]);
});
