// `npm run words`: finds unidiomatic wording in Markdown, comments and texts of the program (settings, errors, events, command help, log
// lines), and commit titles that are too long.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

// In each pattern `^` is the start of a sentence: of a paragraph, a list item, a table cell, a heading, or what follows a full stop.
const RULES = [
  ['a sentence that begins with "Who"', /^Who\b[^?]*$/g, 'name the subject: "A client that reconnects …", "Waiting clients get …"'],
  ['"who" without a noun', /\b(?:to|for|by|from|with|of|;) who (?!else\b)/gi, 'put the noun before it: "for the client that …"'],
  ['a sentence that begins with "What is"', /^What (?:is|was|has|had) [^?]*$/g, 'use the noun: "Expired rows", "Acknowledged writes"'],
  ['a person that is not named', /\b(?:whoever|whomever|nobody|somebody|anybody)\b/gi, 'name the client, user, module or process'],
  ['"there is no … of"', /\bthere (?:is|are|was|were) (?:none|no(?: [\w-]+){1,3}) of\b/gi, '"X has no …", "X does not exist"'],
  ['a double negative', /\bnot un(?!til\b|less\b|der|i[qtov]|do)\w+/gi, 'say it positively'],
  ['a double negative', /\b(?:never|not) (?:not|without)\b/gi, 'say it positively'],
  [
    'a double negative',
    /\b(?:no|nothing|none) (?:(?!and|or|but|when|where|while|if|as|because|that|which)[\w'-]+ ){0,5}(?:is|are|was|were|does|do|did|has|have|can|will) (?:not|never)\b/gi,
    'say it positively',
  ],
];

const MAXIMUM_TITLE = 72;
// Earlier titles are history. Author dates stay the same over a rebase, and a shallow clone has them too.
const TITLES_SINCE = Date.parse('2026-11-22T00:00:00Z');

const FOLDERS = ['docs', 'characters', 'plugins', 'bench', 'test', 'src', 'client', 'console', 'scripts'];
const READ = /\.md$|^(?:src|client\/src|console\/(?:src|text)|scripts|bench|test)\/.*\.(?:ts|tsx|mjs)$/;
// The SDK reference is generated from comments, which are checked in the source.
const UNREAD = /^docs\/reference\/plugin-sdk\.api\.md$|(?:^|\/)node_modules\//;

// Their texts are data, except titles: benches speak as users do, and another word would change what they measure.
const DATA = /^(?:bench|test)\/|\.spec\.ts$/;

/** @typedef {{ line: number, text: string }} Passage prose without markup, and the line of the file where it begins */

/** @returns {Passage[]} */
function markdownPassages(text) {
  const passages = [];
  let code = false;
  let open = false;
  // The rest of a generated page is checked in its source.
  // Questions of users are quoted in their words.
  const own = text.split('<!-- table -->')[0].replace(/<!-- asked:[^>]*-->/g, (quoted) => quoted.replace(/[^\n]/g, ''));
  for (const [index, row] of own.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(row)) {
      code = !code;
      open = false;
      continue;
    }
    const prose = row.replace(/`[^`]*`/g, 'code').replace(/\]\([^)]*\)/g, ']');
    if (code || prose.trim() === '') {
      open = false;
    } else if (prose.trimStart().startsWith('|')) {
      passages.push(...prose.split('|').map((cell) => ({ line: index + 1, text: cell })));
      open = false;
    } else if (open && !/^\s*(?:[-*+>#]|\d+\.)\s/.test(prose)) {
      passages.at(-1).text += `\n${prose}`;
    } else {
      passages.push({ line: index + 1, text: prose.replace(/^\s*(?:[-*+>]|#+|\d+\.)\s+/, '') });
      open = !prose.startsWith('#');
    }
  }
  return passages;
}

/** @returns {Passage[]} comments, titles of tests, and other string literals of at least four words outside data */
function sourcePassages(text, path) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => file.getLineAndCharacterOfPosition(position).line + 1;
  const passages = [];
  const comments = new Map();
  const visit = (node) => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) comments.set(range.pos, range);
    for (const range of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) comments.set(range.pos, range);
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
    if (isText && (!DATA.test(path) || isTitle(node)) && node.text.trim().split(/\s+/).length >= 4) {
      passages.push({ line: lineOf(node.getStart()), text: node.text });
    }
    // Tokens included, because a comment before a closing brace belongs to the brace.
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  let last;
  for (const { pos, end, kind } of [...comments.values()].sort((one, other) => one.pos - other.pos)) {
    const line = lineOf(pos);
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const isAlone = text.slice(text.lastIndexOf('\n', pos) + 1, pos).trim() === '';
    if (isLine && last?.next === line) {
      last.text += `\n${text.slice(pos + 2, end)}`;
    } else {
      // `sentences` splits a block at tags and empty lines.
      const prose = isLine ? text.slice(pos + 2, end) : text.slice(pos + 2, end - 2).replace(/^[ \t]*\*+[ \t]?/gm, '');
      last = { line, text: prose };
      passages.push(last);
    }
    last.next = isLine && isAlone ? line + 1 : undefined;
  }
  return passages.map((passage) => ({ line: passage.line, text: passage.text.replace(/`[^`]*`/g, 'code') }));
}

