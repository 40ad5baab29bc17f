const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const LAST_SPACE = 0x20;

/** Values of the body of any request; keys count too. */
export const MAX_VALUES = 100_000;
/** Values of the body of a request without a credential, where one is required. */
export const MAX_ANONYMOUS_VALUES = 10_000;

/**
 * Whether a text of JSON has more values than this in its lists and objects, at any depth. Keys count as values too. It is told before the
 * text is parsed, which takes much longer.
 */
export function hasMoreValues(json: string, most: number): boolean {
  // Each takes a character and a separator.
  if (json.length <= 2 * most) return false;
  let count = 0;
  let opened = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code <= LAST_SPACE) continue;
    if (code === OPEN_LIST || code === OPEN_OBJECT || code === COMMA || code === COLON) count += 1;
    else if (opened && (code === CLOSE_LIST || code === CLOSE_OBJECT)) count -= 1;
    else if (code === QUOTE) at = endOfText(json, at);
    opened = code === OPEN_LIST || code === OPEN_OBJECT;
    // An opened list or object may be empty.
    if (count > most + Number(opened)) return true;
  }
  return false;
}

/** The place of the quotation mark that ends a text; the end of the JSON when there is none. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return json.length;
}
