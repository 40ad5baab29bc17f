import { guessCharset } from './charset-detector.js';
import { canonicalCharset, decoderOf } from './charsets.js';
import { binaryType, type ReadableFile } from './file-types.js';

/** What the bytes of a file are as a text. */
export type TextCharset =
  /** `isDamaged` when few characters of it are not valid. */
  | { readonly charset: string; readonly isDamaged: boolean }
  /** It declares a charset that is unknown, and none fits. */
  | { readonly unknown: string };

/** What one reading of a file says about its bytes. */
interface Bytes {
  readonly head: Buffer;
  /** The part from the first byte that is not ASCII on. */
  readonly sample: Buffer;
  /** It has bytes that are control characters in every charset but those of 16 and 32 bits. */
  readonly hasControls: boolean;
  /** It has escape sequences of ISO-2022-JP. */
  readonly hasEscapes: boolean;
}

const HEAD_BYTES = 4096;
const SAMPLE_BYTES = 64 * 1024;
/** So many characters of several bytes are valid UTF-8 by chance in no other charset. */
const CERTAIN = 8;
/** A text in UTF-8 may have one invalid character to so many valid ones of several bytes. */
const VALID_PER_INVALID = 20;
/** A text with fewer bytes that are not ASCII is too short to tell Central European or Baltic charsets. */
const FEW_BYTES = 3;
const UNUSUAL_LATIN = new Set(['iso-8859-2', 'iso-8859-4', 'iso-8859-10', 'iso-8859-13', 'windows-1250', 'windows-1257']);
const OTHER_SCRIPTS = ['windows-1251', 'koi8-r', 'windows-1253', 'windows-1255', 'windows-1256'];
const MARKS: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf32le', [0xff, 0xfe, 0, 0]],
  ['utf32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
// Tab, line feed, form feed, carriage return and escape are text, and the mark of the end of a text in DOS.
const CONTROLS = /[\0-\x08\x0B\x0E-\x19\x1C-\x1F]/;
// No charset of several bytes to a character has these, and of the others only those that leave them undefined.
const UNDEFINED = /[\x80-\x84\x86-\x9F\p{Cn}\p{Co}]/u;

/**
 * Finds the charset of a text: by its mark, by what declares it, by its validity as UTF-8, by its zero bytes, or by what its bytes say.
 *
 * @param declared the charset that its sender declares; what the text itself declares comes after it
 * @returns undefined for a file that is no text in any of them
 */
export async function textCharset(file: ReadableFile, declared?: string): Promise<TextCharset | undefined> {
  const { head, sample, hasControls, hasEscapes } = await look(file);
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => head[index] === byte))?.[0];
  if (marked !== undefined) return fitting(file, [marked]);
  if (hasControls) return (await binaryType(file)) === undefined ? fitting(file, wideCharsets(head, declared)) : undefined;
  if (sample.length === 0 && !hasEscapes) return { charset: 'utf-8', isDamaged: false };
  const labels = [declared, declaredIn(head)].filter((label) => label !== undefined);
  const known = labels.map(canonicalCharset).filter((charset) => charset !== undefined && !/^(utf-?16|utf-?32|ucs2)/.test(charset));
  const utf8 = await validityAsUtf8(file);
  const isUtf8 = utf8.invalid === 0 && sample.length > 0;
  if (isUtf8 && (utf8.valid >= CERTAIN || known.every(hasOneByte))) return { charset: 'utf-8', isDamaged: false };
  const found = await fitting(file, known as string[]);
  if (found !== undefined) return found;
  if (isUtf8) return { charset: 'utf-8', isDamaged: false };
  if (utf8.valid > 0 && utf8.invalid * VALID_PER_INVALID <= utf8.valid) return { charset: 'utf-8', isDamaged: true };
  const unknown = labels.find((label) => canonicalCharset(label) === undefined);
  if (unknown !== undefined) return { unknown };
  if (hasEscapes && sample.length === 0) return (await fitting(file, ['iso-2022-jp'])) ?? { charset: 'utf-8', isDamaged: false };
  return fitting(file, [...(await guessesOf(sample)), 'windows-1252']);
}

async function guessesOf(sample: Buffer): Promise<string[]> {
  const guessed = await guessCharset(sample);
  const high = sample.filter((byte) => byte > 127).length;
  if (UNUSUAL_LATIN.has(guessed) && high < FEW_BYTES) return [];
  // The detector takes a few short words of other scripts for Latin, in which no word consists of accented letters alone.
  const isOther = guessed === 'windows-1252' && high >= FEW_BYTES && high > sample.toString('latin1').replaceAll(/[^a-z]/gi, '').length * 2;
  const other = isOther ? OTHER_SCRIPTS.find((charset) => hasNaturalWords(decoderOf(charset).write(sample))) : undefined;
  return [...(other === undefined ? [] : [other]), guessed];
}

