import { IsString } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { Check, encodeCursor, IfPresent, IsCount, IsFilledText, parseCursor, type ListPosition } from '../../core/http/index.js';
import { hasAtMost } from '../../core/text/index.js';
import { errorOf } from './documents.repository.js';
import type { GivenDocument } from './knowledge.service.js';
import type { Document, PiecePlace } from './knowledge.types.js';

const MAX_TEXT_LENGTH = 1_000_000;
const MAX_NAME_LENGTH = 200;
const MAX_URL_LENGTH = 2000;
const DEFAULT_LIMIT = 50;

function IsWebAddress(): PropertyDecorator {
  return Check(
    'isWebAddress',
    { type: 'string', format: 'uri', maxLength: MAX_URL_LENGTH },
    (value) =>
      typeof value === 'string' && hasAtMost(value, MAX_URL_LENGTH) && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    () => `$property must be an address that begins with http:// or https://, of at most ${MAX_URL_LENGTH} characters`,
  );
}

/** A document that is not a file: either `url`, or `text` with a `name`. */
export class DocumentBody {
  /** The address of a document: a page or any other format that is accepted as a file. */
  @IfPresent()
  @IsWebAddress()
  url?: string;

  /** Text in Markdown. */
  @IfPresent()
  @IsFilledText(MAX_TEXT_LENGTH)
  text?: string;

  /** Identifies the document among those of the agent; required with `text`. */
  @IfPresent()
  @IsFilledText(MAX_NAME_LENGTH)
  name?: string;
}

/** A form with a document. */
export class DocumentForm {
  /**
   * A file: PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, RTF, EPUB, HTML, Markdown, CSV, JSON, XML, or any other text. Its name identifies the
   * document.
   */
  file!: Uint8Array;
}

export class ListDocumentsQuery {
  /** Page size, 1 to 100. Defaults to 50. */
  @IfPresent()
  @IsCount(100)
  limit?: string;

  /** The `nextCursor` of the previous page. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

export class ReadDocumentQuery {
  /** Number of places, 1 to 100. Defaults to 50. */
  @IfPresent()
  @IsCount(100)
  limit?: string;

  /** The `nextCursor` of the previous page: the position of its last piece. */
  @IfPresent()
  @Check(
    'isPosition',
    { type: 'string', pattern: '^\\d{1,9}$' },
    (value) => typeof value === 'string' && /^\d{1,9}$/.test(value),
    () => '$property must be the nextCursor of an earlier page',
  )
  cursor?: string;
}

export class DocumentProgressView {
  /** Pieces that are stored. */
  done!: number;
  /** Pieces of the content; 0 until it has been read. */
  total!: number;
}

export class DocumentErrorView {
  code!: string;
  message!: string;
  details!: string;
}

/** Something in a document that its reader could not read. */
export class DocumentLossView {
  /** A noun in the plural. @example charts */
  what!: string;
  count!: number;
}

/** A document of an agent. */
export class DocumentView {
  /** @format uuid */
  id!: string;
  /** @example handbook.md */
  name!: string;
  source!: 'upload' | 'text' | 'url' | 'character';
  /** The address of a document from the web. @example https://example.com/handbook.html */
  url!: string | null;
  /** Null until a document from the web has been downloaded. @example text/markdown */
  mediaType!: string | null;
  /** The charset of a text; null for UTF-8, and for other documents. @example windows-1251 */
  charset!: string | null;
  /** Bytes; null until a document from the web has been downloaded. */
  size!: number | null;
  status!: 'pending' | 'processing' | 'ready' | 'failed';
  progress!: DocumentProgressView;
  /** Pieces that can be recalled; while a document is replaced, those of its previous content too. */
  pieces!: number;
  /** What could not be read of the document; empty until it has been read. */
  losses!: DocumentLossView[];
  /** Why the last attempt failed. */
  error!: DocumentErrorView | null;
  /** @format date-time */
  createdAt!: string;
  /** @format date-time */
  updatedAt!: string;
}

/** The place of a piece, whose text is the memory with its id. */
export class PieceView {
  /** Id of the memory. @format uuid */
  id!: string;
  /** From 0. */
  position!: number;
  /** The headings above the piece, outermost first; null without headings. */
  heading!: string | null;
  /** Page of a PDF, from 1. */
  page!: number | null;
}

/** A document with the places of its pieces. */
export class DocumentDetailsView extends DocumentView {
  places!: PieceView[];
  /** Absent on the last page of places. */
  nextCursor?: string;
}

/** A page of documents, newest first. */
export class DocumentsView {
  documents!: DocumentView[];
  /** Documents of the agent. */
  total!: number;
  /** Absent on the last page. */
  nextCursor?: string;
}

/** @throws AppError VALIDATION_ERROR unless exactly one kind of document is given */
export function toGivenDocument({ url, text, name }: DocumentBody, options: { named: boolean }): GivenDocument {
  if (url !== undefined && text === undefined) return { url };
  if (url !== undefined || text === undefined) {
    throw new AppError(
      'VALIDATION_ERROR',
      'url or text must be given, and not both',
      'Send { url }, or { text, name }, or a file as multipart/form-data.',
    );
  }
  if (options.named && name === undefined) {
    throw new AppError('VALIDATION_ERROR', 'name must be given with text', 'It identifies the document: the same name replaces it.');
  }
  return { text, name };
}

/** @throws AppError VALIDATION_ERROR for an invalid cursor */
export function toPage({ limit, cursor }: ListDocumentsQuery): { limit: number; before?: Required<ListPosition> } {
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), before: parseCursor('cursor', cursor) };
}

export function toPlaces({ limit, cursor }: ReadDocumentQuery): { limit: number; after: number } {
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), after: cursor === undefined ? -1 : Number(cursor) };
}

export function presentDocument(document: Document): DocumentView {
  const { id, name, source, location, mediaType, charset, size, status, done, total, pieces } = document;
  const { losses, error, createdAt, updatedAt } = document;
  return {
    ...{ id, name, source, url: source === 'url' ? location : null, mediaType, charset, size },
    // A removed document is not shown.
    status: status === 'running' || status === 'removed' ? 'processing' : status,
    progress: { done, total },
    pieces,
    losses: (losses ?? []).map(({ what, count }) => ({ what, count })),
    error: errorOf(error),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

export function presentDetails(document: Document, { places, more }: { places: PiecePlace[]; more: boolean }): DocumentDetailsView {
  const last = places.at(-1);
  return {
    ...presentDocument(document),
    places: places.map(({ memoryId, position, heading, page }) => ({
      id: memoryId,
      position,
      heading: heading === '' ? null : heading,
      page,
    })),
    ...(more && last ? { nextCursor: String(last.position) } : {}),
  };
}

export function presentDocuments({ documents, total, more }: { documents: Document[]; total: number; more: boolean }): DocumentsView {
  const last = documents.at(-1);
  return {
    documents: documents.map(presentDocument),
    total,
    ...(more && last ? { nextCursor: encodeCursor({ at: last.createdAt, id: last.id }) } : {}),
  };
}
