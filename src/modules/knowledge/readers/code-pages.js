// Texts in code pages, which files name by their numbers.

const UTF_8 = 65_001;
/** Encodings of code pages by their numbers. */
const LABELS = new Map([
  ...[
    [866, 'ibm866'],
    [874, 'windows-874'],
    [932, 'shift_jis'],
    [936, 'gbk'],
    [949, 'euc-kr'],
    [950, 'big5'],
    [1200, 'utf-16le'],
  ],
  ...[1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258].map((page) => [page, `windows-${page}`]),
  ...[
    [10_000, 'macintosh'],
    [10_007, 'x-mac-cyrillic'],
    [20_866, 'koi8-r'],
    [21_866, 'koi8-u'],
    [28_592, 'iso-8859-2'],
    [28_595, 'iso-8859-5'],
  ],
  ...[
    [54_936, 'gb18030'],
    [UTF_8, 'utf-8'],
  ],
]);
/** Code pages by the numbers of character sets in the table of fonts. */
const CHARSETS = new Map([
  ...[
    [0, 1252],
    [77, 10_000],
    [128, 932],
    [129, 949],
    [134, 936],
    [136, 950],
    [161, 1253],
    [162, 1254],
    [163, 1258],
    [177, 1255],
  ],
  ...[
    [178, 1256],
    [186, 1257],
    [204, 1251],
    [222, 874],
    [238, 1250],
    [254, 437],
    [255, 850],
  ],
]);
const LATIN_1 = String.fromCharCode(...Array.from({ length: 96 }, (_, index) => 0xa0 + index));
// Bytes 0x80 to 0xff of the code pages of DOS, which TextDecoder does not know, and of the Western one, which it takes for ISO 8859-1 in
// Node.js 20.
const UPPER = new Map([
  [1252, `€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ${LATIN_1}`],
  [
    437,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ],
  [
    850,
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ],
]);
/** Code pages of which a character may have two bytes, with the first bytes of such characters. */
const LEADS = new Map([
  [932, (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc)],
  ...[936, 949, 950, 54_936].map((page) => [page, (byte) => byte >= 0x81 && byte <= 0xfe]),
]);
const decoders = new Map();

/** The code page of a character set; undefined for that of the document. */
export function codePageOf(charset) {
  return CHARSETS.get(charset);
}

/** The text of bytes in a code page; an unknown one is taken for the Western one. */
export function decodedIn(page, bytes) {
  const upper = UPPER.get(LABELS.has(page) || UPPER.has(page) ? page : 1252);
  if (upper !== undefined) return Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : upper[byte - 0x80])).join('');
  if (!decoders.has(page)) decoders.set(page, new TextDecoder(LABELS.get(page)));
  return decoders.get(page).decode(Uint8Array.from(bytes));
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
