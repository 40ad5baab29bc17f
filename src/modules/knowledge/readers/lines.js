// Source code, configuration, logs, XML and other texts whose lines and indentation mean something.
import { decoded } from './plain-text.js';

// Of a file that was written for machines: it is divided between its elements or statements.
const LONG_LINE = 2000;
// What ends a definition stays with it.
const CONTINUATION = /^(?:[)\]}>]|else\b|elif\b|end\b|except\b|finally\b|catch\b|rescue\b|<\/)/i;

export function read(bytes) {
  return linesOf(decoded(bytes));
}

/** The lines of a text, in blocks that begin where the indentation ends: a piece is best cut there. */
export function linesOf(text) {
  const blocks = [];
  let lines = [];
  const end = () => {
    if (lines.length > 0) blocks.push({ kind: 'lines', lines });
    lines = [];
  };
  let before = '';
  for (const line of text.split('\n').flatMap(divided)) {
    const isOuter = /^\S/.test(line) && !CONTINUATION.test(line);
    if (isOuter && (before === '' || /^\s/.test(before) || CONTINUATION.test(before))) end();
    before = line.trimEnd();
    if (before !== '') lines.push(before);
  }
  end();
  return blocks;
}

function divided(line) {
  if (line.length <= LONG_LINE) return [line];
  const isMarkup = line.trimStart().startsWith('<');
  return line.replaceAll(isMarkup ? />\s*</g : /[;}]\s*(?=\S)/g, isMarkup ? '>\n<' : '$&\n').split('\n');
}
