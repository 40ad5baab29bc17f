const ENDS_OF_LINES = /[\u0085\u2028\u2029]/;
const ALL_ENDS_OF_LINES = new RegExp(ENDS_OF_LINES, 'g');

/**
 * JSON without a character at which a reader ends a line: JSON has U+0085, U+2028 and U+2029 as they are, and `splitlines` of Python, among
 * others, divides an event there. The value is the same.
 *
 * @param json on one line, as `JSON.stringify` writes it
 */
export function jsonLine(json: string): string {
  if (!ENDS_OF_LINES.test(json)) return json;
  return json.replace(ALL_ENDS_OF_LINES, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
