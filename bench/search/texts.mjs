// What the bench `search` stores and asks, by language.
import { DE } from './languages/de.mjs';
import { EN } from './languages/en.mjs';
import { JA } from './languages/ja.mjs';
import { KO } from './languages/ko.mjs';
import { RU } from './languages/ru.mjs';
import { TH } from './languages/th.mjs';
import { ZH } from './languages/zh.mjs';

const TEXTS = { en: EN, de: DE, ru: RU, zh: ZH, ja: JA, ko: KO, th: TH };

/**
 * How a query relates to the message: a word as it stands there, another form of a word, a part of a compound, a part of a sentence without
 * spaces, a phrase in quotes, other accents or another width or script of the same letters.
 */
export const KINDS = ['word', 'form', 'compound', 'part', 'phrase', 'spelling'];

/**
 * @typedef {{ messages: { key: string, text: string }[], queries: { kind: string, query: string, expected: string[] }[], documents:
 *   { name: string, text: string }[], questions: { question: string, evidence: string }[] }} Texts `evidence` stands in one piece of the
 *   documents only
 */

/** @returns {Texts} @throws Error when there are none in a language */
export function textsOf(language) {
  const texts = TEXTS[language];
  if (texts === undefined) throw new Error(`There is no language ${language}; there are ${Object.keys(TEXTS).join(', ')}.`);
  return {
    messages: linesOf(texts.messages).map((line) => ({ key: line.slice(0, line.indexOf(': ')), text: line.slice(line.indexOf(': ') + 2) })),
    queries: linesOf(texts.queries).map((line) => {
      const [, kind, query, expected] = /^(\w+): (.*) = ([\w ]+)$/.exec(line) ?? [];
      if (!KINDS.includes(kind)) throw new Error(`"${line}" is no query`);
      return { kind, query, expected: expected.split(' ') };
    }),
    documents: Object.entries(texts.documents).map(([name, text]) => ({ name, text: `${linesOf(text).join('\n\n')}\n` })),
    questions: linesOf(texts.questions).map((line) => {
      const [question, evidence] = line.split(' = ');
      return { question, evidence };
    }),
  };
}

function linesOf(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
