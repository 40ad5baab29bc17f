import { extname } from 'node:path';
import { AppError } from '../../core/errors/index.js';
import { binaryType, DOCUMENT_TYPES, documentTypeOf, markupType, textCharset, type ReadableFile } from '../../core/file-types/index.js';
import type { DocumentFormat } from './knowledge.types.js';

export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const ODT = 'application/vnd.oasis.opendocument.text';
const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
const ODP = 'application/vnd.oasis.opendocument.presentation';

/** What the sender of a document says about it. */
interface Declared {
  /** A media type in small letters, without parameters. */
  readonly type?: string;
  readonly charset?: string;
}

/** Formats that are no text, by the types that their content has: those with macros and templates are read like documents. */
const BINARY: ReadonlyMap<string, string> = new Map(
  ['application/pdf', 'application/rtf', 'application/epub+zip', DOCX, XLSX, PPTX, ODT, ODS, ODP].map((type) => [type, type]),
);
const VARIANTS: readonly (readonly [RegExp, string])[] = [
  [/^application\/vnd\.(ms-word\.|openxmlformats-officedocument\.wordprocessingml\.)/, DOCX],
  // The binary format of Excel is none of these.
  [/^application\/vnd\.(ms-excel\.(sheet|template)\.macroenabled|openxmlformats-officedocument\.spreadsheetml\.)/, XLSX],
  [
    /^application\/vnd\.(ms-powerpoint\.(presentation|template|slideshow)\.macroenabled|openxmlformats-officedocument\.presentationml\.)/,
    PPTX,
  ],
  [/^application\/vnd\.oasis\.opendocument\.text-/, ODT],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet-/, ODS],
  [/^application\/vnd\.oasis\.opendocument\.presentation-/, ODP],
];
/** Names of texts that hold markup and are read as what their names say. */
const WITH_MARKUP = new Set(['text/markdown', 'image/svg+xml', 'application/xml', 'text/x-source', 'text/x-log', 'message/rfc822']);

/**
 * Detects the format of a document by its content. Only kinds of text are told apart by the name, or by the declared type when the ending of
 * the name is unknown. Any other text is plain text.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE
 */
export async function detectFormat(
  content: ReadableFile,
  name: string,
  { type = '', charset: given }: Declared = {},
): Promise<DocumentFormat> {
  const binary = await binaryType(content);
  const named = documentTypeOf(name);
  const known = binary === undefined ? undefined : formatOf(binary);
  if (known !== undefined) return { mediaType: known, charset: null };
  // The first parts of an archive do not always tell the format.
  if (binary === 'application/zip' && named !== undefined && BINARY.has(named)) return { mediaType: named, charset: null };
  if (binary === 'application/x-cfb') throw oldOffice(named);
  const found = await textCharset(content, given);
  if (found === undefined) throw unsupported(`The content is ${binary ?? 'neither text nor of another type that is known'}.`);
  if ('unknown' in found) throw unsupported(`The text declares the charset "${found.unknown}", which is unknown; save it in UTF-8.`);
  if (named !== undefined && BINARY.has(named)) throw unsupported(`The content is text, but its name ends in ${extname(name)}.`);
  const { charset, isDamaged } = found;
  const mediaType = textTypeOf(await markupType(content, charset), named, type);
  return { mediaType, charset: charset === 'utf-8' && !isDamaged ? null : charset };
}

/** The type of a text, by its first characters, its name and its declared type. */
function textTypeOf(markup: string | undefined, named: string | undefined, declared: string): string {
  // A page from the web may have the name of a program: "index.php".
  if (markup === 'text/html' && declared === 'text/html' && named === 'text/x-source') return markup;
  const told = named ?? (isTextType(declared) ? declared : undefined);
  if (told !== undefined && (told === 'text/html' || WITH_MARKUP.has(told))) return told;
  if (markup === 'text/html') return markup;
  return markup === undefined ? (told ?? 'text/plain') : 'application/xml';
}

/** The format of a text that was not sent as a file: Markdown, unless its name says another kind of text. */
export function formatOfText(name: string): DocumentFormat {
  const named = documentTypeOf(name);
  return { mediaType: named !== undefined && isTextType(named) ? named : 'text/markdown', charset: null };
}

function formatOf(binary: string): string | undefined {
  return BINARY.get(binary) ?? VARIANTS.find(([pattern]) => pattern.test(binary))?.[1];
}

function isTextType(type: string): boolean {
  return DOCUMENT_TYPES.has(type) && !BINARY.has(type);
}

function oldOffice(named: string | undefined): AppError {
  return named !== undefined && BINARY.has(named)
    ? new AppError('UNSUPPORTED_MEDIA_TYPE', 'file is protected by a password', 'Save it without a password, and send it again.')
    : unsupported('The content is of the binary format of Office before 2007. Save it as .docx, .xlsx or .pptx, without a password.');
}

function unsupported(details: string): AppError {
  return new AppError('UNSUPPORTED_MEDIA_TYPE', 'file must be a document of a known format', details + ACCEPTED);
}

const ACCEPTED =
  ' Accepted are PDF, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), OpenDocument (.odt, .ods, .odp), RTF, EPUB, HTML, Markdown, CSV, JSON, ' +
  'XML and other text, such as source code and logs.';
