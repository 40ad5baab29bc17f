// Cuts the blocks of a document into pieces of about 120 to 220 words. A piece never spans a heading, ends with a sentence where it can, and
// repeats the header of a table above its rows.
//
// A block is `{ kind: 'heading', level, text }`, `{ kind: 'text', text }` (a paragraph), `{ kind: 'lines', lines }` (list items, code) or
// `{ kind: 'table', header, rows }`, each with the `page` of a PDF. A piece is `{ text, heading, page }`.

import { sentencesIn } from '../../../core/text/sentences.js';
import { DocumentFault } from './document-fault.js';

const LEAST_WORDS = 120;
const MOST_WORDS = 220;
const MOST_CHARACTERS = 2000;
// It is not divided into sentences.
const SHORT_TEXT = 80;
const LONGEST_HEADING = 200;
// Scripts without spaces between words.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu;

/** @param most number of pieces; one more is a fault */
export function piecesOf(blocks, most) {
  const pieces = [];
  const headings = [];
  const section = [];
  const endSection = () => {
    const heading = headings.map(({ text }) => text).join(' › ');
    for (const units of packed(section.splice(0))) pieces.push({ text: textOf(units), heading, page: units[0].page ?? null });
    if (pieces.length > most) throw new DocumentFault('TOO_MANY_PIECES');
  };
  for (const block of blocks) {
    if (block.kind === 'heading') {
      endSection();
      while (headings.length > 0 && headings.at(-1).level >= block.level) headings.pop();
      const text = cutTo(block.text, LONGEST_HEADING);
      if (text !== '') headings.push({ level: block.level, text });
    } else for (const unit of unitsOf(block)) section.push(unit);
  }
  endSection();
  return pieces;
}

/** The smallest parts that a piece can begin or end with: sentences, lines and rows. */
function unitsOf({ kind, text, lines, header, rows, page }) {
  const of = (parts, rest) =>
    parts
      .filter((part) => part.trim() !== '')
      .flatMap((part) => cutLong(part))
      .map((part, index) => ({ text: part, words: wordsOf(part), page, ...rest, opens: index === 0 }));
  if (kind === 'lines') return of(lines, { glue: '\n' });
  if (kind === 'table') return of(rows, { glue: '\n', header: header && cutTo(header, MOST_CHARACTERS / 4) });
  return of(text.length <= SHORT_TEXT ? [text] : Array.from(sentencesIn(text), ({ segment }) => segment.trim()), { glue: ' ' });
}

function packed(units) {
  const pieces = [];
  let piece = [];
  let [words, length] = [0, 0];
  for (const unit of units) {
    const isFull = words + unit.words > MOST_WORDS || length + unit.text.length > MOST_CHARACTERS;
    // The end of a paragraph is the better place to cut.
    if (piece.length > 0 && (isFull || (unit.opens && words >= LEAST_WORDS))) {
      pieces.push(piece);
      piece = [];
      [words, length] = [0, 0];
    }
    if (unit.header !== undefined && piece.at(-1)?.header !== unit.header) {
      words += wordsOf(unit.header);
      length += unit.header.length;
    }
    piece.push(unit);
    words += unit.words;
    length += unit.text.length;
  }
  if (piece.length > 0) pieces.push(piece);
  return mergedEnd(pieces);
}

/** Appends a short end of a section to the piece before it. */
function mergedEnd(pieces) {
  const [before, last] = pieces.slice(-2);
  if (last === undefined) return pieces;
  const total = [...before, ...last].reduce((sum, { words }) => sum + words, 0);
  const isShort = last.reduce((sum, { words }) => sum + words, 0) < LEAST_WORDS / 3;
  return isShort && total <= MOST_WORDS ? [...pieces.slice(0, -2), [...before, ...last]] : pieces;
}

function textOf(units) {
  let text = '';
  units.forEach((unit, index) => {
    const before = units[index - 1];
    if (before) text += unit.opens ? '\n\n' : unit.glue;
    if (unit.header && before?.header !== unit.header) text += `${unit.header}\n`;
    text += unit.text;
  });
  return text;
}

function cutLong(text) {
  if (text.length <= MOST_CHARACTERS && wordsOf(text) <= MOST_WORDS) return [text];
  const parts = [];
  let [part, words] = ['', 0];
  for (const [word] of text.matchAll(/\S{1,400}\s*/gu)) {
    const more = wordsOf(word);
    if (part !== '' && (words + more > MOST_WORDS || part.length + word.length > MOST_CHARACTERS)) {
      parts.push(part.trim());
      [part, words] = ['', 0];
    }
    part += word;
    words += more;
  }
  return part.trim() === '' ? parts : [...parts, part.trim()];
}

/** Words between spaces; in scripts without spaces, two characters count as a word. */
function wordsOf(text) {
  const spaced = text.match(/\S+/g)?.length ?? 0;
  return spaced + Math.ceil((text.match(UNSPACED)?.length ?? 0) / 2);
}

function cutTo(text, length) {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}
