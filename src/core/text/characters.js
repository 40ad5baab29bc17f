// Plain JavaScript, because worker threads load this file both from src (in tests) and from dist.

/** Number of code points: each half of a surrogate pair that stands alone counts as one. */
export function characterCount(text) {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) !== 0xd800 || (text.charCodeAt(at + 1) & 0xfc00) !== 0xdc00) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

/** Whether a text has at most `max` characters, as `characterCount` counts them. */
export function hasAtMost(text, max) {
  return text.length <= max || (text.length <= 2 * max && characterCount(text) <= max);
}
