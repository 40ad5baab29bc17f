import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, yieldToEventLoop } from '../../core/clock/index.js';
import { UnitOfWork, type Statement } from '../../core/database/index.js';
import { InstallationIds } from '../../core/ids/index.js';
import { Contents, FileStorage } from '../../providers/storage/index.js';
import { KnowledgeMemories } from '../memory/index.js';
import { DocumentReader } from './document-reader.js';
import { DocumentsRepository } from './documents.repository.js';
import { Downloads } from './downloads.js';
import type { Document, DocumentContent, Loss, Piece, PiecePlace } from './knowledge.types.js';
import { PiecesRepository } from './pieces.repository.js';

/** Pieces per commit. */
const BATCH = 50;

type Placed = Piece & PiecePlace;

/**
 * Stores the pieces of a document as memories. Ids of pieces follow from document and text, so that an attempt continues where the one
 * before ended, and a replaced document keeps the pieces that have not changed.
 */
@Injectable()
export class Ingestion {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly pieces: PiecesRepository,
    private readonly memories: KnowledgeMemories,
    private readonly reader: DocumentReader,
    private readonly downloads: Downloads,
    private readonly storage: FileStorage,
    private readonly contents: Contents,
    private readonly ids: InstallationIds,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Ingests a claimed document and ends its job.
   *
   * @throws AppError LeaseLost when the document was replaced or deleted; the errors of `Downloads.fetch` and `DocumentReader.read`; the
   *   signal's reason when it is aborted
   */
  async run(claimed: Document, owner: string, signal: AbortSignal): Promise<void> {
    const held = this.documents.table.assertHeld([claimed.id], owner);
    const content = await this.contentOf(claimed, held, signal);
    const document = { ...claimed, ...content };
    const losses: Loss[] = [];
    const source = { ...content, load: () => this.bytesOf(content) };
    const placed = await this.place(document.id, this.reader.read(source, losses, signal));
    const before = await this.pieces.ofDocument(document.id);
    const missing = placed.filter(({ memoryId }) => !before.has(memoryId));
    let done = placed.length - missing.length;
    for (const batch of batchesOf(missing)) {
      signal.throwIfAborted();
      done += batch.length;
      await this.commit(document, held, { done, total: placed.length }, [
        ...this.memories.insert(
          document.agentId,
          batch.map((piece) => this.memoryOf(document, piece)),
        ),
        ...batch.map(({ memoryId, position, heading, page }) =>
          this.pieces.insert({ memoryId, documentId: document.id, position, heading, page }),
        ),
      ]);
      this.memories.notifyStored();
    }
    const progress = { done, total: placed.length };
    for (const batch of batchesOf(placed.filter((piece) => isMoved(piece, before.get(piece.memoryId))))) {
      signal.throwIfAborted();
      await this.commit(document, held, progress, [
        ...batch.map((piece) => this.memories.describe(document.agentId, this.memoryOf(document, piece))),
        ...batch.map((piece) => this.pieces.move(piece)),
      ]);
    }
    const current = new Set(placed.map(({ memoryId }) => memoryId));
    for (const batch of batchesOf([...before.keys()].filter((id) => !current.has(id)))) {
      signal.throwIfAborted();
      await this.commit(document, held, progress, this.memories.delete(document.agentId, batch));
    }
    const now = this.clock.now();
    await this.unitOfWork.commit([
      this.documents.setProgress(document.id, done, placed.length, now),
      this.documents.setIngested(document.id, content.hash, losses),
      this.documents.table.end([document.id], owner, 'ready', now),
      this.documents.updated({ ...document, status: 'ready', ...progress, error: null }, now),
    ]);
  }

  /** The content of a document; one from the web is downloaded first, and then kept for further attempts. */
  private async contentOf(
    { id, hash, size, mediaType, charset, location }: Document,
    held: Statement,
    signal: AbortSignal,
  ): Promise<DocumentContent> {
    if (hash !== null) return { hash, size: size ?? 0, mediaType: mediaType ?? '', charset };
    const { content, format } = await this.downloads.fetch(location ?? '', signal);
    const downloaded = { hash: content.hash, size: content.size, ...format };
    try {
      await this.contents.keep(
        content,
        () => this.unitOfWork.commit([held, this.documents.setContent(id, downloaded)]),
        () => Promise.resolve(),
      );
    } finally {
      await content.discard();
    }
    return downloaded;
  }

  private async bytesOf({ hash, size }: DocumentContent): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(size);
    let at = 0;
    for await (const chunk of (await this.storage.read(hash)) as AsyncIterable<Uint8Array>) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  }

  private async place(documentId: string, slices: AsyncIterable<readonly Piece[]>): Promise<Placed[]> {
    const occurrences = new Map<string, number>();
    const placed: Placed[] = [];
    for await (const pieces of slices) {
      for (const piece of pieces) {
        const hash = createHash('sha256').update(textOf(piece)).digest('hex');
        const occurrence = occurrences.get(hash) ?? 0;
        occurrences.set(hash, occurrence + 1);
        const memoryId = this.ids.of('document piece', [documentId, hash, String(occurrence)]);
        placed.push({ ...piece, position: placed.length, memoryId });
      }
      // Several messages of a thread arrive in one iteration of the event loop.
      await yieldToEventLoop();
    }
    return placed;
  }

  private memoryOf(
    { id: documentId, name, source, location }: Document,
    piece: Placed,
  ): Parameters<KnowledgeMemories['insert']>[1][number] {
    const { memoryId, position, heading, page } = piece;
    const place = { documentId, position, heading, page, name, source: source === 'url' ? location : source };
    return { id: memoryId, text: textOf(piece), metadata: { type: 'fragment', ...place } };
  }

  private async commit(
    document: Document,
    held: Statement,
    progress: { done: number; total: number },
    statements: Statement[],
  ): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.commit([
      held,
      ...statements,
      this.documents.setProgress(document.id, progress.done, progress.total, now),
      this.documents.updated({ ...document, status: 'running', ...progress, error: null }, now),
    ]);
    await yieldToEventLoop();
  }
}

/** The text of a piece as it is remembered: below its headings, whose words a search has to find too. */
function textOf({ heading, text }: Piece): string {
  return heading === '' ? text : `${heading}\n\n${text}`;
}

function isMoved({ position, heading, page }: Placed, before: PiecePlace | undefined): boolean {
  return before !== undefined && (before.position !== position || before.heading !== heading || before.page !== page);
}

function* batchesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += BATCH) yield all.slice(at, at + BATCH);
}
