import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { Log } from '../../../core/logging/index.js';
import { askedTerms, GENERAL, terms } from './guide-terms.js';
import { markdownPassages, type Passage } from './markdown-passages.js';
import { defines, SETTING_NAME } from './parley-questions.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FOLDER = 'docs/guides';
const REFERENCE = 'docs/reference/';
/** Only its table of terms is of use to users. */
const TERMS = 'docs/architecture.md';
const FILES = ['README.md', 'characters/README.md', 'docs/reference/config.md', 'docs/reference/errors.md'];

/** The least share of a question's words that a passage and its headings contain. */
const MIN_COVERAGE = 0.66;
const MAX_ANSWER_LENGTH = 500;
const CANDIDATES = 20;
const TITLED_FACTOR = 4;
/** Rows of references are short, which counts too much. */
const ROW_FACTOR = 0.5;

/** The passages below one heading, or one row of a reference. */
interface Section {
  readonly id: number;
  readonly file: string;
  readonly title: string;
  readonly heading: string;
  /** Words of the heading that the title has not. */
  readonly own: string;
  readonly text: string;
  readonly passages: readonly string[];
}

/** What the documents of the package say; they are read with the first question. */
export class Guides {
  private readonly log = new Log('models');
  private sections: readonly Section[] = [];
  private index: Promise<MiniSearch<Section>> | undefined;

  /** @param root the folder that holds README.md and docs */
  constructor(private readonly root = ROOT) {}

  /**
   * The passage that answers a question about Parley, with the name of its file; undefined when none does.
   *
   * @param least the share of the question's words that a passage and its headings have to contain, 0 to 1
   *
   * Costs some 30 ms once, and less than 1 ms for each question.
   */
  async answer(question: string, least = MIN_COVERAGE): Promise<string | undefined> {
    const asked = askedTerms(question);
    this.index ??= this.read();
    const index = await this.index;
    if (asked.length === 0) return /\bparley\b/i.test(question) && this.sections[0] ? quotation(this.sections[0], asked) : undefined;
    const named = SETTING_NAME.exec(question)?.[0];
    const covering = index
      .search(question)
      .slice(0, CANDIDATES)
      .flatMap(({ id, score, queryTerms }) => {
        const share = asked.filter((word) => queryTerms.includes(word)).length / asked.length;
        const section = this.sections[id as number]!;
        if (share < least || (named !== undefined && !section.text.includes(named))) return [];
        const factor = isTitled(section, question, named) ? TITLED_FACTOR : section.file.startsWith(REFERENCE) ? ROW_FACTOR : 1;
        return [{ section, worth: score * share * factor }];
      });
    const [best] = covering.sort((a, b) => b.worth - a.worth);
    return best === undefined ? undefined : quotation(best.section, asked);
  }

  /** The passage that begins with the meaning of a term, preferably in a guide about it. */
  async define(term: string): Promise<string | undefined> {
    this.index ??= this.read();
    await this.index;
    const [about] = terms(term);
    const inTitle = ({ title }: Section): boolean => about !== undefined && terms(title).includes(about);
    for (const section of [...this.sections.filter(inTitle), ...this.sections]) {
      const text = section.passages.find((passage) => defines(passage, term));
      if (text !== undefined) return quotation({ ...section, passages: [text] }, []);
    }
    return undefined;
  }

  private async read(): Promise<MiniSearch<Section>> {
    const index = new MiniSearch<Section>({
      fields: ['title', 'own', 'text'],
      tokenize: terms,
      processTerm: (term) => term,
      searchOptions: { boost: { own: 3, title: 2 }, combineWith: 'OR' },
    });
    try {
      const names = await readdir(join(this.root, FOLDER));
      const files = [...FILES, ...names.filter((name) => name.endsWith('.md')).map((name) => `${FOLDER}/${name}`)];
      const texts = await Promise.all(
        [...files, TERMS].map(async (file) => markdownPassages(file, await readFile(join(this.root, file), 'utf8'))),
      );
      this.sections = sectionsOf(texts.flat().filter(({ file, heading }) => file !== TERMS || heading === 'Terms'));
      index.addAll(this.sections);
    } catch (error) {
      this.log.warn('the guides of the package could not be read; the offline responder answers without them', { error: String(error) });
    }
    return index;
  }
}

function sectionsOf(passages: readonly Passage[]): Section[] {
  const groups = new Map<string, Passage[]>();
  for (const [index, passage] of passages.entries()) {
    const key = passage.file.startsWith(REFERENCE) || passage.file === TERMS ? String(index) : `${passage.file}#${passage.heading}`;
    groups.set(key, [...(groups.get(key) ?? []), passage]);
  }
  return [...groups.values()].map((group, id) => {
    const { file, title, heading } = group[0]!;
    const texts = group.map(({ text }) => text);
    // A heading that repeats the title does not make its section the best one.
    const repeated = new Set(terms(title));
    const own = terms(heading)
      .filter((word) => !repeated.has(word))
      .join(' ');
    return { id, file, title, heading, own, text: texts.join('\n'), passages: texts };
  });
}

/** Whether the heading asks the same as the question, or names the same setting; without a heading, the title. */
function isTitled({ file, title, heading, text }: Section, question: string, named: string | undefined): boolean {
  if (named !== undefined) return text.startsWith(`\`${named}\``);
  if (file.startsWith(REFERENCE)) return false;
  const asked = new Set(terms(question));
  // "A question about plugins" asks for "Write a plugin", too.
  const own = heading === '' ? terms(title).filter((word) => !GENERAL.has(word)) : terms(heading);
  return own.length > 0 && own.every((word) => asked.has(word));
}

/** The passage with most of the words, the first of several, and where it stands. */
function quotation({ file, heading, passages }: Section, asked: readonly string[]): string {
  const counts = passages.map((text) => {
    const known = new Set(terms(text));
    return asked.filter((word) => known.has(word)).length;
  });
  const text = passages[counts.indexOf(Math.max(...counts))]!;
  const short = text.length <= MAX_ANSWER_LENGTH ? text : text.slice(0, MAX_ANSWER_LENGTH).replace(/(?<=[.!?])\s[^.!?]*$|\s+\S*$/, ' …');
  return `${short.charAt(0).toUpperCase()}${short.slice(1)}\nSee ${file}${heading === '' ? '' : `, "${heading}"`}.`;
}
