// Texts in code pages, which RTF names by their numbers.
import { canonicalCharset, decoderOf } from '../../../core/file-types/charsets.js';

const UTF_8 = 65_001;
/** Charsets whose names do not follow from the numbers of their code pages. */
const NAMES = new Map([
  ...[
    [874, 'windows-874'],
    [1200, 'utf-16le'],
    [10_000, 'macintosh'],
    [10_007, 'x-mac-cyrillic'],
    [20_866, 'koi8-r'],
    [21_866, 'koi8-u'],
    [54_936, 'gb18030'],
    [UTF_8, 'utf-8'],
  ],
  ...Array.from({ length: 15 }, (_, index) => [28_591 + index, `iso-8859-${index + 1}`]),
]);
const WESTERN = 'windows-1252';
/** Code pages by the numbers of character sets in the table of fonts. */
const CHARSETS = new Map(
  Object.entries({
    ...{ 0: 1252, 77: 10_000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257 },
    ...{ 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850 },
  }).map(([charset, page]) => [Number(charset), page]),
);
/** Code pages of which a character may have two bytes, with the first bytes of such characters. */
const LEADS = new Map([
  [932, (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc)],
  ...[936, 949, 950, 54_936].map((page) => [page, (byte) => byte >= 0x81 && byte <= 0xfe]),
]);
const charsets = new Map();

/** The code page of a character set; undefined for that of the document. */
export function codePageOf(charset) {
  return CHARSETS.get(charset);
}

/** The text of bytes in a code page; an unknown one is taken for the Western one. */
export function decodedIn(page, bytes) {
  let charset = charsets.get(page);
  if (charset === undefined) charsets.set(page, (charset = canonicalCharset(NAMES.get(page) ?? `cp${page}`) ?? WESTERN));
  const decoder = decoderOf(charset);
  return decoder.write(Uint8Array.from(bytes)) + decoder.end();
}

/** Whether bytes end within a character: its second byte may be written as a letter. */
export function endsInCharacter(page, bytes) {
  // A byte that goes on may follow.
  if (page === UTF_8) return (bytes.at(-1) ?? 0) >= 0x80;
  const isLead = LEADS.get(page);
  if (isLead === undefined) return false;
  let at = 0;
  while (at < bytes.length) at += isLead(bytes[at]) ? 2 : 1;
  return at > bytes.length;
}
