import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { AppError } from '../errors/index.js';

const CHARSET = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i;
const NEEDS_READING = /[%+\x80-\xff]/;
const REPLACEMENT = '\ufffd';
/** What windows-1252, and so ISO-8859-1 on the web, has at 0x80 to 0x9f. The decoder of some releases of Node.js has control characters there. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes bytes of one charset. @throws AppError INVALID_JSON for bytes that are no text in it, with the type `charset.invalid` */
export type TextReader = (bytes: Buffer) => string;

/**
 * The reader of a body's text, by the charset in its Content-Type: UTF-8 without one.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE naming a charset that is unknown
 */
export function textReader(contentType: string): TextReader {
  const [, ...named] = CHARSET.exec(contentType) ?? [];
  const charset =
    named
      .find((name) => name !== undefined)
      ?.trim()
      .toLowerCase() ?? '';
  if (charset === '' || charset === 'utf-8' || charset === 'utf8') return utf8Text;
  // The encoding standard of the web has it as little-endian always.
  if (charset === 'utf-16') return (bytes) => decoded(bytes, bytes[0] === 0xfe || bytes[0] === 0 ? 'utf-16be' : 'utf-16le', charset);
  const { encoding } = decoderOf(charset);
  if (encoding === 'utf-8') return utf8Text;
  if (encoding === 'windows-1252') return windows1252Text;
  return (bytes) => decoded(bytes, encoding, charset);
}

/** The fields of a form, in `application/x-www-form-urlencoded`; a name with several values has a list. @throws as `TextReader` */
export function formFields(bytes: Buffer, read: TextReader): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  // Percent signs stand for bytes, in whatever charset.
  for (const pair of bytes.toString('latin1').split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = unescaped(equals < 0 ? pair : pair.substring(0, equals), read);
    const value = equals < 0 ? '' : unescaped(pair.substring(equals + 1), read);
    const before = fields[name];
    if (Array.isArray(before)) before.push(value);
    else fields[name] = before === undefined ? value : [before, value];
  }
  return fields;
}

/** A text without the byte order mark at its beginning. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.substring(1) : text;
}

function utf8Text(bytes: Buffer): string {
  const text = bytes.toString();
  if (!isUtf8(bytes)) {
    const at = firstInvalid(bytes, text);
    const hex = bytes[at]?.toString(16).padStart(2, '0') ?? '';
    throw undecodable(`The request body is not valid UTF-8: byte ${at}${hex === '' ? '' : ` (0x${hex})`} belongs to no character.`);
  }
  return text;
}

/** Position of the first byte that is not UTF-8. The sender may have meant U+FFFD, which its own three bytes show. */
function firstInvalid(bytes: Buffer, text: string): number {
  let position = 0;
  let from = 0;
  for (let at = text.indexOf(REPLACEMENT); at >= 0; at = text.indexOf(REPLACEMENT, from)) {
    position += Buffer.byteLength(text.substring(from, at));
    if (bytes.toString('hex', position, position + 3) !== 'efbfbd') return position;
    position += 3;
    from = at + 1;
  }
  return position;
}

function windows1252Text(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (letter) => WINDOWS_1252.charAt(letter.charCodeAt(0) - 0x80));
}

function decoded(bytes: Buffer, encoding: string, charset: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw undecodable(`The request body is not valid ${charset}, which its Content-Type names.`);
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', `The charset "${charset}" of the request body is unknown.`, 'Send the body in UTF-8.');
  }
}

function undecodable(message: string): AppError {
  const details = 'Send the body in UTF-8, or name its charset in Content-Type, such as "application/json; charset=windows-1252".';
  // Only bodies in JSON have errors with a code: those of plugin routes have the message alone.
  return Object.assign(new AppError('INVALID_JSON', message, details), { type: 'charset.invalid' });
}

/** A name or value of a form. A percent sign without two hexadecimal digits stands for itself. @param part a letter for each byte */
function unescaped(part: string, read: TextReader): string {
  if (!NEEDS_READING.test(part)) return part;
  const bytes = part.replaceAll('+', ' ').replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return read(Buffer.from(bytes, 'latin1'));
}
