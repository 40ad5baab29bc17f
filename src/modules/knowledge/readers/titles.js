// The titles that documents state about themselves.

/** What divides the title of a page from the name of its site. */
const DIVIDER = /\s+[|–—·•»:-]\s+|\s*[|»]\s*|:\s+/;
/** What programs write when their user gave no title. */
const NO_TITLE =
  /^(untitled|no title|unbenannt|ohne titel|sans titre|title|titel|(new |neues )?(document|dokument|presentation|spreadsheet)|powerpoint presentation)[\s\d_()-]*$|^microsoft (word|excel|powerpoint) - |\.[a-z]{2,4}x?$|^[\W\d_]*$/i;

/** Whether a title that a file states says what it is about. */
export function isTitle(title) {
  return !NO_TITLE.test(title.trim());
}

/** Blocks below the title of their document, which is not repeated by a heading of the same words. */
export function titled(title, blocks) {
  if (title === '') return blocks;
  const first = blocks.findIndex(({ kind }) => kind === 'heading');
  const repeated = first === -1 ? undefined : plain(blocks[first].text);
  const isRepeated = repeated !== undefined && [title, ...title.split(DIVIDER)].some((part) => plain(part) === repeated);
  return [{ kind: 'heading', level: 0, text: title }, ...blocks.filter((_, index) => !isRepeated || index !== first)];
}

function plain(text) {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/[.:!]+$/, '');
}
