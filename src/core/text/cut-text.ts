import { hasAtMost } from './characters.js';

const HIGH_SURROGATE_END = 0xdbff;
const HIGH_SURROGATE_START = 0xd800;
const LOW_SURROGATE_END = 0xdfff;
const LOW_SURROGATE_START = 0xdc00;
const JOINER = '\u200d';
/** UTF-16 units around a cut that are looked at. */
const NEARBY = 64;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

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

/**
 * The longest beginning of a text that has at most `max` characters and no part of what is seen as one, such as a flag or a letter with its
 * accents. For texts that people see; `cutText` is cheaper.
 */
export function firstCharacters(text: string, max: number): string {
  if (hasAtMost(text, max)) return text;
  let end = 0;
  for (let left = Math.max(0, Math.floor(max)); left > 0; left -= 1) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  const from = Math.max(0, end - NEARBY);
  const { index = 0 } = GRAPHEMES.segment(text.slice(from, end + NEARBY)).containing(end - from) ?? {};
  // One that is longer than all that may stay is cut within.
  return index === 0 ? cutText(text, end) : text.slice(0, from + index);
}

/** A text of at most `max` characters: when it is longer, its beginning and an ellipsis. */
export function shortened(text: string, max: number): string {
  return hasAtMost(text, max) ? text : `${firstCharacters(text, max - 1).trimEnd()}…`;
}
