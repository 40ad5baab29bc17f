// PDF: the lines of each page in reading order, with headings told by their size.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { characterCount } from '../../../core/text/characters.js';
import { DocumentFault } from './document-fault.js';
import { isTitle, titled } from './titles.js';
import { linesOf } from './page-layout.js';

// Classes of browsers that the library needs for drawing only.
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) globalThis[name] ??= class {};
globalThis.pdfjsWorker = await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs');

const LIBRARY = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
// A line that is so much larger than the text is a heading.
const HEADING_SIZE = 1.15;
const LONGEST_HEADING = 150;
// The distance between two lines of different paragraphs, in line heights.
const PARAGRAPH_GAP = 1.6;
// Smaller ones are headings of the last level.
const LEVELS = 6;
// The dots between an entry of a table of contents and its page.
const DOTS = /(?: ?\.){4,} ?/g;
const DIVIDED_END = /\p{L}-$/u;
const DIVIDED_START = /^\p{Ll}/u;
const SENTENCE_END = /[.!?:。！？]['")”’»\]]?$/;
const FEW_PAGES = 4;
const FEW_LINES = 5;

export async function read(bytes, limits, losses) {
  const task = getDocument({
    data: bytes,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    cMapUrl: `${join(LIBRARY, 'cmaps')}/`,
    cMapPacked: true,
    standardFontDataUrl: `${join(LIBRARY, 'standard_fonts')}/`,
  });
  try {
    const file = await task.promise;
    if (file.numPages > limits.pages) throw new DocumentFault('TOO_MANY_PAGES');
    if (file.numPages > limits.pagesInTurn) throw new DocumentFault('LONG');
    const pages = [];
    let characters = 0;
    for (let number = 1; number <= file.numPages; number++) {
      const page = await file.getPage(number);
      const { items } = await page.getTextContent({ disableNormalization: false });
      const lines = cleaned(linesOf(items));
      const fields = await fieldsOf(page, losses);
      characters += lines.reduce((sum, { text }) => sum + characterCount(text), 0);
      if (characters > limits.characters) throw new DocumentFault('TOO_MUCH_TEXT');
      pages.push({ lines, fields });
      page.cleanup();
    }
    losses.add('pages without text', pages.filter(({ lines, fields }) => lines.length + fields.length === 0).length);
    return titled(await titleOf(file), blocksOf(pages));
  } catch (error) {
    if (error?.name === 'PasswordException') throw new DocumentFault('ENCRYPTED');
    throw error;
  } finally {
    await task.destroy();
  }
}

/** The lines of a page without what is no text. */
function cleaned(lines) {
  return lines
    .map((line) => ({
      ...line,
      text: line.text.replaceAll('\0', '').replaceAll(/\s+/g, ' ').replaceAll(DOTS, ' … ').trim().toWellFormed(),
    }))
    .filter(({ text }) => text !== '');
}

/** What the page has beside its text: filled fields of forms are read, comments are not. */
async function fieldsOf(page, losses) {
  const annotations = await page.getAnnotations();
  const isFilled = ({ fieldValue }) => typeof fieldValue === 'string' && fieldValue.trim() !== '' && fieldValue !== 'Off';
  losses.add('comments', annotations.filter(({ subtype, contentsObj }) => !/Link|Widget|Popup/.test(subtype) && contentsObj?.str).length);
  return annotations.filter(isFilled).map(({ fieldName, alternativeText, fieldValue }) => `${alternativeText || fieldName}: ${fieldValue}`);
}

/** The title that the file states, unless a program made it of the name of a file. */
async function titleOf(file) {
  const { info } = await file.getMetadata();
  const title = typeof info?.Title === 'string' ? info.Title.replaceAll(/\s+/g, ' ').trim().toWellFormed() : '';
  return isTitle(title) ? title : '';
}

function blocksOf(read) {
  const pages = read.map(({ lines }) => lines);
  const body = bodySize(pages);
  const repeated = repeatedLines(pages);
  const sizes = [...new Set(pages.flat().map(({ size }) => rounded(size)))]
    .filter((size) => size >= body * HEADING_SIZE)
    .sort((a, b) => b - a);
  const levels = new Map(sizes.map((size, index) => [size, Math.min(index + 1, LEVELS)]));
  const blocks = [];
  let paragraph;
  const endParagraph = () => {
    if (paragraph) blocks.push({ kind: 'text', text: joined(paragraph.lines), page: paragraph.page });
    paragraph = undefined;
  };
  pages.forEach((lines, index) => {
    const page = index + 1;
    const left = edgesOf(lines).filter((line) => repeated.has(patternOf(line)));
    for (const line of lines) {
      if (left.includes(line)) continue;
      const level = levels.get(rounded(line.size));
      const before = blocks.at(-1);
      if (level !== undefined && line.text.length <= LONGEST_HEADING && /\p{L}/u.test(line.text)) {
        const isContinued = !paragraph && before?.kind === 'heading' && before.level === level && before.page === page;
        endParagraph();
        if (isContinued) before.text += ` ${line.text}`;
        else blocks.push({ kind: 'heading', level, text: line.text, page });
        continue;
      }
      const isNear = paragraph !== undefined && Math.abs(paragraph.y - line.y) <= PARAGRAPH_GAP * Math.max(line.size, body);
      const isSame = paragraph?.page === page && (line.isNext ? !SENTENCE_END.test(paragraph.lines.at(-1)) : isNear);
      if (!isSame) endParagraph();
      paragraph ??= { lines: [] };
      paragraph.lines.push(line.text);
      Object.assign(paragraph, { page, y: line.y });
    }
    endParagraph();
    if (read[index].fields.length > 0) blocks.push({ kind: 'lines', lines: read[index].fields, page });
  });
  return blocks;
}

/** The size of most characters. */
function bodySize(pages) {
  const characters = new Map();
  for (const { size, text } of pages.flat()) characters.set(rounded(size), (characters.get(rounded(size)) ?? 0) + text.length);
  return [...characters].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0];
}

/** Headers and footers: first or last lines that most pages have, whatever their numbers are. */
function repeatedLines(pages) {
  const found = new Map();
  for (const lines of pages) {
    for (const pattern of new Set(edgesOf(lines).map(patternOf))) found.set(pattern, (found.get(pattern) ?? 0) + 1);
  }
  const repeated = [...found].filter(([, count]) => count >= FEW_PAGES && count > pages.length / 2);
  return new Set(repeated.map(([pattern]) => pattern));
}

/** The first and the last line of a page; none of a page with few lines, which are its text. */
function edgesOf(lines) {
  return lines.length < FEW_LINES ? [] : [lines[0], lines.at(-1)];
}

function patternOf({ text }) {
  return text.replaceAll(/\d+/g, '#');
}

function rounded(size) {
  return Math.round(size * 2) / 2;
}

/** Joins lines, and a word that was divided between two of them. */
function joined(lines) {
  return lines.map((line, index) => endOf(line, lines[index + 1])).join('');
}

/** A line with what divides it from the next one. */
function endOf(line, next) {
  if (next === undefined) return line;
  return DIVIDED_END.test(line.slice(-3)) && DIVIDED_START.test(next) ? line.slice(0, -1) : `${line} `;
}
