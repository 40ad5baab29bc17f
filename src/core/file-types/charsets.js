// Charsets by their labels. Plain JavaScript, because worker threads load this file both from src (in tests) and from dist.
import iconv from 'iconv-lite';

// iconv-lite takes these for charsets.
const NO_CHARSETS = new Set(['base64', 'hex', 'internal']);
// Names that programs write, and that the Encoding Standard does not have.
const ALIASES = {
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  utf8sig: 'utf-8',
  cp65001: 'utf-8',
  cp932: 'shift_jis',
  eucjpms: 'euc-jp',
  xmswin1251: 'windows-1251',
};

/** The name of a charset by a label that a document or a server gives it; undefined for an unknown one. */
export function canonicalCharset(label) {
  const name = label.trim().toLowerCase();
  const plain = name.replaceAll(/[^a-z0-9]/g, '');
  const known = standardName(name) ?? standardName(ALIASES[plain] ?? plain);
  return known ?? (plain !== '' && !NO_CHARSETS.has(plain) && iconv.encodingExists(plain) ? plain : undefined);
}

/**
 * Decodes a text in parts. What is not valid in the charset becomes U+FFFD; a byte order mark is left out.
 *
 * @param charset from `canonicalCharset`
 */
export function decoderOf(charset) {
  // iconv-lite has the tables that other programs write with: those of Node.js lack characters of Windows.
  if (!/^(utf-8|utf-16.*|iso-2022-jp)$/.test(charset) && iconv.encodingExists(charset)) {
    const decoder = iconv.getDecoder(charset.replace('iso-8859-8-i', 'iso-8859-8'));
    return {
      write: (bytes) => decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
      end: () => decoder.end() ?? '',
    };
  }
  const decoder = new TextDecoder(charset);
  return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
}

function standardName(label) {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
