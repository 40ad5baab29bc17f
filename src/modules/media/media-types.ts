import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { AppError } from '../../core/errors/index.js';
import { binaryType, DOCUMENT_EXTENSIONS, isText, markupType } from '../../core/file-types/index.js';
import type { Upload } from '../../core/http/index.js';
import type { ReceivedContent } from '../../providers/storage/index.js';
import { detectFormat } from '../knowledge/index.js';

/** Kind of a file in the API. */
export type MediaKind = 'image' | 'video' | 'audio' | 'document';

interface KnownType {
  readonly kind: MediaKind;
  /** Of the file name in the URL, with its dot. */
  readonly extension: string;
  /** Whether a browser may display it inline, because it cannot run code. */
  readonly inline: boolean;
}

const known = (kind: MediaKind, extension: string, inline = true): KnownType => ({ kind, extension, inline });

/** The accepted media types besides those of documents, which the module `knowledge` knows, and documents that have more to say here. */
const TYPES: Readonly<Record<string, KnownType>> = {
  'image/jpeg': known('image', '.jpg'),
  'image/png': known('image', '.png'),
  'image/gif': known('image', '.gif'),
  'image/webp': known('image', '.webp'),
  'image/avif': known('image', '.avif'),
  'image/svg+xml': known('document', '.svg', false),
  'audio/mpeg': known('audio', '.mp3'),
  'audio/wav': known('audio', '.wav'),
  'audio/ogg': known('audio', '.ogg'),
  'audio/webm': known('audio', '.weba'),
  'audio/mp4': known('audio', '.m4a'),
  'audio/aac': known('audio', '.aac'),
  'audio/flac': known('audio', '.flac'),
  'video/mp4': known('video', '.mp4'),
  'video/webm': known('video', '.webm'),
  'video/ogg': known('video', '.ogv'),
  'application/pdf': known('document', '.pdf'),
  'application/json': known('document', '.json', false),
  'application/xml': known('document', '.xml', false),
  'text/plain': known('document', '.txt'),
  'text/markdown': known('document', '.md', false),
  'text/csv': known('document', '.csv', false),
  'text/html': known('document', '.html', false),
};

/** Pictures of phones. They are converted to JPEG (`HeicConverter`). */
export const HEIC = 'image/heic';
const HEIC_EXTENSIONS = ['.heic', '.heif'];

const DOCUMENT = known('document', '', false);
/** Texts that a model reads best as they were written. */
const PLAIN_TEXT = new Set([
  ...[
    'text/plain',
    'text/markdown',
    'text/csv',
    'text/tab-separated-values',
    'text/x-source',
    'text/x-log',
    'text/calendar',
    'text/vcard',
    'text/vtt',
  ],
  ...[
    'application/json',
    'application/x-ndjson',
    'application/yaml',
    'application/toml',
    'application/xml',
    'application/x-subrip',
    'image/svg+xml',
  ],
]);

/** Aliases that the type detection returns. */
const ALIASES: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
  'image/heif': HEIC,
  'image/heic-sequence': HEIC,
  'image/heif-sequence': HEIC,
  'audio/vnd.wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/x-m4a': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'video/x-m4v': 'video/mp4',
  'video/quicktime': 'video/mp4',
};

const TEXT_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.markdown': 'text/markdown',
  '.csv': 'text/csv',
  '.json': 'application/json',
};

const MAX_JSON_BYTES = 5_000_000;

/** What an upload may be. @param hasHeic whether HEIC pictures can be converted */
export function acceptedTypes(hasHeic: boolean): { mediaTypes: string[]; extensions: string[] } {
  const extensions = new Set([...Object.values(TYPES).map(({ extension }) => extension), '.jpeg', ...DOCUMENT_EXTENSIONS]);
  return {
    mediaTypes: [...Object.keys(TYPES), ...(hasHeic ? [HEIC] : [])],
    extensions: [...extensions, ...(hasHeic ? HEIC_EXTENSIONS : [])],
  };
}

/** The properties of the type of a stored file. */
export function mediaTypeOf(mimeType: string): KnownType {
  return TYPES[mimeType] ?? DOCUMENT;
}

