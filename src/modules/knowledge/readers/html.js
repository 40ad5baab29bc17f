// HTML: headings, paragraphs, lists and tables. Scripts, styles, navigation, forms and what is hidden are left out.
import { Parser } from 'htmlparser2';
import { DocumentFault } from './document-fault.js';
import { decoded } from './plain-text.js';

// The parser looks through all open elements at each tag. Browsers stop at 512.
const MOST_OPEN = 1000;
const SKIPPED = new Set([
  ...['title', 'script', 'style', 'template', 'noscript', 'nav', 'svg', 'math', 'iframe', 'object', 'canvas', 'audio', 'video'],
  ...['button', 'select', 'textarea', 'input', 'dialog'],
]);
const LISTS = new Set(['ul', 'ol']);
const INLINE = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'big', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'font', 'i', 'img', 'ins', 'kbd', 'label', 'mark'],
  ...['q', 'rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr'],
]);

export function read(bytes) {
  return blocksOf(decoded(bytes));
}

/** @param options.headedByFirstRow whether the first row of a table without marked header cells is its header */
export function blocksOf(html, { headedByFirstRow = false } = {}) {
  const reader = new HtmlReader(headedByFirstRow);
  const parser = new Parser(reader, { decodeEntities: true, lowerCaseTags: true });
  parser.end(html);
  return reader.end();
}

class HtmlReader {
  blocks = [];
  text = '';
  open = 0;
  /** Depth within an element that is left out. */
  skipped = 0;
  /** Depth within `pre`, whose line breaks stay. */
  preformatted = 0;
  lists = 0;
  items = [];
  tables = [];

  constructor(headedByFirstRow) {
    this.headedByFirstRow = headedByFirstRow;
  }

  onopentag(name, attributes) {
    this.open += 1;
    if (this.open > MOST_OPEN) throw new DocumentFault('TOO_DEEP');
    if (this.skipped > 0 || SKIPPED.has(name) || (name !== 'body' && isHidden(attributes))) {
      this.skipped += 1;
      return;
    }
    if (name === 'br') this.text += '\n';
    if (INLINE.has(name)) return;
    if (name === 'table') {
      this.flush();
      this.tables.push({ header: undefined, rows: [], cells: [], cell: undefined, headings: 0 });
    } else if (this.tables.length > 0) {
      const table = this.tables.at(-1);
      if (name === 'td' || name === 'th') {
        this.text = '';
        table.cell = name;
      } else if (name !== 'tr') this.text += ' ';
    } else {
      this.flush();
      if (name === 'pre') this.preformatted += 1;
      if (LISTS.has(name)) this.lists += 1;
    }
  }

  ontext(text) {
    if (this.skipped === 0) this.text += text;
  }

  onclosetag(name) {
    this.open -= 1;
    if (this.skipped > 0) {
      this.skipped -= 1;
      return;
    }
    if (INLINE.has(name) || name === 'br') return;
    if (this.tables.length > 0) this.closeInTable(name);
    else if (/^h[1-6]$/.test(name)) this.heading(Number(name[1]));
    else if (name === 'pre') this.code();
    else this.flush();
    if (LISTS.has(name) && this.tables.length === 0) {
      this.lists = Math.max(0, this.lists - 1);
      if (this.lists === 0) this.endList();
    }
  }

  end() {
    while (this.tables.length > 0) this.closeInTable('table');
    this.flush();
    return this.blocks;
  }

  closeInTable(name) {
    const table = this.tables.at(-1);
    if (name === 'td' || name === 'th') {
      table.cells.push(collapsed(this.text));
      if (name === 'th') table.headings += 1;
      this.text = '';
      table.cell = undefined;
    } else if (name === 'tr') {
      const cells = table.cells.splice(0);
      const isHeader = table.headings === cells.length && table.header === undefined && table.rows.length === 0;
      table.headings = 0;
      if (cells.every((cell) => cell === '')) return;
      if (isHeader) table.header = cells.join(' | ');
      else table.rows.push(cells);
    } else if (name === 'table') {
      this.tables.pop();
      this.text = '';
      this.table(table);
    } else this.text += ' ';
  }

  table({ header, rows }) {
    this.endList();
    const isData = header !== undefined || rows.some((cells) => cells.filter((cell) => cell !== '').length > 1);
    if (!isData) {
      for (const text of rows.flat().filter(Boolean)) this.blocks.push({ kind: 'text', text });
    } else {
      const lines = rows.map((cells) => cells.join(' | '));
      const first = header === undefined && this.headedByFirstRow && lines.length > 1 ? lines.shift() : header;
      this.blocks.push({ kind: 'table', header: first, rows: lines.length > 0 ? lines : [first] });
    }
  }

  heading(level) {
    const text = collapsed(this.text);
    this.text = '';
    this.endList();
    if (text !== '') this.blocks.push({ kind: 'heading', level, text });
  }

  code() {
    this.preformatted = Math.max(0, this.preformatted - 1);
    const lines = this.text.split('\n').map((line) => line.trimEnd());
    this.text = '';
    this.endList();
    this.blocks.push({ kind: 'lines', lines });
  }

  /** Ends a paragraph or a list item. */
  flush() {
    if (this.preformatted > 0) return;
    const text = collapsed(this.text);
    this.text = '';
    if (text === '') return;
    if (this.lists > 0) this.items.push(`- ${text}`);
    else this.blocks.push({ kind: 'text', text });
  }

  endList() {
    if (this.items.length > 0) this.blocks.push({ kind: 'lines', lines: this.items.splice(0) });
  }
}

function isHidden({ hidden, style = '', 'aria-hidden': ariaHidden }) {
  return hidden !== undefined || ariaHidden === 'true' || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style);
}

function collapsed(text) {
  return text.replaceAll(/\s+/g, ' ').trim();
}
