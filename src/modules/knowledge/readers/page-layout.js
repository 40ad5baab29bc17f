// The lines of a PDF page in reading order: columns of prose one after the other, everything else row by row.

// Of a line height: a wider gap than between words, as between columns or cells.
const GUTTER = 0.9;
// A column of prose is so many line heights wide, has so many lines, and most of them fill it.
const LEAST_WIDTH = 8;
const LEAST_LINES = 3;
const FILLED = 0.6;
const MOST_FILLED = 0.5;
// Points between the places at which columns may be divided.
const STEP = 4;
const MOST_PLACES = 250;
// Of a line height: a header or footer is so far away from the text.
const APART = 2;
const EDGE_ROWS = 2;
// Of a line height: what is so far below is another part of the page, with columns of its own.
const ANOTHER_PART = 3;
// More is a drawing with labels.
const MOST_ROWS = 400;
const DEEPEST = 5;

/** @returns lines as `{ text, size, y, isNext }`; `isNext` is the first line of a further column */
export function linesOf(items) {
  const rows = rowsOf(fragmentsOf(items));
  const [top, middle, bottom] = withoutEdges(rows);
  return [...top.map(lineOf), ...ordered(middle, DEEPEST), ...bottom.map(lineOf)].filter(({ text }) => text.trim() !== '');
}

function fragmentsOf(items) {
  const fragments = [];
  for (const { str, transform, width, height, dir } of items) {
    if (str === undefined) continue;
    const [, , c, d, x, y] = transform;
    const size = height || Math.hypot(c, d);
    const before = fragments.at(-1);
    if (str.trim() === '') {
      if (before !== undefined && str !== '') before.text += ' ';
      continue;
    }
    // Some programs print bold text by printing it twice.
    const isDouble = before?.text === str && Math.abs(before.x - x) < size / 5 && Math.abs(before.y - y) < size / 5;
    if (!isDouble) fragments.push({ text: str, x, y, end: x + width, size, isRtl: dir === 'rtl' });
  }
  return fragments;
}

/** Fragments on one line, from the top down; each row has its parts, between which there are wide gaps. */
function rowsOf(fragments) {
  const rows = [];
  for (const fragment of fragments.toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    if (row !== undefined && Math.abs(row.y - fragment.y) <= Math.max(row.size, fragment.size) / 2) {
      row.fragments.push(fragment);
      row.size = Math.max(row.size, fragment.size);
    } else rows.push({ y: fragment.y, size: fragment.size, fragments: [fragment] });
  }
  return rows.map(({ y, size, fragments: own }) => ({
    y,
    size,
    parts: partsOf(
      own.sort((a, b) => a.x - b.x),
      size,
    ),
  }));
}

function partsOf(fragments, size) {
  const parts = [];
  for (const fragment of fragments) {
    const part = parts.at(-1);
    if (part !== undefined && fragment.x - part.end < size * GUTTER) {
      part.fragments.push(fragment);
      part.end = Math.max(part.end, fragment.end);
    } else parts.push({ x: fragment.x, end: fragment.end, fragments: [fragment] });
  }
  return parts;
}

/** The rows at the top and at the bottom that are far from the others, and these. */
function withoutEdges(rows) {
  const isGap = (index) => index > 0 && index < rows.length && rows[index - 1].y - rows[index].y > APART * rows[index].size;
  const places = Array.from({ length: EDGE_ROWS }, (_, index) => index + 1);
  const from = places.findLast(isGap) ?? 0;
  const to = places.map((index) => rows.length - index).findLast((index) => index > from && isGap(index)) ?? rows.length;
  return [rows.slice(0, from), rows.slice(from, to), rows.slice(to)];
}

function ordered(rows, depth) {
  const best = depth === 0 || rows.length > MOST_ROWS ? undefined : bestDivision(rows);
  if (best === undefined) return rows.map(lineOf);
  const lines = [];
  let from = 0;
  for (const { start, end, columns } of best) {
    lines.push(...ordered(rows.slice(from, start), depth - 1));
    columns.forEach((column, index) => {
      const [first, ...others] = ordered(column, depth - 1);
      lines.push({ ...first, isNext: index > 0 }, ...others);
    });
    from = end;
  }
  return [...lines, ...ordered(rows.slice(from), depth - 1)];
}

/** The runs of rows that have two columns of prose, divided at the place where most lines are in such runs; undefined when there is none. */
function bestDivision(rows) {
  const parts = rows.flatMap((row) => row.parts);
  const left = Math.min(...parts.map(({ x }) => x));
  const right = Math.max(...parts.map(({ end }) => end));
  let best;
  let most = 0;
  const step = Math.max(STEP, (right - left) / MOST_PLACES);
  for (let at = left + step; at < right; at += step) {
    const runs = runsAt(rows, at);
    const lines = runs.reduce((sum, { columns }) => sum + Math.min(columns[0].length, columns[1].length), 0);
    if (lines > most) [best, most] = [runs, lines];
  }
  return best;
}

function runsAt(rows, at) {
  const runs = [];
  let start = 0;
  const endRun = (end) => {
    const columns = columnsOf(rows.slice(start, end), at);
    if (columns !== undefined) runs.push({ start, end, columns });
    start = end;
  };
  rows.forEach((row, index) => {
    const isAcross = row.parts.some(({ x, end }) => x < at && end > at);
    if (isAcross || (index > 0 && rows[index - 1].y - row.y > ANOTHER_PART * row.size)) endRun(index);
    if (isAcross) start = index + 1;
  });
  endRun(rows.length);
  return runs;
}

/** The two columns in the order in which they are read, unless one of them is no prose, but cells of a table or labels. */
function columnsOf(rows, at) {
  if (rows.length < LEAST_LINES) return undefined;
  const side = (isOn) => rows.map((row) => ({ ...row, parts: row.parts.filter(isOn) })).filter(({ parts }) => parts.length > 0);
  const columns = [side(({ x }) => x < at), side(({ x }) => x >= at)];
  if (!columns.every(isProse)) return undefined;
  const fragments = rows.flatMap(({ parts }) => parts.flatMap((part) => part.fragments));
  return fragments.filter(({ isRtl }) => isRtl).length > fragments.length / 2 ? columns.reverse() : columns;
}

function isProse(column) {
  if (column.length < LEAST_LINES) return false;
  const widths = column.map(({ parts }) => parts.at(-1).end - parts[0].x);
  const width = Math.max(...widths);
  const size = column.map((row) => row.size).sort((a, b) => a - b)[Math.floor(column.length / 2)];
  const filled = widths.filter((each) => each >= width * FILLED).length;
  return width >= size * LEAST_WIDTH && filled >= column.length * MOST_FILLED;
}

function lineOf({ y, size, parts }) {
  const fragments = parts.flatMap((part) => part.fragments);
  const isRtl = fragments.filter((fragment) => fragment.isRtl).length > fragments.length / 2;
  let text = '';
  let before;
  for (const fragment of isRtl ? fragments.toReversed() : fragments) {
    const gap = before === undefined ? 0 : isRtl ? before.x - fragment.end : fragment.x - before.end;
    text += gap > fragment.size / 4 ? ` ${fragment.text}` : fragment.text;
    before = fragment;
  }
  return { text, size, y };
}
