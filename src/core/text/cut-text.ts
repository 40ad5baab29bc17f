const HIGH_SURROGATE_END = 0xdbff;
const HIGH_SURROGATE_START = 0xd800;
const LOW_SURROGATE_END = 0xdfff;
const LOW_SURROGATE_START = 0xdc00;
const JOINER = '\u200d';

/**
 * The longest beginning of a text that has at most `maxLength` UTF-16 units and no half of a character. A joiner at the cut, which would
 * wait for the next part of an emoji, is left out too.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let end = Math.max(0, Math.floor(maxLength));
  const last = text.charCodeAt(end - 1);
  if (last >= HIGH_SURROGATE_START && last <= HIGH_SURROGATE_END) end -= 1;
  if (text[end - 1] === JOINER) end -= 1;
  return text.slice(0, Math.max(0, end));
}

/** The longest end of a text that has at most `maxLength` UTF-16 units and no half of a character. */
export function endOfText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  let start = text.length - Math.max(0, Math.floor(maxLength));
  const first = text.charCodeAt(start);
  if (first >= LOW_SURROGATE_START && first <= LOW_SURROGATE_END) start += 1;
  return text.slice(start);
}

/** A text of at most `maxLength` UTF-16 units: when it is longer, its beginning and an ellipsis. */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${cutText(text, maxLength - 1).trimEnd()}…`;
}
