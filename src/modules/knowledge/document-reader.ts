import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { WorkerError, WorkerPool, type WorkerSession } from '../../core/workers/index.js';
import type { DocumentFormat, Loss, Piece } from './knowledge.types.js';

/** Time for a document before it has to wait for the reader of long ones, ms. */
const SHORT_MS = 5000;
/** Time for a long document, ms. */
const LONG_MS = 30_000;
const IDLE_MS = 10_000;
const HEAP_MIB = 384;
const MAX_QUEUED = 100;
const LIMITS = {
  /** Pages of a PDF. */
  pages: 3000,
  /** Characters of text. */
  characters: 5_000_000,
  pieces: 20_000,
  /** Expanded size of the parts of an archive that are read: DOCX, XLSX, PPTX, OpenDocument, EPUB. Bytes. */
  expandedBytes: 64 * 1024 * 1024,
};
/** A PDF with more is a long document. */
const SHORT_PAGES = 100;
/** Pieces of one response of the thread. */
const SLICE = 500;

/** What the codes of `DocumentFault` mean. */
const FAULTS: Readonly<Record<string, readonly [message: string, wayOut: string]>> = {
  TOO_MANY_PAGES: [`The document has more than ${LIMITS.pages} pages.`, 'Divide it.'],
  TOO_MUCH_TEXT: [`The document has more than ${LIMITS.characters} characters of text.`, 'Divide it.'],
  TOO_MANY_PIECES: [`The document has more than ${LIMITS.pieces} pieces.`, 'Divide it, or put more text below each heading.'],
  TOO_DEEP: ['The elements of the document are nested too deeply.', 'Save it in a simpler format.'],
  TOO_MANY_PARTS: ['The document is an archive of more than 10000 parts.', 'Divide it, or save it again without pictures.'],
  TOO_MUCH_MEMORY: ['The document expands to more than a reader may use.', 'Save it again without pictures, or divide it.'],
  ENCRYPTED: ['The document is protected by a password.', 'Save it without a password.'],
  COPY_PROTECTED: ['The book is protected against copying (DRM).', 'Use a copy without this protection.'],
  NO_TEXT: ['The document has no text.', 'A scanned document needs text recognition (OCR) first.'],
};

/**
 * Reads documents in worker threads, within limits of time, memory and size. A document that takes long gives up its place and is read again in
 * the thread of the long ones, so that a short document waits for a few seconds of each one before it and no more. Libraries are loaded on first
 * use.
 */
@Injectable()
export class DocumentReader implements OnModuleDestroy {
  private readonly short: WorkerPool;
  private readonly long: WorkerPool;

  constructor(clock: Clock) {
    const pool = (name: string, callMs: number): WorkerPool =>
      new WorkerPool({
        name,
        script: new URL('./readers/reader.worker.js', import.meta.url),
        maxThreads: 1,
        maxQueued: MAX_QUEUED,
        idleMs: IDLE_MS,
        callMs,
        heapMiB: HEAP_MIB,
        clock,
      });
    this.short = pool('document-reader', SHORT_MS);
    this.long = pool('long-document-reader', LONG_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.short.close(), this.long.close()]);
  }

  /**
   * The pieces of a document, in order and in slices; the same for the same bytes.
   *
   * @param losses receives what could not be read
   * @throws AppError DOCUMENT_UNREADABLE; errors of `load`; the signal's reason when it is aborted; WorkerError when the server stops
   */
  async *read(source: DocumentSource, losses: Loss[], signal: AbortSignal): AsyncGenerator<readonly Piece[], void, undefined> {
    let session: WorkerSession | undefined;
    try {
      const opened = await this.open(source, signal);
      session = opened.session;
      losses.push(...opened.losses);
      for (let from = 0; from < opened.pieces; from += SLICE) yield await session.call<Piece[]>({ from, count: SLICE });
    } catch (error) {
      throw error instanceof WorkerError ? unreadable(error) : error;
    } finally {
      session?.close();
    }
  }

  private async open(source: DocumentSource, signal: AbortSignal): Promise<Opened> {
    try {
      return await openIn(this.short, source, { ...LIMITS, pagesInTurn: SHORT_PAGES }, signal);
    } catch (error) {
      if (!(error instanceof WorkerError) || (error.kind !== 'slow' && error.code !== 'LONG')) throw error;
      return openIn(this.long, source, { ...LIMITS, pagesInTurn: LIMITS.pages }, signal);
    }
  }
}

/** A document that is to be read. */
export interface DocumentSource extends DocumentFormat {
  /** Reads the document when its turn has come, perhaps twice; the bytes are moved to the thread and empty afterwards. */
  readonly load: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** A document that a thread has read. */
interface Opened extends Summary {
  readonly session: WorkerSession;
}

/** What the thread says about a document that it has read. */
interface Summary {
  /** Number of its pieces. */
  readonly pieces: number;
  readonly losses: readonly Loss[];
}

async function openIn(pool: WorkerPool, source: DocumentSource, limits: object, signal: AbortSignal): Promise<Opened> {
  const { load, mediaType, charset } = source;
  const session = await pool.open(signal);
  try {
    const bytes = await load();
    return { session, ...(await session.call<Summary>({ bytes, mediaType, charset, limits }, [bytes.buffer])) };
  } catch (error) {
    session.close();
    throw error;
  }
}

function unreadable(error: WorkerError): Error {
  const of = ([message, wayOut]: readonly [string, string]): AppError => new AppError('DOCUMENT_UNREADABLE', message, wayOut, error);
  switch (error.kind) {
    case 'failed':
      return of(FAULTS[error.code ?? ''] ?? ['The document is damaged or not what its type says.', `The reader says: ${error.message}`]);
    case 'slow':
      return of([`The document was not read within ${LONG_MS / 1000} s.`, 'Divide it, or save it in a simpler format.']);
    case 'died':
      return of(['The document needs more memory than a reader may use.', 'Divide it, or save it in a simpler format.']);
    default:
      return error;
  }
}
