// HTML: the title, headings, paragraphs, lists, tables, formulas, and what pictures are said to show. Scripts, styles, navigation, forms and what
// is hidden are left out.
import { Parser } from 'htmlparser2';
import { DocumentFault } from './document-fault.js';
import { formulaText } from './formulas.js';
import { decoded } from './plain-text.js';
import { TableGrid } from './table-grid.js';
import { titled } from './titles.js';

// The parser looks through all open elements at each tag. Browsers stop at 512.
const MOST_OPEN = 1000;
const SKIPPED = new Set([
  ...['title', 'script', 'style', 'template', 'noscript', 'nav', 'svg', 'math', 'iframe', 'object', 'canvas', 'audio', 'video'],
  ...['button', 'select', 'textarea', 'input', 'dialog', 'embed'],
]);
/** What is lost with elements that are left out. */
const LOST = {
  iframe: 'embedded pages',
  object: 'embedded objects',
  embed: 'embedded objects',
  canvas: 'drawings',
  svg: 'drawings',
  audio: 'recordings',
  video: 'recordings',
};
/** A drawing of at most so many pixels is an icon, and such a picture counts visits. */
const ICON = 64;
const LISTS = new Set(['ul', 'ol']);
const GROUPS = new Set(['thead', 'tbody', 'tfoot']);
const INLINE = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'big', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'font', 'i', 'img', 'ins', 'kbd', 'label', 'mark'],
  ...['q', 'rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr'],
]);
export function read(bytes, _limits, losses) {
  const { title, blocks } = contentOf(decoded(bytes), losses);
  return titled(title, blocks);
}

/**
 * The blocks of a page without its title.
 *
 * @param options.headedByFirstRow whether the first row of a table without marked header cells is its header
 */
export function blocksOf(html, losses, options) {
  return contentOf(html, losses, options).blocks;
}

function contentOf(html, losses, { headedByFirstRow = false } = {}) {
  const reader = new HtmlReader(headedByFirstRow, losses);
  const parser = new Parser(reader, { decodeEntities: true, lowerCaseTags: true });
  parser.end(html);
  return reader.end();
}

/** What stands one below the other: the page, or the content of a cell. */
class Flow {
  blocks = [];
  text = '';
  /** Depth within `pre`, whose line breaks stay. */
  preformatted = 0;
  lists = 0;
  items = [];

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

  end() {
    this.preformatted = 0;
    this.flush();
    this.endList();
    return this.blocks;
  }
}

class HtmlReader {
  flows = [new Flow()];
  tables = [];
  open = 0;
  /** Depth within an element that is left out. */
  skipped = 0;
  title = '';
  socialTitle = '';
  /** The text of a title, or the markup of a formula, while it is open. */
  kept = undefined;

  constructor(headedByFirstRow, losses) {
    this.headedByFirstRow = headedByFirstRow;
    this.losses = losses;
  }

  get flow() {
    return this.flows.at(-1);
  }

  onopentag(name, attributes) {
    this.open += 1;
    if (this.open > MOST_OPEN) throw new DocumentFault('TOO_DEEP');
    if (this.skipped > 0 || SKIPPED.has(name) || (name !== 'body' && isHidden(attributes))) {
      this.skip(name, attributes);
      return;
    }
    if (name === 'meta' && /^(og:title|twitter:title)$/i.test(attributes.property ?? attributes.name ?? '')) {
      this.socialTitle ||= collapsed(attributes.content ?? '');
    }
    if (name === 'br') this.flow.text += '\n';
    if (name === 'img') this.picture(attributes);
    if (INLINE.has(name)) return;
    if (name === 'table') this.beginTable(attributes);
    else if (this.tables.length > 0 && this.isInTable(name)) this.openInTable(name, attributes);
    else {
      this.flow.flush();
      if (name === 'pre') this.flow.preformatted += 1;
      if (LISTS.has(name)) this.flow.lists += 1;
    }
  }

  ontext(text) {
    if (this.kept?.kind === 'title') this.kept.text += text;
    else if (this.kept?.kind === 'math') this.kept.text += text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    else if (this.kept?.kind === 'svg' && this.kept.inText) this.kept.text += text;
    else if (this.skipped === 0) this.flow.text += text;
  }

  onclosetag(name) {
    this.open -= 1;
    if (this.skipped > 0) {
      this.closeSkipped(name);
      return;
    }
    if (INLINE.has(name) || name === 'br') return;
    const { flow } = this;
    if (this.tables.length > 0 && this.isInTable(name)) this.closeInTable(name);
    else if (/^h[1-6]$/.test(name)) flow.heading(Number(name[1]));
    else if (name === 'pre') flow.code();
    else flow.flush();
    if (LISTS.has(name)) {
      flow.lists = Math.max(0, flow.lists - 1);
      if (flow.lists === 0) flow.endList();
    }
  }

  end() {
    while (this.tables.length > 0) this.closeInTable('table');
    return { title: this.title || this.socialTitle, blocks: this.flow.end() };
  }

