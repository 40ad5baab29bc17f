import JSON5 from 'json5';

/** Reading comments and trailing commas takes several times as long as plain JSON. */
const MAX_WRITTEN_BY_HAND = 10_000_000;
const MAX_DEPTH = 200;

/** A text is no JSON. The message is the end of a sentence about the file, and never quotes the text, which may hold a secret. */
export class JsonTextError extends Error {}

/** The text of a file in UTF-8, or in UTF-16 with or without a byte order mark. @throws JsonTextError */
export function decodeText(bytes: Uint8Array): string {
  for (const encoding of encodingsOf(bytes)) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // The next encoding.
    }
  }
  throw new JsonTextError('is not text in UTF-8 or UTF-16');
}

/**
 * The value of a JSON text. Comments, trailing commas, unquoted keys and single quotes (JSON5) are accepted too.
 *
 * @throws JsonTextError that names the line
 */
export function parseJsonText(text: string): unknown {
  const value = parsed(text);
  assertDepth(value);
  return value;
}

/** Refuses what functions that call themselves for each level cannot walk through. @throws JsonTextError */
export function assertDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw new JsonTextError(`has lists and objects more than ${MAX_DEPTH} levels deep`);
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? (Object.values(each) as unknown[]) : []));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (text.length > MAX_WRITTEN_BY_HAND) throw new JsonTextError('is not JSON');
  }
  if (text.trim() === '') throw new JsonTextError('is empty');
  try {
    return JSON5.parse(text);
  } catch (error) {
    const { lineNumber } = error as { lineNumber?: number };
    throw new JsonTextError(lineNumber === undefined ? 'is not JSON' : `is not JSON (line ${lineNumber})`);
  }
}

function encodingsOf([first, second]: Uint8Array): string[] {
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  if (first === 0xfe && second === 0xff) return ['utf-16be'];
  // JSON begins with an ASCII character, whose other byte is zero in UTF-16.
  if (second === 0) return ['utf-16le'];
  return first === 0 ? ['utf-16be'] : ['utf-8'];
}
