import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve, sep } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = `${ROOT}/docs/decisions`;
const INDEX = 'README.md';
const TEMPLATE = '0000-template.md';
const SUBJECTS = [
  'Code structure',
  'Journal and database',
  'Fleets',
  'Jobs and turns',
  'Models',
  'Memory and documents',
  'HTTP',
  'Access and privacy',
  'Plugins',
  'Speech',
  'Files, backups and moves',
  'Operation',
  'Packaging',
];
const CODE = ['src', 'test', 'scripts', 'bench', 'client/src', 'console/src', 'docs'];
const REQUIRED = ['Context', 'Decision'];
const SECTIONS = [...REQUIRED, 'Measurements', 'Alternatives', 'Consequences', 'Reconsider when'];
const LINK = String.raw`\[decision \d+\]\(\d{4}-[a-z0-9-]+\.md\)`;
const HEAD = new RegExp(
  String.raw`^# (?<number>[1-9]\d*)\. (?<title>\S.*)\n\n- Date: (?<date>2\d{3}-\d\d-\d\d)\n- Subject: (?<subject>.+)\n` +
    `- Status: (?<status>In force|Replaced (?:in part )?by ${LINK}(?:, ${LINK})*)\\n\\n## `,
);

interface Decision {
  readonly file: string;
  readonly text: string;
  readonly number: number;
  readonly title: string;
  readonly date: string;
  readonly subject: string;
  readonly status: string;
}

const files = readdirSync(FOLDER).filter((file) => file !== INDEX);

function read(file: string): Decision {
  const text = readFileSync(`${FOLDER}/${file}`, 'utf8');
  const head = HEAD.exec(text)?.groups;
  if (!head) throw new Error(`${file} does not begin like ${TEMPLATE}`);
  const { number, title = '', date = '', subject = '', status = '' } = head;
  return { file, text, number: Number(number), title, date, subject, status };
}

const decisions = files.filter((file) => file !== TEMPLATE).map(read);

function sectionsOf(text: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map(([, section = '']) => section);
}

function filesOf(folder: string): string[] {
  return readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path.split(sep).join('/')}`);
}

/** The files that a decision names, by path or by name. */
function namedFiles(text: string): string[] {
  return [...text.matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|tsx|mjs|md))`/g)].map(([, path = '']) => path);
}

/** The list of decisions, by subject. */
function index(): string {
  return SUBJECTS.map((subject) => {
    const entries = decisions
      .filter((decision) => decision.subject === subject)
      .map(({ number, title, file, date, status }) => {
        const replaced = status === 'In force' ? '' : `; ${status.replace(/^R/, 'r')}`;
        return `- [${number}. ${title}](${file}) (${date}${replaced})\n`;
      });
    return `## ${subject}\n\n${entries.join('')}`;
  }).join('\n');
}

it('a decision follows the template: number, title, date, subject, status and sections in order', () => {
  expect(sectionsOf(readFileSync(`${FOLDER}/${TEMPLATE}`, 'utf8'))).toEqual(SECTIONS);
  for (const { file, number, subject, text } of decisions) {
    expect([file, number]).toEqual([file, Number(file.slice(0, 4))]);
    expect(SUBJECTS).toContain(subject);
    const sections = sectionsOf(text);
    expect([file, sections]).toEqual([file, SECTIONS.filter((section) => REQUIRED.includes(section) || sections.includes(section))]);
  }
});

it('two decisions never have one number', () => {
  expect(new Set(decisions.map(({ number }) => number)).size).toBe(decisions.length);
});

it('links lead to decisions that exist, under their numbers', () => {
  for (const { file, text } of decisions) {
    for (const [, number, target = ''] of text.matchAll(/\[decision (\d+)\]\(([^)]+)\)/g)) {
      expect([file, target, existsSync(`${FOLDER}/${target}`), Number(target.slice(0, 4))]).toEqual([file, target, true, Number(number)]);
    }
  }
});

it('files that decisions name exist, unless another decision has replaced it', () => {
  const known = [...readdirSync(ROOT), ...CODE.flatMap((folder) => filesOf(folder))].map((path) => `/${path}`);
  const missing = decisions
    .filter(({ status }) => !status.startsWith('Replaced by'))
    .flatMap(({ file, text }) => namedFiles(text).map((path) => ({ file, path })))
    .filter(({ path }) => !known.some((each) => each.endsWith(`/${path}`)));
  expect(missing).toEqual([]);
});

it('the index lists every decision under its subject', () => {
  const [, list] = readFileSync(`${FOLDER}/${INDEX}`, 'utf8').split('<!-- list -->\n\n');
  expect(list).toBe(index());
});
