// RTF: paragraphs, headings, tables and notes. There is no maintained library that reads it.
import { DocumentFault } from './document-fault.js';
import { codePageOf, decodedIn, endsInCharacter } from './code-pages.js';
import { rowOf, tableBlocks } from './tables.js';

const MOST_OPEN = 10_000;
// Bytes that are decoded at once.
const MOST_PENDING = 64;
const MOST_AT_ONCE = 8192;
// A control word with its number, a character by its code, another control symbol, a bracket, a line end, or text.
const TOKEN = /\\([a-z]{1,40})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^])|([{}])|[\r\n]+|[^\\{}\r\n]+|\\/giy;
const SYMBOLS = new Map([
  ...[
    ['emdash', '—'],
    ['endash', '–'],
    ['bullet', '•'],
    ['lquote', '‘'],
    ['rquote', '’'],
    ['ldblquote', '“'],
    ['rdblquote', '”'],
  ],
  ...[
    ['tab', ' '],
    ['line', ' '],
    ['emspace', ' '],
    ['enspace', ' '],
    ['qmspace', ' '],
    ['~', '\u00a0'],
    ['_', '‑'],
    ['{', '{'],
    ['}', '}'],
    ['\\', '\\'],
  ],
]);
const PARAGRAPH_ENDS = new Set(['par', 'sect', 'page', 'column', '\n', '\r']);
/** Groups whose text is no part of the document. */
const SKIPPED = new Set([
  ...['colortbl', 'info', 'header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf', 'fldinst', 'nonshppict'],
  ...['xe', 'tc', 'template', 'private', 'objdata', 'objclass', 'operator', 'ftnsep', 'ftnsepc', 'ftncn', 'aftnsep', 'aftnsepc', 'aftncn'],
  ...['revtbl', 'filetbl', 'bkmkstart', 'bkmkend', 'sp', 'atnid', 'atnauthor', 'falt', 'shprslt'],
]);
/** Those that a reader may ignore, but that have text of the document. */
const READ = new Set(['shppict', 'shpinst', 'shptxt', 'ud', 'footnote', 'annotation', 'shpgrp']);
const LOST = new Map([
  ['pict', 'pictures'],
  ['annotation', 'comments'],
]);
const CODE_PAGES = new Map([
  ['ansi', 1252],
  ['mac', 10_000],
  ['pc', 437],
  ['pca', 850],
]);

export function read(bytes, limits, losses) {
  const reader = new RtfReader(losses, limits.characters);
  // Each byte as a character: the file names others by their codes.
  reader.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'), bytes);
  return reader.end();
}

class RtfReader {
  blocks = [];
  notes = [];
  text = '';
  characters = 0;
  pending = [];
  /** Characters to leave out: they stand for a Unicode character before them. */
  left = 0;
  codePage = 1252;
  fonts = new Map();
  styles = new Map();
  group = { kind: 'body', isStart: false, unicodeSkip: 1, font: undefined, isHidden: false, isDeleted: false };
  groups = [];
  paragraph = {};
  cells = [];
  rows = [];

  constructor(losses, most) {
    Object.assign(this, { losses, most });
  }

