import { cutText } from '../text/index.js';
import { foldKana, foldLetters } from './folded-text.js';

const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー`;
const RUN = new RegExp(
  String.raw`(?<unspaced>[[${UNSPACED}]&&[\p{L}\p{N}]][[${UNSPACED}\p{M}]&&[\p{L}\p{N}\p{M}]]*)|[[\p{L}\p{N}\p{M}]--[${UNSPACED}]]+`,
  'gv',
);
// Arabic writes it together with the noun, behind short prepositions.
const ARTICLE = /^(?:[وبكف]?ال|لل)(?=\p{Script=Arabic}{2})/u;
const ASCII_WORD = /[a-z0-9]+/g;
const UNITS = /\P{M}\p{M}*|\p{M}+/gu;
const MARK = /\p{M}/gu;
// PostgreSQL holds a megabyte of words for a text.
const MAX_INDEXED = 60_000;
const NOT_ASCII = /[^\0-\x7f]/;
const OTHER_LETTER = /(?![a-zA-Z0-9])[\p{L}\p{N}\p{M}]/u;

/** A word, or a run of letters of a script whose words are not separated; folded, but with katakana. */
export interface Run {
  readonly text: string;
  readonly isUnspaced: boolean;
}

/** The words and runs of a text, in their order. */
export function runsOf(text: string): Run[] {
  const folded = foldLetters(text);
  if (!NOT_ASCII.test(folded)) return (folded.match(ASCII_WORD) ?? []).map((word) => ({ text: word, isUnspaced: false }));
  return [...folded.matchAll(RUN)].map(([run, ...groups]) => ({ text: run, isUnspaced: groups[0] !== undefined }));
}

/**
 * What a full-text index stores of a text: its folded words, and of scripts whose words are not separated each pair of neighbouring letters
 * and the last letter (Chinese, Japanese, Thai, …, and Korean, whose particles are written together with the word). Of longer texts, the first
 * 60,000 UTF-16 units. Null when the text has only letters of ASCII: every engine finds the same words in it.
 */
export function indexedWords(text: string): string | null {
  if (!NOT_ASCII.test(text) || !OTHER_LETTER.test(text)) return null;
  return runsOf(cutText(text, MAX_INDEXED)).flatMap(tokensOf).join(' ');
}

/** The tokens of a run in the index, in their order. */
export function tokensOf(run: Run): string[] {
  if (!run.isUnspaced) return [asToken(withoutArticle(run.text))];
  const units = unitsOf(run);
  return units.map((unit, index) => asToken(unit + (units[index + 1] ?? '')));
}

/** A word of a text as the index has it, before its marks are written as letters. */
export function withoutArticle(word: string): string {
  return word.replace(ARTICLE, '');
}

/** The letters of a run with their marks. */
function unitsOf({ text }: Run): string[] {
  return text.match(UNITS) ?? [];
}

/** A word or a pair of letters as the index has it: tokenizers of databases may take a mark for the end of a word, so it is written as letters and digits. */
export function asToken(text: string): string {
  return foldKana(text).replace(MARK, (mark) => `x${mark.codePointAt(0)?.toString(36) ?? ''}`);
}
