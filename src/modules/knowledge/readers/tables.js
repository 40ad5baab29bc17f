// Tables of spreadsheets and of files with separated values: finds headers, and writes each row so that its values stand with them.
//
// A row is a list of `[column, text]` in the order of the columns, without empty cells: a sheet may have 16,384 columns and few values.

// With more columns, or a longer header, each value is written behind the name of its column.
const MOST_COLUMNS = 10;
const LONGEST_HEADER = 300;
const LONGEST_NAME = 100;
// "12", "-3.5 %", "1,200.00 €", "2026-11-29", "29.11.2026 14:30", "true".
const VALUE = /^(?:[\p{Sc}+\-(<>~≈ ]*\d[\d.,:/ '’\u00a0\u202f-]*(?:[eE][+-]?\d+)?[%‰)\p{Sc} ]*|\d{4}-\d\d-\d\d.*|true|false)$/iu;
const YEAR = /^(?:19|20)\d\d$/;

/** @param rows in order; `null` stands for one or more empty rows, which may divide two tables */
export function tableBlocks(rows) {
  const blocks = [];
  let header;
  for (const part of partsOf(rows)) {
    let from = 0;
    const width = part.reduce((most, { length }) => Math.max(most, length), 0);
    // Titles and remarks above the header.
    const titles = width > 1 && part.length > 1 ? part.length - 1 : Number(part.length === 1);
    while (from < titles && isSingle(part[from])) from += 1;
    for (const row of part.splice(0, from)) blocks.push({ kind: 'text', text: row[0][1] });
    const found = headerOf(part, header);
    if (found.rows > 0) header = found.header;
    else if (header !== undefined && !part.some((row) => row.length > 1 && row.every(([column]) => header.has(column)))) header = undefined;
    blocks.push(blockOf(header, part.slice(found.rows)));
  }
  return blocks.filter(({ rows: all, lines }) => (all ?? lines)?.length !== 0);
}

/** A row from the texts of all its cells. */
export function rowOf(texts) {
  const cells = [];
  for (const [column, text] of texts.entries()) {
    const clean = text.replaceAll(/\s+/g, ' ').trim();
    if (clean !== '') cells.push([column, clean]);
  }
  return cells;
}

function* partsOf(rows) {
  let part = [];
  for (const row of rows) {
    if (row !== null && row.length > 0) part.push(row);
    else if (part.length > 0) {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}

/** Whether a row has one value, be it that of a cell that spans many. */
function isSingle(row) {
  return row.every(([, text]) => text === row[0][1]);
}

/** The header of a table as a map of columns to names, with the number of its rows; 0 when the table has none of its own. */
function headerOf(part, before) {
  const [first, second, third] = part;
  const none = { rows: 0 };
  if (second === undefined || first.length < 2 || !isHeader(first)) return none;
  // After an empty row, a row of texts may go on with the table above.
  const isLikeAbove = before !== undefined && first.every(([column]) => before.has(column));
  if (isLikeAbove && !first.some(([column, text]) => before.get(column) === text) && !isMoreThan(second, first)) return none;
  const header = new Map(first);
  // Cells that span several columns are headed by a second row.
  const spans = first.some(([, text], index) => text === first[index + 1]?.[1]);
  if (!spans || third === undefined || !isHeader(second)) return { rows: 1, header };
  for (const [column, text] of second) {
    const above = header.get(column);
    header.set(column, above === undefined || above === text ? text : `${above} ${text}`);
  }
  return { rows: 2, header };
}

/** Whether all cells of a row are names: texts, or years besides a text. */
function isHeader(row) {
  return (
    row.every(([, text]) => text.length <= LONGEST_NAME && (!VALUE.test(text) || YEAR.test(text))) &&
    row.some(([, text]) => !YEAR.test(text))
  );
}

/** Whether a row has values below names. */
function isMoreThan(row, names) {
  const columns = new Set(names.map(([column]) => column));
  return row.some(([column, text]) => columns.has(column) && VALUE.test(text));
}

function blockOf(header, rows) {
  const columns = new Set(header?.keys() ?? []);
  for (const row of rows) for (const [column] of row) columns.add(column);
  const all = [...columns].sort((a, b) => a - b);
  const line = header && joined(all, header);
  if (all.length > MOST_COLUMNS || (line?.length ?? 0) > LONGEST_HEADER) {
    return { kind: 'lines', lines: rows.map((row) => named(row, header)) };
  }
  const lines = rows.map((row) => joined(all, new Map(row)));
  return line === undefined ? { kind: 'lines', lines } : { kind: 'table', header: line, rows: lines };
}

function joined(columns, row) {
  return columns.map((column) => row.get(column) ?? '').join(' | ');
}

function named(row, header) {
  const cells = row.map(([column, text]) => (header?.has(column) ? `${header.get(column)}: ${text}` : text));
  return cells.join(' | ');
}