/** Whether all words are written in small letters, in capitals, or with one capital at the beginning. */
function hasNaturalWords(text: string): boolean {
  return (text.match(/[^\s\p{P}\p{N}\p{Sc}]+/gu) ?? []).every((word) => /^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]*|\p{Lu}+)$/u.test(word));
}

async function look(file: ReadableFile): Promise<Bytes> {
  let head = Buffer.alloc(0);
  const sample: Buffer[] = [];
  let [sampled, hasControls, hasEscapes] = [0, false, false];
  for await (const chunk of await file.read()) {
    const bytes = chunk as Buffer;
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, bytes.subarray(0, HEAD_BYTES - head.length)]);
    const characters = bytes.toString('latin1');
    hasEscapes ||= /\x1B(?:\$|\(J)/.test(characters);
    hasControls ||= CONTROLS.test(characters);
    if (hasControls && head.length === HEAD_BYTES) break;
    const first = sampled > 0 ? 0 : characters.search(/[\x80-\xFF]/);
    if (first === -1 || sampled >= SAMPLE_BYTES) continue;
    sample.push(bytes.subarray(first, first + SAMPLE_BYTES - sampled));
    sampled += sample.at(-1)?.length ?? 0;
  }
  return { head, sample: Buffer.concat(sample), hasControls, hasEscapes };
}

/** Charsets of 16 and 32 bits in which a text without a mark may be; those of binary files fit none. */
function wideCharsets(head: Buffer, declared: string | undefined): string[] {
  const zeros = [0, 0];
  head.forEach((byte, index) => (zeros[index % 2]! += byte === 0 ? 1 : 0));
  const [even = 0, odd = 0] = zeros;
  const charset = declared === undefined ? undefined : canonicalCharset(declared);
  const isWide = charset !== undefined && /^(utf-?16|utf-?32|ucs2)/.test(charset);
  const order = even > odd ? ['utf-16be', 'utf-16le'] : ['utf-16le', 'utf-16be'];
  return [...(isWide ? [charset] : []), ...(even + odd > 0 || isWide ? order : [])];
}

/** The first of some charsets in which all of a file is text. */
async function fitting(file: ReadableFile, charsets: readonly string[]): Promise<TextCharset | undefined> {
  for (const charset of charsets) if (await fits(file, charset)) return { charset, isDamaged: false };
  return undefined;
}

async function fits(file: ReadableFile, charset: string): Promise<boolean> {
  const decoder = decoderOf(charset);
  const isText = (text: string): boolean =>
    !text.includes('\uFFFD') && !CONTROLS.test(text) && (charset === 'utf-8' || !UNDEFINED.test(text));
  for await (const chunk of await file.read()) if (!isText(decoder.write(chunk as Buffer))) return false;
  return isText(decoder.end());
}

/** Counts the characters of several bytes that are valid as UTF-8, and what is not. */
async function validityAsUtf8(file: ReadableFile): Promise<{ valid: number; invalid: number }> {
  const decoder = decoderOf('utf-8');
  let [several, replaced, written] = [0, 0, 0];
  let before = Buffer.alloc(0);
  const count = (text: string): void => {
    several += text.match(/[^\0-\x7F]/gu)?.length ?? 0;
    replaced += text.match(/\uFFFD/g)?.length ?? 0;
  };
  for await (const chunk of await file.read()) {
    count(decoder.write(chunk as Buffer));
    const bytes = Buffer.concat([before, chunk as Buffer]);
    written += occurrences(bytes, REPLACEMENT);
    before = bytes.subarray(Math.max(0, bytes.length - REPLACEMENT.length + 1));
  }
  count(decoder.end());
  return { valid: several - replaced + written, invalid: Math.max(0, replaced - written) };
}

/** U+FFFD itself, which an earlier program may have written. */
const REPLACEMENT = Buffer.from('\uFFFD');

function occurrences(bytes: Buffer, part: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** The charset that a page or an XML document declares in its head. */
function declaredIn(head: Buffer): string | undefined {
  const text = head.toString('latin1');
  const inXml = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]{1,60})["']/i.exec(text)?.[1];
  return /<meta\s[^>]{0,300}?charset\s*=\s*["']?\s*([^\s"'/>;]{1,60})/i.exec(text)?.[1] ?? inXml;
}

function hasOneByte(charset: string | undefined): boolean {
  return charset === undefined || charset === 'utf-8' || !/^(shift_jis|euc|gb|big5|iso-2022|cp9)/.test(charset);
}
