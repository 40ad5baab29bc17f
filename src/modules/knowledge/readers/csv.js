// CSV and its relatives: values separated by commas, semicolons, tabs or bars.
import Papa from 'papaparse';
import { DocumentFault } from './document-fault.js';
import { decoded } from './plain-text.js';
import { rowOf, tableBlocks } from './tables.js';

const DELIMITERS = ['\t', ';', '|', ','];
const SAMPLED_ROWS = 50;
const SAMPLED_CHARACTERS = 100_000;
// It is in no decoded text.
const NO_QUOTE = '\0';

export function read(bytes, limits) {
  const text = decoded(bytes);
  if (text.length > limits.characters * 2) throw new DocumentFault('TOO_MUCH_TEXT');
  // Excel's way of naming the delimiter.
  const stated = /^sep=(.)\n/i.exec(text.substring(0, 10));
  const content = stated ? text.substring(6) : text;
  return tableBlocks(rowsOf(content, stated?.[1] ?? delimiterOf(content.substring(0, SAMPLED_CHARACTERS))));
}

function rowsOf(text, delimiter) {
  const parsed = Papa.parse(text, { delimiter });
  // A quotation mark without its end would make one value of the rest.
  const isBroken = parsed.errors.some(({ code }) => code === 'MissingQuotes');
  const { data } = isBroken ? Papa.parse(text, { delimiter, quoteChar: NO_QUOTE }) : parsed;
  // Rows that are empty do not divide a file into tables.
  return data.map(rowOf).filter(({ length }) => length > 0);
}

/** The delimiter that gives most rows the same number of values. */
function delimiterOf(sample) {
  const scored = DELIMITERS.map((delimiter) => {
    const rows = Papa.parse(sample, { delimiter, preview: SAMPLED_ROWS }).data.filter((row) => row.length > 1 || row[0] !== '');
    const lengths = rows.map(({ length }) => length);
    const usual = mostFrequent(lengths.filter((length) => length > 1));
    const alike = lengths.filter((length) => length === usual).length / Math.max(1, lengths.length);
    // A comma also divides numbers and sentences, but not in the names of the columns.
    return { delimiter, score: alike + (lengths[0] === usual ? 1 : 0) };
  });
  return scored.reduce((best, each) => (each.score > best.score ? each : best)).delimiter;
}

function mostFrequent(numbers) {
  const counts = new Map();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), [0, 0])[0];
}
