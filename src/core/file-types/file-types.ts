import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileTypeFromTokenizer } from 'file-type';
import { fromStream } from 'strtok3';
import { decoderOf } from './charsets.js';

/** A file whose content can be read, also in parts. */
export interface ReadableFile {
  /** Bytes. */
  readonly size: number;
  read(range?: { readonly start: number; readonly end: number }): Promise<Readable>;
}

const HEAD_BYTES = 4096;

/** The media type of a file by its first bytes; undefined when unknown, as for most text. */
export async function binaryType(file: ReadableFile): Promise<string | undefined> {
  const stream = await file.read();
  try {
    // Without the size, no MP3 is recognised whose tags are said to be longer than the file.
    const tokenizer = await fromStream(stream, { fileInfo: { size: file.size } });
    return (await fileTypeFromTokenizer(tokenizer))?.mime.split(';')[0];
  } finally {
    stream.destroy();
  }
}

/** Whether a file is text in UTF-8. */
export async function isText(file: ReadableFile): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of await file.read()) {
      const bytes = chunk as Buffer;
      // Text contains no control characters except tab, line feed, form feed, carriage return and escape.
      if (bytes.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27)) return false;
      decoder.decode(bytes, { stream: true });
    }
    decoder.decode();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false;
    throw error;
  }
}

/** The media type of a text file that begins with markup; undefined for other text. @param charset from `textCharset` */
export async function markupType(
  file: ReadableFile,
  charset = 'utf-8',
): Promise<'image/svg+xml' | 'text/html' | 'application/xml' | undefined> {
  const head = decoderOf(charset).write(await buffer(await file.read({ start: 0, end: HEAD_BYTES - 1 })));
  if (!/^\s*(<!--[^]*?-->\s*)?(<\?xml|<!doctype|<[a-z])/i.test(head)) return undefined;
  if (/<svg[\s>]/i.test(head)) return 'image/svg+xml';
  if (/<(!doctype html|html|head|body|script|iframe|style|meta|object|embed|form|img|a|div|p)[\s>/]/i.test(head)) return 'text/html';
  return /^\s*<\?xml/i.test(head) ? 'application/xml' : undefined;
}
