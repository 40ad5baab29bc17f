import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { AppError } from '../../core/errors/index.js';
import { WorkerError, WorkerPool } from '../../core/workers/index.js';
import type { Piece } from './knowledge.types.js';

const CALL_MS = 120_000;
const IDLE_MS = 10_000;
const HEAP_MIB = 384;
const MAX_QUEUED = 100;
const LIMITS = {
  /** Pages of a PDF. */
  pages: 3000,
  /** Characters of text. */
  characters: 5_000_000,
  /** Expanded size of a DOCX, bytes. */
  expandedBytes: 64 * 1024 * 1024,
};

/** What the codes of `DocumentFault` mean. */
const FAULTS: Readonly<Record<string, readonly [message: string, wayOut: string]>> = {
  TOO_MANY_PAGES: [`The document has more than ${LIMITS.pages} pages.`, 'Divide it.'],
  TOO_MUCH_TEXT: [`The document has more than ${LIMITS.characters} characters of text.`, 'Divide it.'],
  TOO_MUCH_MEMORY: ['The document expands to more than a reader may use.', 'Save it again without pictures, or divide it.'],
  ENCRYPTED: ['The document is protected by a password.', 'Save it without a password.'],
  NO_TEXT: ['The document has no text.', 'A scanned document needs text recognition (OCR) first.'],
};

/** Reads documents in a worker thread, within limits of time, memory and size. Its libraries are loaded on first use. */
@Injectable()
export class DocumentReader implements OnModuleDestroy {
  private readonly pool: WorkerPool;

  constructor(clock: Clock) {
    this.pool = new WorkerPool({
      name: 'document-reader',
      script: new URL('./readers/reader.worker.js', import.meta.url),
      maxThreads: 1,
      maxQueued: MAX_QUEUED,
      idleMs: IDLE_MS,
      callMs: CALL_MS,
      heapMiB: HEAP_MIB,
      clock,
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.pool.close();
  }

  /**
   * The pieces of a document, in order; the same for the same bytes.
   *
   * @param bytes are moved to the thread and empty afterwards
   * @throws AppError DOCUMENT_UNREADABLE; the signal's reason when it is aborted; WorkerError when the server stops
   */
  async read(bytes: Uint8Array<ArrayBuffer>, mediaType: string, signal: AbortSignal): Promise<Piece[]> {
    try {
      return await this.pool.run<Piece[]>({ bytes, mediaType, limits: LIMITS }, { signal, transfer: [bytes.buffer] });
    } catch (error) {
      throw error instanceof WorkerError ? unreadable(error) : error;
    }
  }
}

function unreadable(error: WorkerError): Error {
  const of = ([message, wayOut]: readonly [string, string]): AppError => new AppError('DOCUMENT_UNREADABLE', message, wayOut, error);
  switch (error.kind) {
    case 'failed':
      return of(FAULTS[error.code ?? ''] ?? ['The document is damaged or not what its type says.', `The reader says: ${error.message}`]);
    case 'slow':
      return of([`The document was not read within ${CALL_MS / 1000} s.`, 'Divide it, or save it in a simpler format.']);
    case 'died':
      return of(['The document needs more memory than a reader may use.', 'Divide it, or save it in a simpler format.']);
    default:
      return error;
  }
}
