import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { addressOf, DOCUMENTS_ROOT } from '../../../core/documents/index.js';
import { Log } from '../../../core/logging/index.js';
import { cutText } from '../../../core/text/index.js';
import { similarity } from '../text-chunks.js';
import type { EmbedOptions } from '../embedding-model.js';
import { Faq, type FaqCandidate, type FaqMatch } from './faq.js';
import { askedTerms, GENERAL, terms } from './guide-terms.js';
import { markdownPassages, type Passage } from './markdown-passages.js';
import { defines, SETTING_NAME } from './parley-questions.js';
import type { VectorCache } from './vector-cache.js';

const FOLDER = 'docs/guides';
/** Its questions are found by their own words. */
const FAQ = `${FOLDER}/faq.md`;
/** Says of each alert what it means, in words that other questions have too. */
const ALERTS = `${FOLDER}/alerts.md`;
const REFERENCE = 'docs/reference/';
/** Only its table of terms is of use to users. */
const TERMS = 'docs/architecture.md';
const FILES = ['README.md', 'characters/README.md', 'docs/reference/config.md', 'docs/reference/errors.md'];

const MAX_ANSWER_LENGTH = 500;
const CANDIDATES = 20;
/** Questions of newcomers that are compared by meaning. */
const ASKED_COMPARED = 8;
/** Shares of words that the page has to know. */
const KNOWN_BY_WORDS = 0.51;
const KNOWN_BY_MEANING = 0.34;
// Chosen with 180 questions of newcomers. Of 120 that were asked later, with 0.46 for likely, 109 had a good answer, 2 none, 9 a wrong one.
const BY_WORDS: Scale = [0.3, 0.36, 0.6, 0.85];
const BY_MEANING: Scale = [0.42, 0.5, 0.57, 0.75];

/** The least score of each degree of sameness. */
type Scale = readonly [near: number, likely: number, sure: number, certain: number];

/** How surely two questions ask the same, most surely last. */
export enum Sameness {
  Unlikely,
  /** On the same subject. */
  Near,
  Likely,
  Sure,
  Certain,
  InTheseWords,
}

/** A question of the page of questions and answers that is near to another one. */
export interface AskedQuestion extends FaqMatch {
  readonly sameness: Sameness;
}
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
  private told = false;
  private sections: readonly Section[] = [];
  private index: Promise<MiniSearch<Section>> | undefined;
  private questions: Promise<Faq | undefined> | undefined;

  /**
   * @param cache compares questions by meaning; without it, by their words
   * @param root the folder that holds README.md and docs
   */
  constructor(
    private readonly cache?: VectorCache,
    private readonly root = DOCUMENTS_ROOT,
  ) {}

  /**
   * The passage that, with its headings, has all words of a question about Parley, with the name of its file; undefined when none has.
   *
   * Costs some 30 ms once, and less than 1 ms for each question.
   */
  async answer(question: string): Promise<string | undefined> {
    const asked = askedTerms(question);
    this.index ??= this.read();
    const index = await this.index;
    if (asked.length === 0) return /\bparley\b/i.test(question) && this.sections[0] ? quotation(this.sections[0], asked) : undefined;
    const named = SETTING_NAME.exec(question)?.[0];
    const covering = index
      .search(question)
      .slice(0, CANDIDATES)
      .flatMap(({ id, score, queryTerms }) => {
        const section = this.sections[id as number]!;
        if (
          !asked.every((word) => queryTerms.includes(word)) ||
          (section.file === ALERTS && !/\balert/i.test(question)) ||
          (named !== undefined && !section.text.includes(named))
        ) {
          return [];
        }
        const factor = isTitled(section, question, named) ? TITLED_FACTOR : section.file.startsWith(REFERENCE) ? ROW_FACTOR : 1;
        return [{ section, worth: score * factor }];
      });
    const [best] = covering.sort((a, b) => b.worth - a.worth);
    return best === undefined ? undefined : quotation(best.section, asked);
  }

  /** The nearest of the questions that newcomers ask, with their answers, best first. */
  async asked(question: string, options: EmbedOptions & { readonly signal: AbortSignal }): Promise<readonly AskedQuestion[]> {
    this.questions ??= readFile(join(this.root, FAQ), 'utf8').then(
      (markdown) => Faq.read(FAQ, markdown),
      (error: unknown) => this.missing(error),
    );
    const faq = await this.questions;
    const same = faq?.same(question);
    if (same !== undefined || faq === undefined) return same ? [{ ...same, sameness: Sameness.InTheseWords }] : [];
    return this.byMeaning(question, faq.candidates(question, ASKED_COMPARED, this.cache ? KNOWN_BY_MEANING : KNOWN_BY_WORDS), options);
  }

  /** The mean of the shares of words and of the similarity of the two nearest forms. */
  private async byMeaning(
    question: string,
    candidates: readonly FaqCandidate[],
    options: EmbedOptions & { readonly signal: AbortSignal },
  ): Promise<readonly AskedQuestion[]> {
    const forms = candidates.flatMap((candidate) => candidate.forms);
    const vectors = forms.length === 0 ? undefined : await this.cache?.vectorsIfPossible(question, forms, options);
    if (vectors === undefined) return candidates.map((candidate) => ({ ...candidate, sameness: samenessOf(candidate.score, BY_WORDS) }));
    const scored = candidates.map((candidate) => {
      const [first = 0, second = first] = candidate.forms
        .map((form) => similarity(vectors.question, vectors.texts.get(form) ?? new Float32Array()))
        .sort((a, b) => b - a);
      const score = (candidate.score + (first + second) / 2) / 2;
      return { ...candidate, score, sameness: samenessOf(score, BY_MEANING) };
    });
    return scored.sort((a, b) => b.score - a.score);
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
      const files = [...FILES, ...names.map((name) => `${FOLDER}/${name}`).filter((file) => file.endsWith('.md') && file !== FAQ)];
      const texts = await Promise.all(
        [...files, TERMS].map(async (file) => markdownPassages(file, await readFile(join(this.root, file), 'utf8'))),
      );
      this.sections = sectionsOf(texts.flat().filter(({ file, heading }) => file !== TERMS || heading === 'Terms'));
      await index.addAllAsync(this.sections, { chunkSize: 20 });
    } catch (error) {
      this.missing(error);
    }
    return index;
  }

  private missing(error: unknown): undefined {
    const message = 'the guides of the package could not be read; the offline responder answers without them';
    if (!this.told) this.log.warn(message, { error: String(error) });
    this.told = true;
  }
}

function samenessOf(score: number, scale: Scale): Sameness {
  return scale.filter((least) => score >= least).length;
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
  const short = text.length <= MAX_ANSWER_LENGTH ? text : cutText(text, MAX_ANSWER_LENGTH).replace(/(?<=[.!?])\s[^.!?]*$|\s+\S*$/, ' …');
  return `${short.charAt(0).toUpperCase()}${short.slice(1)}\nSee [${file}${heading === '' ? '' : `, "${heading}"`}](${addressOf(file, heading)}).`;
}
