import { extname } from 'node:path';
import { AppError } from '../../core/errors/index.js';
import { binaryType, markupType, textCharset } from '../../core/file-types/index.js';
import type { ReceivedContent } from '../../providers/storage/index.js';
import type { DocumentFormat } from './knowledge.types.js';

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** What the sender of a document says about it. */
interface Declared {
  /** A media type in small letters, without parameters. */
  readonly type?: string;
  readonly charset?: string;
}

/** Types of documents, by the extensions of their names. */
const TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.txt': 'text/plain',
  '.text': 'text/plain',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.pdf': 'application/pdf',
  '.docx': DOCX,
};
const BINARY = new Set(['application/pdf', DOCX]);
const TEXT = new Set(['text/plain', 'text/markdown', 'text/html']);

/**
 * Detects the format of a document by its content. Only kinds of text are told apart by the name, or by the declared type when the name has
 * no extension.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE
 */
export async function detectFormat(
  content: ReceivedContent,
  name: string,
  { type = '', charset: given }: Declared = {},
): Promise<DocumentFormat> {
  const binary = await binaryType(content);
  if (binary !== undefined && BINARY.has(binary)) return { mediaType: binary, charset: null };
  const found = await textCharset(content, given);
  if (found === undefined) throw unsupported(`The content is ${binary ?? 'neither text nor of another type that is known'}.`);
  if ('unknown' in found) throw unsupported(`The text declares the charset "${found.unknown}", which is unknown; save it in UTF-8.`);
  const { charset, isDamaged } = found;
  const mediaType = await typeOfContent(content, charset, name, type);
  return { mediaType, charset: charset === 'utf-8' && !isDamaged ? null : charset };
}

/** The type of a text. */
async function typeOfContent(content: ReceivedContent, charset: string, name: string, declared: string): Promise<string> {
  const markup = await markupType(content, charset);
  if (markup === 'image/svg+xml' || markup === 'application/xml') throw unsupported(`The content is ${markup}.`);
  const extension = extname(name).toLowerCase();
  // A name such as "Chapter 2. The sea" has no extension.
  const declaredText = /^(application\/octet-stream)?$/.test(declared) ? 'text/plain' : declared;
  const named = /^\.[a-z0-9]{1,8}$/.test(extension) ? (TYPES[extension] ?? declared) : declaredText;
  if (markup === 'text/html' && named !== 'text/markdown') return markup;
  if (TEXT.has(named)) return named;
  throw unsupported(`The content is text, but ${extension === '' ? `is declared as ${declared}` : `its name ends in ${extension}`}.`);
}

/** The format of a text that was not sent as a file: Markdown, unless its name says plain text or HTML. */
export function formatOfText(name: string): DocumentFormat {
  const named = TYPES[extname(name).toLowerCase()] ?? '';
  return { mediaType: TEXT.has(named) ? named : 'text/markdown', charset: null };
}

function unsupported(details: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', 'file must be a Markdown, plain text, HTML, PDF or DOCX document', details + ACCEPTED);
}

const ACCEPTED = ' Accepted are .md, .txt, .html, .pdf and .docx.';
