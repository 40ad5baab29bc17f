// Seeds wording that the check must find, and wording that it must leave alone.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { FixtureTree } from './fixture-tree.js';

const SCRIPT = resolve(import.meta.dirname, '../../scripts/lint/plain-words.mjs');

const FAULTS = {
  'README.md': `# Parley

## Who may read the data

Text before it. Who was away
asks for what it missed.

- **Whoever has the key** may do everything.

| setting | Who speaks; auto takes the first. |
`,
  'docs/guides/guide.md': `A list for who asks, and the channel; who leaves receives nothing.

What is left over is deleted.

There is no encryption of files. Data isolation, which there is none of.

It is not unlikely, and it never not works. No plugin is not loaded.

\`\`\`sh
echo nobody
\`\`\`
`,
  'src/core/ids/a.ts': `/**
 * The id. What was sent before is repeated.
 * @returns who it is; an id for
 * who asks
 */
export const a = 1; // nobody calls it
// One comment in two lines: what somebody
// asked for.
export const text = { about: 'How long it is kept for who sends it again.' };
export const log = (name: string): string => \`The request of \${name} was seen by nobody at all.\`;
`,
  'client/src/a.ts': '/** Nobody calls it. */\nexport const a = 1;\n',
  'src/core/ids/a.spec.ts': `it('refuses whoever has no key at all', () => undefined);\n`,
  'bench/a.mjs': '// What is measured.\n',
};
const EXPECTED = [
  'bench/a.mjs:1 "What is"',
  'README.md:3 "Who"',
  'README.md:5 "Who"',
  'README.md:8 person',
  'README.md:10 "Who"',
  'client/src/a.ts:1 person',
  'docs/guides/guide.md:1 "who"',
  'docs/guides/guide.md:1 "who"',
  'docs/guides/guide.md:3 "What is"',
  'docs/guides/guide.md:5 "there is no',
  'docs/guides/guide.md:5 "there is no',
  'docs/guides/guide.md:7 double negative',
  'docs/guides/guide.md:7 double negative',
  'docs/guides/guide.md:7 double negative',
  'src/core/ids/a.spec.ts:1 person',
  'src/core/ids/a.ts:2 "What is"',
  'src/core/ids/a.ts:3 "who"',
  'src/core/ids/a.ts:6 person',
  'src/core/ids/a.ts:7 person',
  'src/core/ids/a.ts:9 "who"',
  'src/core/ids/a.ts:10 person',
];

const CLEAN = {
  'README.md': `# Who are you?

A client that was away asks for what it missed. Its author, who may be a guest, gets no answer. What is an agent?

It is not until later, and not under load, that the server, which has no key, does not start. The \`nobody\` user owns it.
`,
  'docs/guides/guide.md': 'No setting changes it.\n\n```text\nnobody\n```\n\nThe journal.\n\n<!-- table -->\n\nWhoever made this page.\n',
  'src/core/ids/a.ts': `/** Which agents answer. */
export const nobody = 'nobody';
export const who = ['who', 'whoever', 'somebody'];
`,
  'src/core/ids/a.spec.ts': `it('refuses a message', () => say('Is anybody there at all?'));\n`,
  'bench/a.mjs': `export const question = 'Why has nobody told me that?';\n`,
};

let tree: FixtureTree;
afterEach(() => tree.remove());

function findings(files: Record<string, string>): string[] {
  tree = new FixtureTree(files);
  return check(tree.path('.'));
}

function check(root: string): string[] {
  const { stderr, status } = spawnSync(process.execPath, [SCRIPT, root], { encoding: 'utf8' });
  const found = [...stderr.matchAll(/^ {2}(.*)$/gm)].map(([, finding]) => finding ?? '');
  expect(status).toBe(found.length === 0 ? 0 : 1);
  return found;
}

it('finds unidiomatic wording with file and line', () => {
  const found = findings(FAULTS).map((finding) => {
    const [, place, rule] = /^(\S+) (.*?)(?:: |; )/.exec(finding) ?? [];
    return `${place} ${/"(?:Who|who|What is)"|"there is no|person|double negative/.exec(rule ?? '')?.[0]}`;
  });
  expect(found.sort()).toEqual(EXPECTED.sort());
});

it('ignores questions, code, names, generated tables and texts of tests', () => {
  expect(findings(CLEAN)).toEqual([]);
});

it('limits commit titles to 72 characters, with a partial history too', () => {
  const long = `fix: ${'x'.repeat(68)}`;
  tree = new FixtureTree(CLEAN);
  const root = tree.path('.');
  const git = (args: readonly string[], date: string): void => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, GIT_AUTHOR_DATE: date },
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) });
  };
  git(['init', '--quiet'], '2026-11-01T00:00:00Z');
  git(['commit', '--quiet', '--allow-empty', '-m', `${long} before the limit`], '2026-11-01T00:00:00Z');
  git(['commit', '--quiet', '--allow-empty', '-m', long.slice(1)], '2026-12-01T00:00:00Z');
  expect(check(root)).toEqual([]);
  git(['commit', '--quiet', '--allow-empty', '-m', long, '-m', 'y'.repeat(100)], '2026-12-01T00:00:00Z');
  const clone = `${root}/clone`;
  git(['clone', '--quiet', '--depth', '1', `file://${root}`, clone], '2026-12-01T00:00:00Z');
  for (const each of [root, clone]) expect(check(each)).toEqual([expect.stringContaining(`a title of 73 characters: "${long}"`)]);
});
