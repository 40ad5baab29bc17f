import { crc32, inflateSync } from 'node:zlib';

/** The texts of a picture that a character card may be in, and what is wrong with them. */
export interface PictureTexts {
  /** By keyword in lower case. */
  readonly texts: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const TEXT_KINDS = new Set(['tEXt', 'zTXt', 'iTXt']);
/** Bytes of a text after it is decompressed. */
const MAX_TEXT = 64 * 1024 * 1024;

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.equals(bytes.subarray(0, SIGNATURE.length));
}

/** The texts of a PNG or an APNG. Reads up to the first fault; a text with a wrong checksum is read, with a fault. */
export function pictureTexts(bytes: Buffer): PictureTexts {
  const texts = new Map<string, string>();
  const faults: string[] = [];
  let at = SIGNATURE.length;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 8 + length;
    if (end > bytes.length) {
      faults.push(`the picture is cut off at byte ${at}`);
      break;
    }
    if (TEXT_KINDS.has(kind)) {
      const isWhole = end + 4 <= bytes.length && bytes.readUInt32BE(end) === crc32(bytes.subarray(at + 4, end));
      if (!isWhole) faults.push(`the text at byte ${at} has a wrong checksum`);
      try {
        const [keyword, text] = textOf(kind, bytes.subarray(at + 8, end));
        texts.set(keyword.toLowerCase(), text);
      } catch {
        faults.push(`the text at byte ${at} cannot be decompressed`);
      }
    }
    if (kind === 'IEND') break;
    at = end + 4;
  }
  return { texts, faults };
}

function textOf(kind: string, data: Buffer): [keyword: string, text: string] {
  const [keyword, rest] = splitAtNul(data);
  const name = keyword.toString('latin1');
  if (kind === 'tEXt') return [name, rest.toString('latin1')];
  if (kind === 'zTXt') return [name, inflated(rest.subarray(1)).toString('latin1')];
  const isCompressed = rest[0] === 1;
  const [, afterLanguage] = splitAtNul(rest.subarray(2));
  const [, text] = splitAtNul(afterLanguage);
  return [name, (isCompressed ? inflated(text) : text).toString('utf8')];
}

function inflated(bytes: Buffer): Buffer {
  return inflateSync(bytes, { maxOutputLength: MAX_TEXT });
}

function splitAtNul(bytes: Buffer): [Buffer, Buffer] {
  const at = bytes.indexOf(0);
  return at === -1 ? [bytes, Buffer.alloc(0)] : [bytes.subarray(0, at), bytes.subarray(at + 1)];
}
