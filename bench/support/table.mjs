/** One table: what was measured, against which floor, and whether it is met. */
export function tableOf(rows) {
  const head = ['bench', 'floor', 'measured', 'ratio', '', 'also'];
  const cells = rows.map(({ name, floor, measured, unit = '', more = '' }) => {
    const { text, ratio, met } = against(floor, measured);
    return [name, text === '' ? '' : `${text}${unit}`, `${shown(measured)}${unit}`, ratio, met, more];
  });
  const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line)].join('\n');
}

/** `floor`: { atLeast } or { below }; the ratio is above 1 when there is something to spare. */
function against(floor, measured) {
  if (floor === undefined) return { text: '', ratio: '', met: '' };
  const { atLeast, below } = floor;
  const ratio = atLeast === undefined ? below / measured : measured / atLeast;
  const met = atLeast === undefined ? measured < below : measured >= atLeast;
  return {
    text: atLeast === undefined ? `< ${below}` : `>= ${atLeast}`,
    ratio: Number.isFinite(ratio) ? ratio.toFixed(2) : '',
    met: met ? 'ok' : 'MISSED',
  };
}

export function shown(number) {
  return number >= 100 ? Math.round(number).toString() : number.toFixed(number >= 10 ? 1 : 2);
}