/** Whether a text is the title of a test or of a group of tests. */
function isTitle({ parent }) {
  return ts.isCallExpression(parent) && /^(?:it|test|describe)\b/.test(parent.expression.getText());
}

/** @returns {Passage[]} the sentences of a text, each on one line */
function sentences({ line, text }) {
  const found = [];
  let begin = 0;
  for (const { index, 0: gap } of [...text.matchAll(/(?<=[.!?]["')*_]*)\s+|\n\s*\n|\n\s*(?=@\w|[-*] )/g), { index: text.length, 0: '' }]) {
    const sentence = text.slice(begin, index);
    const lead = /^(?:\s|\*\*|@\w+(?:\s+\{[^}]*\})?(?=\s)|[-*] )*/.exec(sentence)[0].length;
    found.push({
      line: line + text.slice(0, begin + lead).split('\n').length - 1,
      text: sentence.slice(lead).replace(/\s+/g, ' ').trim(),
    });
    begin = index + gap.length;
  }
  return found;
}

/** @returns {string[]} `path:line rule: words (advice)` */
function findingsOf(path, text) {
  const passages = path.endsWith('.md') ? markdownPassages(text) : sourcePassages(text, path);
  return passages.flatMap(sentences).flatMap((sentence) =>
    RULES.flatMap(([rule, pattern, advice]) =>
      [...sentence.text.matchAll(pattern)].map((match) => {
        const words = sentence.text.slice(Math.max(0, match.index - 20), match.index + 50).trim();
        return `${path}:${sentence.line} ${rule}: "${words}"; ${advice}`;
      }),
    ),
  );
}

/** @returns {string[]} */
function pathsOf(root) {
  const within = (folder) => readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path.split(sep).join('/')}`);
  return [...readdirSync(root), ...FOLDERS.filter((folder) => existsSync(join(root, folder))).flatMap(within)]
    .filter((path) => READ.test(path) && !UNREAD.test(path))
    .sort();
}

/** @returns {string[]} */
function wordFindings(root) {
  return pathsOf(root).flatMap((path) => findingsOf(path, readFileSync(join(root, path), 'utf8')));
}

/** @returns {string[]} titles over the limit; none without a Git history */
function titleFindings(root) {
  const log = spawnSync('git', ['-c', 'safe.directory=*', 'log', '--no-merges', '--format=%at %h %s'], { cwd: root, encoding: 'utf8' });
  return (log.stdout ?? '')
    .split('\n')
    .map((row) => /^(?<seconds>\d+) (?<commit>\S+) (?<title>.*)$/.exec(row)?.groups)
    .filter((commit) => commit && commit.seconds * 1000 >= TITLES_SINCE && commit.title.length > MAXIMUM_TITLE)
    .map(
      ({ commit, title }) =>
        `${commit} a title of ${title.length} characters: "${title}"; at most ${MAXIMUM_TITLE}, the reason in the body`,
    );
}

const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '../..'));
const found = [...wordFindings(root), ...titleFindings(root)];
if (found.length > 0) {
  process.stderr.write(`Not in plain words:\n${found.map((line) => `  ${line}\n`).join('')}`);
  process.exitCode = 1;
}