  read(source, bytes) {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(source); match !== null; match = TOKEN.exec(source)) {
      const [token, word, number, code, symbol, bracket] = match;
      if (word !== undefined) {
        if (word === 'bin') TOKEN.lastIndex += Math.max(0, Number(number ?? 0));
        else this.control(word, number === undefined ? undefined : Number(number));
      } else if (code !== undefined) this.addByte(Number.parseInt(code, 16));
      else if (symbol !== undefined) this.control(symbol);
      else if (bracket === '{') this.startGroup();
      else if (bracket === '}') this.endGroup();
      else if (token !== '\\' && !/^[\r\n]/.test(token)) this.addPlain(bytes, match.index, token.length);
    }
  }

  end() {
    this.flush();
    this.endParagraph();
    this.endTable();
    if (this.notes.length > 0) this.blocks.push({ kind: 'lines', lines: this.notes });
    return this.blocks;
  }

  startGroup() {
    this.flush();
    this.left = 0;
    if (this.groups.length >= MOST_OPEN) throw new DocumentFault('TOO_DEEP');
    this.groups.push(this.group);
    this.group = { ...this.group, isStart: true, isOptional: false };
  }

  endGroup() {
    this.flush();
    this.left = 0;
    const { kind, note } = this.group;
    const outer = this.groups.pop();
    if (outer === undefined) return;
    if (kind === 'fontEntry' || kind === 'styleEntry') this.endEntry(kind);
    if (note !== undefined && note !== outer.note) {
      const text = clean(note.text);
      if (text !== '') this.notes.push(text);
    }
    this.group = outer;
  }

  /** A control word or symbol. */
  control(word, number) {
    if (this.left > 0 && SYMBOLS.has(word)) {
      this.left -= 1;
      return;
    }
    this.left = 0;
    const isStart = this.group.isStart;
    if (word === '*') {
      this.group.isOptional = true;
      return;
    }
    if (word !== 'u') this.flush();
    this.group.isStart = false;
    if (isStart && this.startDestination(word)) return;
    if (this.group.kind === 'skipped') return;
    if (CODE_PAGES.has(word)) this.codePage = CODE_PAGES.get(word);
    else if (word === 'ansicpg') this.codePage = number || this.codePage;
    else if (word === 'u') this.addUnicode(number ?? 0);
    else if (word === 'uc') this.group.unicodeSkip = Math.min(Math.max(number ?? 1, 0), 100);
    else if (word === 'f') this.setFont(number ?? 0);
    else if (word === 'fcharset') this.fonts.set(this.entry, codePageOf(number ?? 0));
    else if (word === 'v') this.group.isHidden = number !== 0;
    else if (word === 'deleted') this.setDeleted(number !== 0);
    else if (word === 'plain') Object.assign(this.group, { isHidden: false, isDeleted: false, font: undefined });
    else if (SYMBOLS.has(word)) this.add(SYMBOLS.get(word));
    else this.layout(word, number);
  }

  /** Control words of paragraphs, tables and styles. */
  layout(word, number = 0) {
    if (this.group.kind === 'styleEntry' && word === 's') this.entry = number;
    if (this.group.kind !== 'body') return;
    if (this.group.note !== undefined) {
      if (PARAGRAPH_ENDS.has(word)) this.add(' ');
    } else if (PARAGRAPH_ENDS.has(word)) this.endParagraph();
    else if (word === 'pard') this.paragraph = {};
    else if (word === 'outlinelevel') this.paragraph.level = number + 1;
    else if (word === 's') this.paragraph.level ??= this.styles.get(number);
    else if (word === 'intbl') this.paragraph.isInTable = true;
    else if (word === 'nestcell') this.add(' ');
    else if (word === 'cell') this.endCell();
    else if (word === 'row') this.endRow();
  }

  /** What a group is for, by its first word. @returns whether the word has no other meaning */
  startDestination(word) {
    const { group } = this;
    const outer = group.kind;
    if (LOST.has(word) && outer === 'body') this.losses.add(LOST.get(word));
    if (outer === 'skipped' && word !== 'ud') return true;
    if (word === 'fonttbl' || word === 'stylesheet') group.kind = word;
    else if (word === 'upr') group.kind = 'skipped';
    else if (word === 'ud') group.kind = 'body';
    else if (outer === 'fonttbl' || outer === 'stylesheet') {
      group.kind = outer === 'fonttbl' ? 'fontEntry' : 'styleEntry';
      [this.entry, this.name] = [0, ''];
      return false;
    } else if (word === 'footnote') group.note = { text: '' };
    else if (SKIPPED.has(word) || LOST.has(word) || (group.isOptional && !READ.has(word))) group.kind = 'skipped';
    else return false;
    group.isOptional = false;
    return true;
  }

  setFont(number) {
    if (this.group.kind === 'fontEntry' || this.group.kind === 'fonttbl') this.entry = number;
    else this.group.font = number;
  }

  setDeleted(isDeleted) {
    if (isDeleted && !this.group.isDeleted) this.losses.add('tracked deletions');
    this.group.isDeleted = isDeleted;
  }

  endEntry(kind) {
    const level = /^\s*heading (\d)\b/i.exec(this.name ?? '')?.[1];
    if (kind === 'styleEntry' && level !== undefined) this.styles.set(this.entry, Number(level));
  }

  addUnicode(number) {
    this.flush();
    this.left = this.group.unicodeSkip;
    this.add(String.fromCharCode(number & 0xffff).replaceAll('\0', ''));
  }

  /** Bytes of the file that stand for themselves. */
  addPlain(bytes, from, length) {
    this.group.isStart = false;
    const skipped = Math.min(this.left, length);
    this.left -= skipped;
    for (let at = from + skipped; at < from + length; at++) {
      // One by one only what may belong to a character of two bytes.
      if (bytes[at] >= 0x80 || this.pending.length > 0) this.push(bytes[at]);
      else {
        const start = at;
        const end = Math.min(from + length, start + MOST_AT_ONCE);
        while (at + 1 < end && bytes[at + 1] < 0x80) at += 1;
        this.add(String.fromCharCode.apply(undefined, bytes.subarray(start, at + 1)));
      }
    }
  }

  addByte(byte) {
    this.group.isStart = false;
    if (this.left > 0) this.left -= 1;
    else this.push(byte);
  }

  push(byte) {
    if (byte < 0x80 && this.pending.length > 0 && !endsInCharacter(this.page, this.pending)) {
      this.flush();
      this.add(String.fromCharCode(byte));
      return;
    }
    if (this.pending.length >= MOST_PENDING && !endsInCharacter(this.page, this.pending)) this.flush();
    this.pending.push(byte);
  }

  /** The code page of the text that follows. */
  get page() {
    return this.fonts.get(this.group.font) ?? this.codePage;
  }

  flush() {
    if (this.pending.length > 0) this.add(decodedIn(this.page, this.pending.splice(0)));
  }

  add(text) {
    const { kind, note, isHidden, isDeleted } = this.group;
    if (kind === 'fontEntry' || kind === 'styleEntry') this.name = `${this.name ?? ''}${text}`.substring(0, 100);
    if (kind !== 'body' || isHidden || isDeleted) return;
    this.characters += text.length;
    if (this.characters > this.most) throw new DocumentFault('TOO_MUCH_TEXT');
    if (note !== undefined) note.text += text;
    else this.text += text;
  }

  endParagraph() {
    // A paragraph within a cell.
    if (this.paragraph.isInTable) {
      this.text += ' ';
      return;
    }
    const text = clean(this.text);
    this.text = '';
    if (this.rows.length > 0) this.endTable();
    if (text === '') return;
    const { level } = this.paragraph;
    if (level >= 1 && level <= 9) this.blocks.push({ kind: 'heading', level, text });
    else this.blocks.push({ kind: 'text', text });
  }

  endCell() {
    this.cells.push(clean(this.text));
    this.text = '';
  }

  endRow() {
    this.rows.push(rowOf(this.cells.splice(0)));
    this.text = '';
  }

  endTable() {
    if (this.cells.length > 0) this.endRow();
    for (const block of tableBlocks(this.rows.splice(0))) this.blocks.push(block);
  }
}

function clean(text) {
  return text.replaceAll(/\s+/g, ' ').trim().toWellFormed();
}
