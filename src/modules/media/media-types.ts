import { open, stat, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileTypeFromFile } from 'file-type';
import { AppError } from '../../core/errors/index.js';

/** What clients call a file's sort. */
export type MediaKind = 'image' | 'video' | 'audio' | 'document';

interface KnownType {
  readonly kind: MediaKind;
  readonly extension: string;
  /** Whether a browser may show it in place: nothing in it runs. */
  readonly inline: boolean;
  /** Whether its bytes are text that can be given to a language model. */
  readonly readable: boolean;
}

const known = (kind: MediaKind, extension: string, rest: { inline?: boolean; readable?: boolean } = {}): KnownType => ({
  kind,
  extension,
  inline: rest.inline ?? true,
  readable: rest.readable ?? false,
});

/** The types that are kept; everything else is refused. */
const TYPES: Readonly<Record<string, KnownType>> = {
  'image/jpeg': known('image', 'jpg'),
  'image/png': known('image', 'png'),
  'image/gif': known('image', 'gif'),
  'image/webp': known('image', 'webp'),
  'image/avif': known('image', 'avif'),
  'image/svg+xml': known('document', 'svg', { inline: false }),
  'audio/mpeg': known('audio', 'mp3'),
  'audio/wav': known('audio', 'wav'),
  'audio/ogg': known('audio', 'ogg'),
  'audio/webm': known('audio', 'weba'),
  'audio/mp4': known('audio', 'm4a'),
  'audio/aac': known('audio', 'aac'),
  'audio/flac': known('audio', 'flac'),
  'video/mp4': known('video', 'mp4'),
  'video/webm': known('video', 'webm'),
  'video/ogg': known('video', 'ogv'),
  'application/pdf': known('document', 'pdf'),
  'application/json': known('document', 'json', { inline: false, readable: true }),
  'application/xml': known('document', 'xml', { inline: false }),
  'text/plain': known('document', 'txt', { readable: true }),
  'text/markdown': known('document', 'md', { inline: false, readable: true }),
  'text/csv': known('document', 'csv', { inline: false, readable: true }),
  'text/html': known('document', 'html', { inline: false }),
};

/** Names of the same types in what tells a content's type. */
const SAME: Readonly<Record<string, string>> = {
  'image/apng': 'image/png',
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

const HEAD_BYTES = 4096;
const LARGEST_JSON_BYTES = 5_000_000;

/** @throws Error for a type that is none of those which are kept */
export function typeOf(mimeType: string): KnownType {
  const type = TYPES[mimeType];
  if (!type) throw new Error(`${mimeType} is no media type that is kept`);
  return type;
}

/**
 * The media type of a file, by what is in it. The name only tells apart the kinds of text, and what its sender declared only whether
 * a container holds sound or pictures.
 *
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for a type that is not kept, or one of another family than the sender declared
 */
export async function detectType(file: { path: string; originalName: string; declaredType: string }): Promise<string> {
  const { declaredType } = file;
  const declared = familyOf(declaredType);
  if (declared === 'other') throw unsupported(`The file is declared as ${declaredType}, which is not kept.`);
  const found = (await fileTypeFromFile(file.path))?.mime.split(';')[0];
  const binary = found !== undefined && found !== 'application/xml';
  const mimeType = binary ? (SAME[found] ?? found) : await textType(file);
  if (mimeType === undefined || !(mimeType in TYPES)) {
    throw unsupported(
      mimeType === undefined ? 'Its content is neither text nor of a known type.' : `Its content is ${mimeType}, which is not kept.`,
    );
  }
  if (declared !== 'any' && declared !== familyOf(mimeType)) {
    throw unsupported(`The file is declared as ${declaredType}, and its content is ${mimeType}.`);
  }
  return withoutPictures(mimeType, declaredType);
}

function unsupported(details: string): AppError {
  return new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'file must be an image, sound, video, PDF or text of a type that is kept',
    `${details} Kept are ${Object.keys(TYPES).join(', ')}.`,
  );
}

type Family = 'image' | 'sound' | 'pdf' | 'text' | 'any' | 'other';

function familyOf(mimeType: string): Family {
  if (mimeType === '' || mimeType === 'application/octet-stream') return 'any';
  if (mimeType === 'application/pdf') return 'pdf';
  if (/^image\/svg/.test(mimeType)) return 'text';
  if (/^image\//.test(mimeType)) return 'image';
  if (/^(audio|video)\//.test(mimeType) || mimeType === 'application/ogg') return 'sound';
  // Browsers name CSV files after the program that opens them.
  if (/^text\/|^application\/((.*\+)?(json|xml)|csv|vnd\.ms-excel|(x-)?(yaml|javascript|markdown))$/.test(mimeType)) return 'text';
  return 'other';
}

/** The containers of recorders look alike with and without pictures. */
function withoutPictures(mimeType: string, declared: string): string {
  const container = /^(?:audio|video)\/(webm|mp4|ogg)$/.exec(mimeType)?.[1];
  if (container === undefined) return mimeType;
  const sound = /^audio\//.test(declared) ? `audio/${container}` : mimeType;
  return sound in TYPES ? sound : mimeType;
}

/** Which kind of text a file is; undefined when it is none. */
async function textType({ path, originalName }: { path: string; originalName: string }): Promise<string | undefined> {
  if (!(await isText(path))) return undefined;
  const head = await readHead(path);
  if (/^\s*(<!--[^]*?-->\s*)?(<\?xml|<!doctype|<[a-z])/i.test(head)) {
    if (/<svg[\s>]/i.test(head)) return 'image/svg+xml';
    if (/<(!doctype html|html|head|body|script|iframe|style|meta|object|embed|form|img|a|div|p)[\s>/]/i.test(head)) return 'text/html';
    if (/^\s*<\?xml/i.test(head)) return 'application/xml';
  }
  const named = TEXT_BY_EXTENSION[extname(originalName).toLowerCase()] ?? 'text/plain';
  return named === 'application/json' && !(await isJson(path)) ? 'text/plain' : named;
}

async function isText(path: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const file = await open(path);
  try {
    for await (const chunk of file.createReadStream({ autoClose: false })) {
      const bytes = chunk as Buffer;
      // Control characters other than tab, line feed, form feed, carriage return and escape are no text.
      if (bytes.some((byte) => byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27)) return false;
      decoder.decode(bytes, { stream: true });
    }
    decoder.decode();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false;
    throw error;
  } finally {
    await file.close();
  }
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  } finally {
    await file.close();
  }
}

async function isJson(path: string): Promise<boolean> {
  if ((await stat(path)).size > LARGEST_JSON_BYTES) return true;
  try {
    JSON.parse(await readFile(path, 'utf8'));
    return true;
  } catch {
    return false;
  }
}
