/** See charsets.js. */
export interface CharsetDecoder {
  write(bytes: Uint8Array): string;
  end(): string;
}
export function canonicalCharset(label: string): string | undefined;
export function decoderOf(charset: string): CharsetDecoder;