  /** Enters an element that is left out, or goes deeper within one. */
  skip(name, attributes) {
    this.skipped += 1;
    if (this.skipped === 1) {
      const width = [attributes.width, attributes.viewbox?.trim().split(/[\s,]+/)[2]].map(Number).find((each) => each > 0);
      if (isHidden(attributes)) return;
      if (name === 'title' && this.title === '') this.kept = { kind: 'title', text: '' };
      else if (name === 'math') this.kept = { kind: 'math', text: '<math>' };
      else if (name === 'svg') this.kept = { kind: 'svg', text: '', isIcon: width <= ICON, inText: false };
      else if (LOST[name] !== undefined && Number(attributes.width ?? ICON) > 1) this.losses.add(LOST[name]);
    } else if (this.kept?.kind === 'math') this.kept.text += `<${name}>`;
    else if (this.kept?.kind === 'svg' && name === 'text') this.kept.inText = true;
  }

  closeSkipped(name) {
    this.skipped -= 1;
    const { kept } = this;
    if (kept?.kind === 'math') kept.text += `</${name}>`;
    if (kept?.kind === 'svg' && name === 'text') {
      kept.inText = false;
      kept.text += ' ';
    }
    if (this.skipped > 0 || kept === undefined) return;
    this.kept = undefined;
    if (kept.kind === 'title') this.title = collapsed(kept.text);
    else if (kept.kind === 'math') this.flow.text += ` ${formulaText(kept.text)} `;
    else if (kept.text.trim() !== '') this.flow.text += ` ${kept.text} `;
    else if (!kept.isIcon) this.losses.add(LOST.svg);
  }

  /** A picture is read as what it is said to show. An empty description says that it only decorates. */
  picture({ alt, width, height }) {
    if (alt !== undefined && alt.trim() !== '') this.flow.text += ` ${alt} `;
    else if (alt === undefined && Number(width ?? ICON) > 1 && Number(height ?? ICON) > 1) this.losses.add('pictures');
  }

  beginTable({ role }) {
    this.flow.flush();
    this.tables.push({ grid: new TableGrid(), row: [], cell: undefined, content: [], isHead: false, isLayout: role === 'presentation' });
  }

  /** Whether an element is a part of the innermost table, and not of the content of a cell. */
  isInTable(name) {
    return this.tables.at(-1).cell === undefined || name === 'td' || name === 'th' || name === 'tr' || name === 'table' || GROUPS.has(name);
  }

  openInTable(name, attributes) {
    const table = this.tables.at(-1);
    if (name === 'td' || name === 'th') {
      this.endCell(table);
      table.cell = {
        isHeader: name === 'th',
        columns: Number(attributes.colspan ?? 1),
        rows: attributes.rowspan === '0' ? 0 : Number(attributes.rowspan ?? 1),
      };
      this.flows.push(new Flow());
    } else if (name === 'caption') {
      this.flow.flush();
      table.hasCaption = true;
    } else if (GROUPS.has(name)) {
      this.endRow(table);
      table.grid.endGroup();
      table.isHead = name === 'thead';
    } else if (name === 'tr') this.endRow(table);
    else this.flow.text += ' ';
  }

  closeInTable(name) {
    const table = this.tables.at(-1);
    if (name === 'td' || name === 'th') this.endCell(table);
    else if (name === 'tr' || GROUPS.has(name)) {
      this.endRow(table);
      if (name === 'tr') return;
      table.grid.endGroup();
      table.isHead = false;
    } else if (name === 'table') {
      this.endRow(table);
      this.tables.pop();
      this.table(table);
    } else this.flow.flush();
  }

  endCell(table) {
    if (table.cell === undefined) return;
    const blocks = this.flows.pop().end();
    table.content.push(...blocks);
    // Data does not have headings or tables within.
    table.isLayout ||= !table.hasCaption && blocks.some(({ kind }) => kind === 'heading' || kind === 'table');
    table.row.push({ ...table.cell, text: blocks.map(textOf).filter(Boolean).join(' ') });
    table.cell = undefined;
  }

  endRow(table) {
    this.endCell(table);
    if (table.row.length > 0) table.grid.add(table.row.splice(0), table.isHead);
  }

  table({ grid, content, isLayout }) {
    const { flow } = this;
    flow.flush();
    flow.endList();
    const isData = grid.hasHeaderCells || grid.headers.length > 0 || (!isLayout && grid.rows.some(hasSeveralValues));
    if (!isData) flow.blocks.push(...content);
    else if (grid.headers.length + grid.rows.length > 0) flow.blocks.push(grid.block(this.headedByFirstRow));
  }
}

function hasSeveralValues(row) {
  return new Set(row.filter(({ text }) => text !== '')).size > 1;
}

/** A block within a cell, in one line. */
function textOf({ text, lines, header, rows }) {
  if (text !== undefined) return text;
  if (lines !== undefined) return lines.map((line) => line.replace(/^- /, '')).join(' ');
  return [header, ...rows].filter(Boolean).join('; ').replaceAll(' | ', ', ');
}

function isHidden({ hidden, style = '', 'aria-hidden': ariaHidden }) {
  return hidden !== undefined || ariaHidden === 'true' || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style);
}

function collapsed(text) {
  return text.replaceAll(/\s+/g, ' ').trim();
}
