// Tables in Markdown.

export function tableText(columns, rows) {
  const cells = [columns, ...rows].map((row) => columns.map((_, column) => shownCell(row[column])));
  const widths = columns.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(cells[0]), line(widths.map((width) => '-'.repeat(width))), ...cells.slice(1).map(line)].join('\n');
}

/** Three digits, and commas in large numbers. */
export function short(number) {
  if (!Number.isFinite(number)) return '';
  if (Math.abs(number) >= 100) return Math.round(Number(number.toPrecision(3))).toLocaleString('en-US');
  return String(Number(number.toPrecision(number < 0.01 ? 1 : 2)));
}

function shownCell(cell) {
  return typeof cell === 'number' ? short(cell) : (cell ?? '');
}
