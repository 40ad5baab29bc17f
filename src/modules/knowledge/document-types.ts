import { extname } from 'node:path';
import { AppError } from '../../core/errors/index.js';
import { binaryType, isText, markupType } from '../../core/file-types/index.js';
import type { ReceivedContent } from '../../providers/storage/index.js';
import type { DocumentFormat } from './knowledge.types.js';

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

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
export async function detectFormat(content: ReceivedContent, name: string, declared = ''): Promise<DocumentFormat> {
  return { mediaType: await typeOf(content, name, declared), charset: null };
}

async function typeOf(content: ReceivedContent, name: string, declared: string): Promise<string> {
  const binary = await binaryType(content);
  if (binary !== undefined && BINARY.has(binary)) return binary;
  if (binary !== undefined && binary !== 'application/xml') throw unsupported(`The content is ${binary}.`);
  if (!(await isText(content))) throw unsupported('The content is neither text in UTF-8 nor of another type that is known.');
  const markup = await markupType(content);
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

const ACCEPTED = ' Accepted are .md, .txt, .html, .pdf and .docx; text must be in UTF-8.';
