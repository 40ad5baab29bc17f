// Plain text: paragraphs between blank lines.

// A shorter line was ended by its author, not by the width of the page.
const WRAPPED_LINE = 40;

export function read(bytes) {
  return paragraphsOf(decoded(bytes)).map(blockOf);
}

/** The text of a file in UTF-8, with line feeds only. */
export function decoded(bytes) {
  return new TextDecoder()
    .decode(bytes)
    .replaceAll(/\r\n?|\f/g, '\n')
    .replaceAll('\0', '')
    .toWellFormed();
}

function paragraphsOf(text) {
  const paragraphs = [];
  const lines = [];
  for (const line of text.split('\n')) {
    if (line.trim() !== '') lines.push(line.trim());
    else if (lines.length > 0) paragraphs.push(lines.splice(0));
  }
  return lines.length > 0 ? [...paragraphs, lines] : paragraphs;
}

function blockOf(lines) {
  const isWrapped = lines.slice(0, -1).every(({ length }) => length >= WRAPPED_LINE);
  return isWrapped ? { kind: 'text', text: lines.join(' ') } : { kind: 'lines', lines };
}
