// JSON, also several values in a row (JSON Lines): a record on a line where it fits, below the path to it. Names and values stay as they are
// written and in their order, which parsing into objects would not promise. Anything else is read as lines.
import { linesOf } from './lines.js';
import { decoded } from './plain-text.js';

const MOST_OPEN = 500;
// A value that is longer has its parts on lines of their own.
const LONGEST_LINE = 160;
// A value that is longer is a section of its own.
const LONGEST_RECORD = 1500;
const LONGEST_NAME = 80;
const TOKEN = /\s*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\.)*")|(-?\d[\d.eE+-]*|true|false|null))/gy;

export function read(bytes) {
  const text = decoded(bytes);
  const values = valuesOf(text);
  if (values === undefined) return linesOf(text);
  const writer = new Writer();
  // The only value needs no section of its own.
  writer.parts(values.length === 1 && values[0].length > LONGEST_RECORD && values[0].parts ? values[0].parts : values, []);
  return writer.blocks;
}

/**
 * The values of a text, each `{ name, text }` or `{ name, open, parts }`, with its `length` on one line; undefined unless the text is JSON.
 * Objects and lists are alike: parts of an object have names.
 */
function valuesOf(text) {
  const root = { parts: [] };
  const open = [root];
  let name;
  // What may come next: a value, a name, ':', or ',' and the end.
  let expected = 'value';
  TOKEN.lastIndex = 0;
  let at = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    at = TOKEN.lastIndex;
    const [, mark, string, literal] = match;
    const top = open.at(-1);
    if (mark === '}' || mark === ']') {
      if (open.length === 1 || (mark === '}') !== (top.open === '{') || expected === ':' || (expected !== ',' && top.parts.length > 0)) {
        return undefined;
      }
      if (name !== undefined) return undefined;
      open.pop();
      top.length = lengthOf(top);
      expected = ',';
    } else if (mark === ',') {
      if (expected !== ',' || top === root) return undefined;
      expected = 'value';
    } else if (mark === ':') {
      if (expected !== ':') return undefined;
      expected = 'value';
    } else if (expected === ',' && top !== root) return undefined;
    else if (top.open === '{' && name === undefined) {
      if (string === undefined) return undefined;
      name = string;
      expected = ':';
    } else {
      if (expected === ':') return undefined;
      const value =
        mark === undefined ? { name, text: string === undefined ? literal : unescaped(string) } : { name, open: mark, parts: [] };
      if (mark === undefined) value.length = lengthOf(value);
      top.parts.push(value);
      name = undefined;
      expected = ',';
      if (mark !== undefined) {
        if (open.length > MOST_OPEN) return undefined;
        open.push(value);
        expected = 'value';
      }
    }
  }
  return open.length === 1 && root.parts.length > 0 && text.substring(at).trim() === '' ? root.parts : undefined;
}

function lengthOf({ name = '', text = '', parts = [] }) {
  return parts.reduce((sum, part) => sum + part.length + 2, name.length + text.length + 4);
}

/** A string with its characters instead of their codes, as far as it stays on its line. */
function unescaped(string) {
  return string.includes('\\') ? JSON.stringify(JSON.parse(string)) : string;
}

class Writer {
  blocks = [];

  /** The parts of a value, at a path of names. */
  parts(values, path) {
    let lines = [];
    const endLines = () => {
      if (lines.length > 0) this.blocks.push({ kind: 'lines', lines });
      lines = [];
    };
    for (const [index, value] of values.entries()) {
      if (value.length <= LONGEST_LINE) lines.push(inline(value));
      else if (value.length <= LONGEST_RECORD) {
        endLines();
        this.blocks.push({ kind: 'lines', lines: [...indented(value, '')] });
      } else {
        endLines();
        const inner = [...path, labelOf(value, index)];
        this.heading(inner);
        if (value.parts) this.parts(value.parts, inner);
        else this.longText(value.text);
        this.heading(path);
      }
    }
    endLines();
  }

  longText(text) {
    const written = text.startsWith('"') ? JSON.parse(text) : text;
    for (const paragraph of written.split(/\n+/)) {
      if (paragraph.trim() !== '') this.blocks.push({ kind: 'text', text: paragraph.trim().toWellFormed() });
    }
  }

  heading(path) {
    this.blocks.push({ kind: 'heading', level: path.length, text: path.at(-1) ?? '' });
  }
}

function labelOf({ name }, index) {
  const label = name === undefined ? '' : JSON.parse(name).replaceAll(/\s+/g, ' ').trim().toWellFormed();
  return label === '' || label.length > LONGEST_NAME ? `[${index}]` : label;
}

function inline({ name, open, parts, text }) {
  const value = parts === undefined ? text : `${open}${parts.map(inline).join(', ')}${open === '{' ? '}' : ']'}`;
  return name === undefined ? value : `${name}: ${value}`;
}

function* indented(value, indent) {
  const { name, open, parts, length } = value;
  if (parts === undefined || length <= LONGEST_LINE) yield `${indent}${inline(value)}`;
  else {
    yield `${indent}${name === undefined ? '' : `${name}: `}${open}`;
    for (const part of parts) yield* indented(part, `${indent}  `);
    yield `${indent}${open === '{' ? '}' : ']'}`;
  }
}
