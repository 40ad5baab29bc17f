// The cells of a table in their columns. A cell that spans several rows or columns stands in each of them, so that every row has its values below
// their headers.

// As in browsers.
const MOST_COLUMNS = 1000;
const MOST_ROWS = 65_534;
// Of one table, in characters. Numbers of columns and rows may be anything.
const MOST_REPEATED = 200_000;

export class TableGrid {
  rows = [];
  headers = [];
  hasHeaderCells = false;
  /** Cells of earlier rows that reach into the next one, by column. */
  spans = new Map();
  repeated = 0;

  /**
   * Adds a row.
   *
   * @param cells `{ text, isHeader, columns, rows }`, with 0 rows for all rows of the group
   * @param isHead whether the row is in the head of the table
   */
  add(cells, isHead) {
    const row = [];
    let column = 0;
    const skipSpans = () => {
      for (; this.spans.has(column); column++) row[column] = this.spans.get(column).cell;
    };
    const begun = [];
    for (const cell of cells) {
      skipSpans();
      const end = column + within(cell.columns, MOST_COLUMNS);
      for (let first = column; column < end; column++) {
        if (column > first && (column >= MOST_COLUMNS || !this.repeats(cell))) break;
        if (this.spans.has(column)) row[column] = this.spans.get(column).cell;
        else {
          row[column] = cell;
          begun.push(column);
        }
      }
    }
    for (const [at, { cell }] of this.spans) row[at] ??= cell;
    this.advance();
    for (const at of begun) {
      const rows = row[at].rows === 0 ? MOST_ROWS : within(row[at].rows, MOST_ROWS);
      if (rows > 1) this.spans.set(at, { cell: row[at], left: rows - 1 });
    }
    const filled = Array.from(row, (cell) => cell ?? EMPTY);
    if (filled.every(({ text }) => text === '')) return;
    const own = cells.filter(({ text }) => text !== '');
    const isHeader = this.rows.length === 0 && (isHead || (own.length > 0 && own.every((cell) => cell.isHeader)));
    this.hasHeaderCells ||= cells.some((cell) => cell.isHeader);
    (isHeader ? this.headers : this.rows).push(filled);
  }

  /** Ends a group of rows, which no cell spans. */
  endGroup() {
    this.spans.clear();
  }

  /**
   * The table as a block.
   *
   * @param isHeadedByFirstRow whether the first row is the header of a table without one
   */
  block(isHeadedByFirstRow) {
    const lines = this.rows.map(lineOf);
    let header = headerOf(this.headers);
    if (header === undefined && isHeadedByFirstRow && lines.length > 1) header = lines.shift();
    return { kind: 'table', header: lines.length > 0 ? header : undefined, rows: lines.length > 0 ? lines : [header ?? ''] };
  }

  /** Counts one more occurrence of a cell. */
  repeats({ text }) {
    this.repeated += text.length + 3;
    return this.repeated <= MOST_REPEATED;
  }

  advance() {
    for (const [column, span] of this.spans) {
      span.left -= 1;
      if (span.left <= 0 || !this.repeats(span.cell)) this.spans.delete(column);
    }
  }
}

const EMPTY = { text: '' };

/** A row as a line. A cell that spans all of it is named once. */
function lineOf(row) {
  if (row.every((cell) => cell === row[0])) return row[0].text;
  return row.map(({ text }) => text).join(' | ');
}

/** The headers of each column, the upper ones first. */
function headerOf(rows) {
  if (rows.length === 0) return undefined;
  const columns = Math.max(...rows.map(({ length }) => length));
  const named = Array.from({ length: columns }, (_, column) => {
    const texts = new Set(rows.filter((row) => row.length === 1 || !isTitle(row)).map((row) => row[column]?.text ?? ''));
    return [...texts].filter((text) => text !== '').join(' › ');
  });
  const titles = rows.filter((row) => row.length > 1 && isTitle(row)).map((row) => row[0].text);
  const line = named.join(' | ');
  return [...titles, ...(named.some((name) => name !== '') ? [line] : [])].join('\n');
}

/** Whether one cell spans all columns: it is a title of the table. */
function isTitle(row) {
  return row.every((cell) => cell === row[0]);
}

function within(count, most) {
  return Number.isSafeInteger(count) && count > 0 ? Math.min(count, most) : 1;
}
