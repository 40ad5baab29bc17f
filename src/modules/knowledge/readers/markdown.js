// Markdown by its lines: headings, paragraphs, lists, tables and code. Inline markup stays as it is; a model reads it.
import { decoded } from './plain-text.js';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const ITEM = /^[ \t]*([-*+]|\d{1,9}[.)])[ \t]+/;
const TABLE_RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

export function read(bytes) {
  const lines = withoutFrontMatter(decoded(bytes))
    .replaceAll(/<!--[^]*?-->/g, '')
    .split('\n');
  const blocks = [];
  const paragraph = [];
  const endParagraph = () => {
    const text = paragraph.splice(0).join(' ');
    if (text !== '') blocks.push({ kind: 'text', text: inline(text) });
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at].replace(/^ {0,3}>[ \t]?/, '');
    const fence = FENCE.exec(line)?.[1];
    const marks = HEADING.exec(line)?.[1];
    if (line.trim() === '') endParagraph();
    else if (fence !== undefined) {
      endParagraph();
      const end = endOfFence(lines, at + 1, fence);
      blocks.push({ kind: 'lines', lines: lines.slice(at + 1, end).map((code) => code.trimEnd()) });
      at = end;
    } else if (marks !== undefined) {
      endParagraph();
      blocks.push({ kind: 'heading', level: marks.length, text: inline(headingText(line, marks)) });
    } else if (paragraph.length > 0 && UNDERLINE.test(line)) {
      blocks.push({ kind: 'heading', level: line.includes('=') ? 1 : 2, text: inline(paragraph.splice(0).join(' ')) });
    } else if (line.includes('|') && TABLE_RULE.test(lines[at + 1] ?? '') && lines[at + 1].includes('-')) {
      endParagraph();
      const end = endOfTable(lines, at + 2);
      blocks.push({ kind: 'table', header: cells(line), rows: lines.slice(at + 2, end).map(cells) });
      at = end - 1;
    } else if (ITEM.test(line)) {
      endParagraph();
      const items = [];
      for (; at < lines.length && (ITEM.test(lines[at]) || isContinuation(lines[at])); at++) {
        if (ITEM.test(lines[at])) items.push(inline(lines[at].trim()));
        else items.push(`${items.pop()} ${inline(lines[at].trim())}`);
      }
      blocks.push({ kind: 'lines', lines: items });
      at -= 1;
    } else paragraph.push(line.trim());
  }
  endParagraph();
  return blocks;
}

function withoutFrontMatter(text) {
  if (!text.startsWith('---\n')) return text;
  const end = text.indexOf('\n---\n', 3);
  return end === -1 ? text : text.slice(end + 5);
}

function endOfFence(lines, from, fence) {
  const end = lines.findIndex(
    (line, index) => index >= from && line.trim().startsWith(fence) && line.trim().replaceAll(fence[0], '') === '',
  );
  return end === -1 ? lines.length : end;
}

function endOfTable(lines, from) {
  const end = lines.findIndex((line, index) => index >= from && !line.includes('|'));
  return end === -1 ? lines.length : end;
}

/** A further line of a list item. */
function isContinuation(line) {
  return line.trim() !== '' && /^[ \t]/.test(line) && !FENCE.test(line);
}

function headingText(line, marks) {
  const text = line.trim().slice(marks.length).trim();
  const plain = text.replace(/#+$/, '');
  return plain === '' || /\s$/.test(plain) ? plain.trim() : text;
}

function cells(line) {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner
    .split('|')
    .map((cell) => inline(cell.trim()))
    .join(' | ');
}

/** Images are replaced by their description: their address may be the picture itself. */
function inline(text) {
  return text
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
