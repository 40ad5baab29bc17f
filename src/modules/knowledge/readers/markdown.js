// Markdown by its lines: headings, paragraphs, lists, tables and code. Inline markup stays as it is; a model reads it. Each character is looked
// at a fixed number of times: an expression with two repetitions that accept the same characters would look again for each of them.
import { decoded } from './plain-text.js';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+|$)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const ITEM = /^[ \t]*([-*+]|\d{1,9}[.)])[ \t]+/;
const RULE_CELL = /^:?-+:?$/;

export function read(bytes) {
  const written = without(withoutFrontMatter(decoded(bytes)), '<!--', '-->').split('\n');
  const lines = written.map((line) => line.replace(/^ {0,3}>[ \t]?/, ''));
  const blocks = [];
  const paragraph = [];
  const endParagraph = () => {
    const text = paragraph.splice(0).join(' ');
    if (text !== '') blocks.push({ kind: 'text', text: inline(text) });
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    const fence = FENCE.exec(line)?.[1];
    const marks = HEADING.exec(line)?.[1];
    if (line.trim() === '') endParagraph();
    else if (fence !== undefined) {
      endParagraph();
      // Outside of a quotation, code may begin with ">".
      const code = line === written[at] ? written : lines;
      const end = nextLine(code, at + 1, (other) => endsFence(other, fence));
      blocks.push({ kind: 'lines', lines: code.slice(at + 1, end).map((each) => each.trimEnd()) });
      at = end;
    } else if (marks !== undefined) {
      endParagraph();
      blocks.push({ kind: 'heading', level: marks.length, text: inline(headingText(line, marks)) });
    } else if (paragraph.length > 0 && UNDERLINE.test(line)) {
      blocks.push({ kind: 'heading', level: line.includes('=') ? 1 : 2, text: inline(paragraph.splice(0).join(' ')) });
    } else if (line.includes('|') && isTableRule(lines[at + 1] ?? '')) {
      endParagraph();
      const end = nextLine(lines, at + 2, (other) => !other.includes('|'));
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

/** The text without the parts from `open` to `close`. */
function without(text, open, close) {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf(open); at !== -1; at = text.indexOf(open, from)) {
    const end = text.indexOf(close, at + open.length);
    if (end === -1) break;
    kept += text.slice(from, at);
    from = end + close.length;
  }
  return kept + text.slice(from);
}

/** Index of the first line from `from` on that passes, or the number of lines. */
function nextLine(lines, from, passes) {
  let at = from;
  while (at < lines.length && !passes(lines[at])) at += 1;
  return at;
}

function endsFence(line, fence) {
  const marks = line.trim();
  return marks.startsWith(fence) && marks.replaceAll(fence[0], '') === '';
}

/** Whether a line divides the header of a table from its rows: "| --- | ---: |". */
function isTableRule(line) {
  const parts = line.trim().split('|');
  return parts.some((part) => part !== '') && parts.every((part, index) => isRulePart(part.trim(), index > 0 && index < parts.length - 1));
}

/** Only the parts before the first and behind the last bar may be empty. */
function isRulePart(part, isInner) {
  return RULE_CELL.test(part) || (part === '' && !isInner);
}

/** A further line of a list item. */
function isContinuation(line) {
  return line.trim() !== '' && /^[ \t]/.test(line) && !FENCE.test(line);
}

function headingText(line, marks) {
  const text = line.trim().slice(marks.length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  const plain = text.slice(0, end);
  return plain === '' || /\s/.test(plain.at(-1)) ? plain.trim() : text;
}

function cells(line) {
  const inner = line.trim().replace(/^\|/, '').replace(/\|$/, '');
  return inner
    .split('|')
    .map((cell) => inline(cell.trim()))
    .join(' | ');
}

function inline(text) {
  return withoutImages(text).replaceAll(/\s+/g, ' ').trim();
}

/** Images are replaced by their description: their address may be the picture itself. */
function withoutImages(text) {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf('!['); at !== -1; at = text.indexOf('![', at)) {
    const closed = text.indexOf(']', at + 2);
    if (closed === -1) break;
    const end = text[closed + 1] === '(' ? text.indexOf(')', closed + 2) : -1;
    // Neither this image nor a later one has an end.
    if (end === -1 && text[closed + 1] === '(') break;
    if (end !== -1) {
      kept += text.slice(from, at) + text.slice(at + 2, closed);
      from = end + 1;
    }
    at = end === -1 ? closed : from;
  }
  return kept + text.slice(from);
}
