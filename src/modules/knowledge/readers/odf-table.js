// A table of an OpenDocument file while its XML is read.
import { tableBlocks } from './tables.js';
import { valueOf } from './xml.js';

// Cells and rows that are said to repeat a million times fill a sheet up to its end.
const MOST_REPEATED = 100;
const MOST_COLUMNS = 16_384;

export class OdfTable {
  rows = [];
  row = undefined;
  cell = undefined;
  /** What spans the cells below and beside it: `{ until, text }` by columns. */
  spans = new Map();
  number = 0;

  /** @param lose reports a loss: `(what, count)` */
  constructor(name, lose) {
    this.name = name;
    this.lose = lose;
  }

  startRow(attributes) {
    this.row = { cells: [], column: 0, times: timesOf(attributes, 'number-rows-repeated') };
  }

  startCell(name, attributes) {
    const value = (key) => valueOf(attributes, key);
    this.cell = {
      text: '',
      isCovered: name === 'covered-table-cell',
      times: timesOf(attributes, 'number-columns-repeated'),
      columns: timesOf(attributes, 'number-columns-spanned'),
      rows: timesOf(attributes, 'number-rows-spanned'),
      // What is shown of a date depends on the language.
      date: value('date-value')
        ?.replace(/T00:00:00(\.0+)?$/, '')
        .replace('T', ' '),
      value: value('string-value') ?? value('value') ?? value('boolean-value') ?? value('time-value'),
      formula: value('formula'),
    };
  }

  addText(text) {
    if (this.cell) this.cell.text += this.cell.text === '' ? text : ` ${text}`;
  }

  endCell() {
    const { cell, row } = this;
    this.cell = undefined;
    if (cell === undefined || row === undefined) return;
    const own = this.textOf(cell);
    const times = Math.min(cell.times, MOST_COLUMNS);
    for (let index = 0; index < (own === '' && !cell.isCovered ? 0 : Math.min(times, MOST_REPEATED)); index++) {
      const column = row.column + index;
      const span = cell.isCovered ? this.spans.get(column) : undefined;
      const text = span && span.until >= this.number ? span.text : own;
      if (text !== '' && column < MOST_COLUMNS) row.cells.push([column, text]);
    }
    if (!cell.isCovered && own !== '' && (cell.rows > 1 || cell.columns > 1)) {
      const span = { until: this.number + cell.rows - 1, text: own };
      for (let index = 0; index < Math.min(cell.columns, MOST_REPEATED); index++) this.spans.set(row.column + index, span);
    }
    row.column += times;
  }

  endRow() {
    const { cells, times } = this.row ?? { cells: [], times: 1 };
    this.row = undefined;
    this.number += times;
    if (cells.length === 0) this.rows.push(null);
    for (let index = 0; cells.length > 0 && index < Math.min(times, MOST_REPEATED); index++) this.rows.push(cells);
    if (cells.length > 0 && times > MOST_REPEATED) this.lose('repeated rows', times - MOST_REPEATED);
  }

  blocks() {
    return tableBlocks(this.rows);
  }

  /** The text of a table within a cell. */
  plainText() {
    return this.rows
      .map((cells) => (cells ?? []).map(([, text]) => text).join(' '))
      .join(' ')
      .trim();
  }

  textOf({ date, text, value, formula }) {
    const shown = date ?? (text === '' ? value : text) ?? '';
    if (shown === '' && formula !== undefined && value === undefined) this.lose('values of formulas', 1);
    return shown.replaceAll(/\s+/g, ' ').trim();
  }
}

function timesOf(attributes, name) {
  const times = Number(valueOf(attributes, name) ?? 1);
  return Number.isSafeInteger(times) && times > 0 ? times : 1;
}
