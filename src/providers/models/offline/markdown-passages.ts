/** A paragraph, list item or table row of a Markdown file. */
export interface Passage {
  /** Path from the root of the package. */
  readonly file: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

const MAX_CODE_LINES = 8;

/** Splits a Markdown file; long code and separators are left out. */
export function markdownPassages(file: string, markdown: string): Passage[] {
  const passages: Passage[] = [];
  let [title, heading] = ['', ''];
  let columns: string[] = [];
  for (const block of blocks(markdown)) {
    const [, level, name] = /^(#+) (.*)/.exec(block) ?? [];
    if (level === '#') title = name!;
    else if (level !== undefined) heading = name!;
    if (level !== undefined || /^(?:<!--|---)/.test(block)) continue;
    const add = (text: string): number => passages.push({ file, title, heading, text: plain(text) });
    const before = passages.at(-1);
    if (block.startsWith('```')) {
      const code = block.split('\n').slice(1, -1);
      // A command belongs to the sentence before it.
      if (code.length > MAX_CODE_LINES) continue;
      if (before?.heading === heading) passages[passages.length - 1] = { ...before, text: `${before.text}\n${code.join('\n')}` };
      else passages.push({ file, title, heading, text: code.join('\n') });
    } else if (block.startsWith('|')) {
      const [head = '', , ...rows] = block.split('\n');
      columns = cells(head);
      for (const row of rows) add(rowText(columns, cells(row)));
    } else if (/^(?:[-*]|\d+\.) /.test(block)) {
      for (const item of block.split(/\n(?=(?:[-*]|\d+\.) )/)) add(item.replace(/^(?:[-*]|\d+\.) /, ''));
    } else add(block);
  }
  return passages.filter(({ text }) => text.trim() !== '');
}

function blocks(markdown: string): string[] {
  return markdown.match(/^```[\s\S]*?^```|^#+ .*|(?:(?!```|#+ ).+(?:\n|$))+/gm)?.map((block) => block.trim()) ?? [];
}

function cells(row: string): string[] {
  return row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function rowText(columns: readonly string[], row: readonly string[]): string {
  const [name = '', ...rest] = row;
  const said = rest.flatMap((cell, index) => {
    const column = columns[index + 1]?.toLowerCase();
    if (cell === '' || cell === '—') return [];
    return [column === 'default' ? `default ${cell}` : cell];
  });
  return `${name}: ${said.join('; ')}`;
}

/** Links become their text, and lines that only wrap are joined. */
function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
}
