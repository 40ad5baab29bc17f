// PDF: the lines of each page in reading order, with headings told by their size.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DocumentFault } from './document-fault.js';

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
const FEW_PAGES = 4;
const FEW_LINES = 5;

export async function read(bytes, limits) {
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
      const lines = linesOf(items);
      characters += lines.reduce((sum, { text }) => sum + text.length, 0);
      if (characters > limits.characters) throw new DocumentFault('TOO_MUCH_TEXT');
      pages.push(lines);
      page.cleanup();
    }
    return blocksOf(pages);
  } catch (error) {
    if (error?.name === 'PasswordException') throw new DocumentFault('ENCRYPTED');
    throw error;
  } finally {
    await task.destroy();
  }
}

/** Lines as `{ text, size, y }`, in the order of the page's content. */
function linesOf(items) {
  const lines = [];
  let [text, size, y, end] = ['', 0, undefined, 0];
  const endLine = () => {
    const clean = text.replaceAll('\0', '').replaceAll(/\s+/g, ' ').replaceAll(DOTS, ' … ').trim().toWellFormed();
    if (clean !== '') lines.push({ text: clean, size, y });
    [text, size, y] = ['', 0, undefined];
  };
  for (const { str, transform, width, height, hasEOL } of items) {
    if (str === undefined) continue;
    const [, , , , x, at] = transform;
    const own = height || Math.hypot(transform[2], transform[3]);
    if (y !== undefined && str.trim() !== '' && Math.abs(at - y) > Math.max(size, own) / 2) endLine();
    // Columns have a gap instead of a space between them.
    text += text !== '' && Math.abs(x - end) > own / 4 ? ` ${str}` : str;
    end = x + width;
    if (str.trim() !== '') {
      size = Math.max(size, own);
      y ??= at;
    }
    if (hasEOL) endLine();
  }
  endLine();
  return lines;
}

function blocksOf(pages) {
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
      const isSame = paragraph?.page === page && Math.abs(paragraph.y - line.y) <= PARAGRAPH_GAP * Math.max(line.size, body);
      if (!isSame) endParagraph();
      paragraph ??= { lines: [] };
      paragraph.lines.push(line.text);
      Object.assign(paragraph, { page, y: line.y });
    }
    endParagraph();
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