/** The extension of a stored file: that of its type, or that of its name for a document whose type has none here. */
export function extensionOf(mimeType: string, originalName: string): string {
  const { extension } = mediaTypeOf(mimeType);
  if (extension !== '') return extension;
  const named = extname(originalName).toLowerCase();
  return DOCUMENT_EXTENSIONS.includes(named) ? named : '';
}

/** Whether a file is text that needs no reader. */
export function isPlainText(mimeType: string): boolean {
  return PLAIN_TEXT.has(mimeType);
}

/**
 * Detects the media type of a file from its content. The name only distinguishes kinds of text, and the declared type only audio from video
 * in the same container.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for a type that is not accepted or contradicts the declared type
 */
export async function detectType({ content, originalName, declaredType }: Upload<ReceivedContent>): Promise<string> {
  const declared = familyOf(declaredType);
  const mimeType = await typeOf(content, originalName, declaredType);
  // Documents are declared in many ways, also by the programs that open them.
  const fits = mimeType in TYPES || mimeType === HEIC ? [familyOf(mimeType), 'any'] : ['text', 'other', 'any'];
  if (fits.includes(declared)) return asAudioContainer(mimeType, declaredType);
  throw unsupported(
    declared === 'other'
      ? `The file is declared as ${declaredType}, which is not accepted.`
      : `The file is declared as ${declaredType}, but its content is ${mimeType}.`,
  );
}

async function typeOf(content: ReceivedContent, name: string, declaredType: string): Promise<string> {
  const found = await binaryType(content);
  const binary = found !== undefined && found !== 'application/xml';
  const mimeType = binary ? (ALIASES[found] ?? found) : await textType(content, name);
  if (mimeType !== undefined && (mimeType in TYPES || mimeType === HEIC)) return mimeType;
  try {
    return (await detectFormat(content, name, { type: declaredType })).mediaType;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'UNSUPPORTED_MEDIA_TYPE') throw error;
    throw unsupported(
      mimeType === undefined ? 'The type of its content is unknown.' : `Its content is ${mimeType}, which is not accepted.`,
    );
  }
}

function unsupported(details: string): AppError {
  return new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'file must be an image, audio, video or document of an accepted type',
    `${details} Accepted types: ${Object.keys(TYPES).join(', ')}, and documents that end in ${DOCUMENT_EXTENSIONS.join(', ')}.`,
  );
}

type Family = 'image' | 'sound' | 'pdf' | 'text' | 'any' | 'other';

function familyOf(mimeType: string): Family {
  if (mimeType === '' || mimeType === 'application/octet-stream') return 'any';
  if (mimeType === 'application/pdf') return 'pdf';
  if (/^image\/svg/.test(mimeType)) return 'text';
  if (/^image\//.test(mimeType)) return 'image';
  if (/^(audio|video)\//.test(mimeType) || mimeType === 'application/ogg') return 'sound';
  // Browsers declare CSV files by the program that opens them.
  if (/^text\/|^application\/((.*\+)?(json|xml)|csv|vnd\.ms-excel|(x-)?(yaml|javascript|markdown))$/.test(mimeType)) return 'text';
  return 'other';
}

/** Containers of audio and video recordings look the same, so the declared type decides. */
function asAudioContainer(mimeType: string, declared: string): string {
  const container = /^(?:audio|video)\/(webm|mp4|ogg)$/.exec(mimeType)?.[1];
  if (container === undefined) return mimeType;
  const sound = /^audio\//.test(declared) ? `audio/${container}` : mimeType;
  return sound in TYPES ? sound : mimeType;
}

/** The kind of text of a file; undefined for binary content. */
async function textType(content: ReceivedContent, name: string): Promise<string | undefined> {
  if (!(await isText(content))) return undefined;
  const markup = await markupType(content);
  if (markup) return markup;
  const named = TEXT_BY_EXTENSION[extname(name).toLowerCase()] ?? 'text/plain';
  return named === 'application/json' && !(await isJson(content)) ? 'text/plain' : named;
}

async function isJson(content: ReceivedContent): Promise<boolean> {
  if (content.size > MAX_JSON_BYTES) return true;
  try {
    // Unlike `text`, this keeps a byte order mark, which is not JSON.
    JSON.parse((await buffer(await content.read())).toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
