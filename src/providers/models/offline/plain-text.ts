/**
 * A text without the structure of Markdown, as a paragraph that can be quoted in an answer: headings are left out when text follows them; items
 * of lists and rows of tables become sentences.
 */
export function withoutMarkdown(text: string): string {
  const lines = text.split('\n').filter((line) => !/^\s*(?:```|~~~|[-*_=\s]+$|\|?[\s:|-]+\|?$)/.test(line));
  const body = lines.filter((line) => !HEADING.test(line));
  return (body.some((line) => line.trim() !== '') ? body : lines)
    .map((line, index, all) => plainLine(line, BARRED.test(line) || [all[index - 1], all[index + 1]].some((other) => isCells(line, other))))
    .filter((line) => line !== '')
    .join(' ');
}

const HEADING = /^\s{0,3}#{1,6}\s+/;
const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;

const BARRED = /^\s*\|.*\|\s*$/;

/** Whether two lines that follow each other are rows of one table, without bars around them. */
function isCells(line: string, other = ''): boolean {
  const cells = line.split(' | ').length;
  return cells > 1 && other.split(' | ').length === cells;
}

function plainLine(line: string, isRow: boolean): string {
  const isItem = ITEM.test(line);
  const plain = (
    isRow
      ? line
          .split('|')
          .map((cell) => cell.trim())
          .filter((cell) => cell !== '')
          .join(', ')
      : line
  )
    .replace(HEADING, '')
    .replace(/^\s*(?:>\s?)+/, '')
    .replace(ITEM, '')
    .replaceAll(/!?\[([^[\]]{1,500})\]\([^()\s]{0,2000}\)/g, '$1')
    .replaceAll(/(\*\*|__)(?=\S)([^*_]{1,500}?)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]{1,500}?)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/`([^`]{1,500})`/g, '$1')
    .trim();
  return (isRow || isItem) && plain !== '' && !/[.!?:;,]$/.test(plain) ? `${plain}.` : plain;
}
