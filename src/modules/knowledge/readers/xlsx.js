// XLSX: each sheet as tables below its name, with the values that its formulas had when it was saved.
import { openArchive } from './archive.js';
import { DocumentFault } from './document-fault.js';
import { NumberFormats } from './number-format.js';
import { tableBlocks } from './tables.js';
import { parseXml, relationOf } from './xml.js';

const LAST_COLUMN = 16_384;
// Cells that get the value of a cell that spans them.
const MOST_SPANNED = 100_000;

export async function read(bytes, limits, losses) {
  const archive = await openArchive(bytes, limits);
  const main = await archive.mainPart('xl/workbook.xml');
  const relations = await archive.relations(main);
  const partOf = (type) => [...relations.values()].find((relation) => relation.type === type)?.path ?? '';
  const { sheets, is1904 } = workbookOf(await archive.xml(main));
  const strings = stringsOf(await archive.xml(partOf('sharedStrings')));
  const formats = formatsOf(await archive.xml(partOf('styles')), is1904);
  const blocks = [];
  let characters = 0;
  for (const { name, id } of sheets) {
    const { type, path } = relations.get(id) ?? {};
    if (type === 'chartsheet') continue;
    if (path === undefined || !archive.has(path)) {
      losses.add('sheets');
      continue;
    }
    const sheet = new Sheet(strings, formats, limits.characters - characters);
    parseXml(await archive.xml(path), sheet);
    characters += sheet.characters;
    blocks.push({ kind: 'heading', level: 1, text: name }, ...tableBlocks(sheet.end()));
    if (sheet.formulas > 0) losses.add('values of formulas', sheet.formulas);
  }
  const lost = { pictures: /^xl\/media\//, charts: /^xl\/charts\/chart\d*\.xml$/, comments: /^xl\/comments\d*\.xml$|^xl\/comments\// };
  for (const [what, pattern] of Object.entries(lost)) if (archive.count(pattern) > 0) losses.add(what, archive.count(pattern));
  return blocks;
}

function workbookOf(xml) {
  const sheets = [];
  let is1904 = false;
  parseXml(xml, {
    open: (name, attributes) => {
      if (name === 'sheet') sheets.push({ name: attributes.name ?? '', id: relationOf(attributes) });
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
    },
  });
  return { sheets, is1904 };
}

/** The texts that cells name by their number. */
function stringsOf(xml) {
  const strings = [];
  const text = new RichText();
  parseXml(xml, {
    open: (name) => {
      if (name === 'si') text.value = '';
      text.open(name);
    },
    text: (part) => text.text(part),
    close: (name) => {
      text.close(name);
      if (name === 'si') strings.push(text.value);
    },
  });
  return strings;
}

/** The number formats, by the style of a cell. */
function formatsOf(xml, is1904) {
  const codes = new Map();
  const styles = [];
  let isCellStyle = false;
  parseXml(xml, {
    open: (name, { numFmtId, formatCode = '' }) => {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      else if (name === 'cellXfs') isCellStyle = true;
      else if (name === 'xf' && isCellStyle) styles.push(Number(numFmtId ?? 0));
    },
    close: (name) => {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  const formats = new NumberFormats(codes, is1904);
  return (stored, style) => formats.format(stored, styles[style] ?? 0);
}

/** The text of a string with formatted parts, without the pronunciation of its characters. */
class RichText {
  value = '';
  isText = false;
  pronunciations = 0;

  open(name) {
    if (name === 'rPh') this.pronunciations += 1;
    if (name === 't') this.isText = this.pronunciations === 0;
  }

  text(part) {
    if (this.isText) this.value += part;
  }

  close(name) {
    if (name === 'rPh') this.pronunciations -= 1;
    if (name === 't') this.isText = false;
  }
}

/** A sheet while its XML is read. */
class Sheet {
  rows = new Map();
  row = 0;
  cell = undefined;
  merged = [];
  spanned = 0;
  characters = 0;
  /** Formulas that have no value. */
  formulas = 0;

  constructor(strings, formats, left) {
    Object.assign(this, { strings, formats, left });
  }

  open = (name, attributes) => {
    if (name === 'row') {
      const stated = Number(attributes.r);
      this.row = Number.isSafeInteger(stated) && stated > 0 ? stated : this.row + 1;
      this.column = 0;
    } else if (name === 'c') {
      this.column = columnOf(attributes.r) ?? this.column + 1;
      this.cell = {
        type: attributes.t ?? 'n',
        style: Number(attributes.s ?? 0),
        value: '',
        hasFormula: false,
        formula: '',
        text: new RichText(),
      };
    } else if (name === 'mergeCell') this.merged.push(attributes.ref ?? '');
    else if (this.cell) {
      this.cell.part = name;
      this.cell.hasFormula ||= name === 'f';
      this.cell.text.open(name);
    }
  };

  text = (part) => {
    if (this.cell?.part === 'v') this.cell.value += part;
    else if (this.cell?.part === 'f') this.cell.formula += part;
    else this.cell?.text.text(part);
  };

  close = (name) => {
    if (this.cell === undefined) return;
    if (name === 'c') {
      this.add(this.row, this.column, this.valueOf(this.cell));
      this.cell = undefined;
    } else {
      this.cell.text.close(name);
      this.cell.part = undefined;
    }
  };

  /** The rows of the sheet, with `null` where rows are empty. */
  end() {
    for (const ref of this.merged) this.span(ref);
    const rows = [];
    let before = 0;
    for (const [number, row] of [...this.rows].sort(([a], [b]) => a - b)) {
      if (before > 0 && number > before + 1) rows.push(null);
      rows.push([...row].sort(([a], [b]) => a - b));
      before = number;
    }
    return rows;
  }

  add(row, column, text) {
    const clean = text.replaceAll(/\s+/g, ' ').trim().toWellFormed();
    if (clean === '' || column > LAST_COLUMN) return;
    this.characters += clean.length + 3;
    if (this.characters > this.left) throw new DocumentFault('TOO_MUCH_TEXT');
    if (!this.rows.has(row)) this.rows.set(row, new Map());
    this.rows.get(row).set(column, clean);
  }

  valueOf({ type, style, value, hasFormula, formula, text }) {
    // A formula may have an empty text as its value.
    if (hasFormula && value === '' && type !== 'str') {
      this.formulas += 1;
      return formula === '' ? '' : `=${formula}`;
    }
    if (type === 's') return value === '' ? '' : escaped(this.strings[Number(value)] ?? '');
    if (type === 'inlineStr') return escaped(text.value);
    if (type === 'b') return /^(1|true)$/.test(value.trim()) ? 'TRUE' : 'FALSE';
    if (type === 'str') return escaped(value);
    if (type === 'd') return value.replace(/^(\d{4}-\d\d-\d\d)T(?:00:00(?::00(?:\.0+)?)?)?Z?/, (_all, day) => `${day} `);
    return type === 'n' ? this.formats(value, style) : value;
  }

  /** Gives the cells that a cell spans its value, as far as they belong to rows with values. */
  span(ref) {
    const [first, last] = ref.split(':').map(placeOf);
    const text = first && this.rows.get(first.row)?.get(first.column);
    if (text === undefined || last === undefined || this.spanned > MOST_SPANNED) return;
    const rows = last.row - first.row > this.rows.size ? [...this.rows.keys()] : numbers(first.row, last.row);
    // Below the last value there is no row that needs one.
    const width = Math.min(last.column, Math.max(first.column, this.widest()));
    for (const row of rows) {
      if (row < first.row || row > last.row || !this.rows.has(row)) continue;
      for (let column = first.column; column <= width; column++) {
        this.spanned += 1;
        if (this.spanned > MOST_SPANNED) return;
        if (!this.rows.get(row).has(column)) this.add(row, column, text);
      }
    }
  }

  /** The last column with a value. */
  widest() {
    this.width ??= [...this.rows.values()].reduce((most, row) => Math.max(most, ...row.keys()), 0);
    return this.width;
  }
}

function numbers(from, to) {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

function placeOf(ref) {
  const row = Number(/\d+$/.exec(ref)?.[0]);
  const column = columnOf(ref);
  return column !== undefined && Number.isSafeInteger(row) ? { row, column } : undefined;
}

/** The number of a column: 1 for A, 28 for AB. */
function columnOf(ref = '') {
  const letters = /^[A-Za-z]{1,3}(?=\d)/.exec(ref.replaceAll('$', ''))?.[0].toUpperCase();
  if (letters === undefined) return undefined;
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

/** Control characters are written as "_x000D_". */
function escaped(text) {
  return text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_all, code) => String.fromCharCode(parseInt(code, 16)).replaceAll('\0', ''));
}
