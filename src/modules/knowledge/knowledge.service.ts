import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { isForeignKeyViolation, UnitOfWork } from '../../core/database/index.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import type { ListPosition, Upload } from '../../core/http/index.js';
import { InstallationIds } from '../../core/ids/index.js';
import { Contents, FileStorage, type ReceivedContent } from '../../providers/storage/index.js';
import { AgentsService } from '../agents/index.js';
import { documentEntry } from './document-entry.js';
import { placeOf } from './document-place.js';
import { DocumentRemoval } from './document-removal.js';
import { DocumentsRepository } from './documents.repository.js';
import { detectFormat, formatOfText } from './document-types.js';
import { nameFromUrl } from './downloads.js';
import { IngestionRunner } from './ingestion-runner.js';
import type { Document, DocumentColumns, DocumentContent, DocumentFormat, DocumentKey, Passage, PiecePlace } from './knowledge.types.js';
import { PiecesRepository } from './pieces.repository.js';

/** A document from a request: a file, a text, or the address of one. */
export type GivenDocument =
  { readonly upload: Upload<ReceivedContent> } | { readonly text: string; readonly name?: string } | { readonly url: string };

/** The documents of agents. A document is identified by its name, a document from the web by its address. */
@Injectable()
export class KnowledgeService {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly pieces: PiecesRepository,
    private readonly removal: DocumentRemoval,
    private readonly queue: IngestionRunner,
    private readonly agents: AgentsService,
    private readonly storage: FileStorage,
    private readonly contents: Contents,
    private readonly ids: InstallationIds,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    contents.register((hashes) => documents.hashesInUse(hashes));
  }

  /**
   * Adds a document, or replaces the one with the same name or address; it is ingested later. The same content changes nothing, unless its
   * ingestion failed. A document from the web is downloaded again.
   *
   * @throws AppError AGENT_NOT_FOUND, DOCUMENT_LIMIT_REACHED, UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR; CONFLICT while the document is
   *   being deleted
   */
  async add(agentId: string, given: GivenDocument): Promise<Document> {
    this.agents.require(agentId);
    if ('url' in given) return this.addFromWeb(agentId, given.url);
    return this.addContent(agentId, 'upload' in given ? given.upload.originalName : (given.name ?? ''), given);
  }

  /**
   * Replaces the content of a document and keeps its name. Pieces that have not changed stay as they are.
   *
   * @throws AppError as `add`, and DOCUMENT_NOT_FOUND; CONFLICT for a document of the character; VALIDATION_ERROR for another address
   */
  async replace(agentId: string, id: string, given: GivenDocument): Promise<Document> {
    try {
      const document = await this.requireOwn(agentId, id);
      if ('url' in given !== (document.source === 'url') || ('url' in given && normalized(given.url) !== document.location)) {
        const [message, wayOut] =
          document.source === 'url'
            ? [`url must be the address of the document`, `That is ${document.location ?? ''}. Add another document for another address.`]
            : ['url must be absent', 'The document is a file or a text; add another document for an address.'];
        throw new AppError('VALIDATION_ERROR', message, wayOut);
      }
      if ('url' in given) return await this.addFromWeb(agentId, given.url);
      return await this.addContent(agentId, document.name, given);
    } finally {
      if ('upload' in given) await given.upload.content.discard();
    }
  }

  /**
   * Stores a content as a document and has it ingested; the content is kept or discarded.
   *
   * @param formatOf detects the format
   * @throws AppError as `add`
   */
  async store(
    agentId: string,
    key: DocumentKey,
    content: ReceivedContent,
    formatOf: () => Promise<DocumentFormat> | DocumentFormat,
  ): Promise<Document> {
    try {
      const stored = { hash: content.hash, size: content.size, ...(await formatOf()) };
      const { before, document } = await this.contents.keep(
        content,
        () => this.put(agentId, key, stored),
        ({ document: { id } }) => this.unitOfWork.commit([this.documents.setFailed(id, errorBody(lost()))]),
      );
      if (before?.hash && before.hash !== stored.hash) await this.contents.removeUnused([before.hash]);
      return document;
    } catch (error) {
      await this.contents.removeUnused([content.hash]);
      throw error;
    } finally {
      await content.discard();
    }
  }

  /** The newest first. @throws AppError AGENT_NOT_FOUND */
  async list(
    agentId: string,
    limit: number,
    before?: Required<ListPosition>,
  ): Promise<{ documents: Document[]; total: number; more: boolean }> {
    this.agents.require(agentId);
    const [found, total] = await Promise.all([this.documents.list(agentId, limit + 1, before), this.documents.count(agentId)]);
    return { documents: found.slice(0, limit), total, more: found.length > limit };
  }

  /** @throws AppError DOCUMENT_NOT_FOUND, also for a document of another agent */
  async require(agentId: string, id: string): Promise<Document> {
    const document = await this.documents.find(agentId, id);
    if (!document) throw new AppError('DOCUMENT_NOT_FOUND', `The agent has no document ${id}.`, 'List the documents of the agent.');
    return document;
  }

  /** The places of a document's pieces, in order. @param after the position before the first one, -1 for all */
  async places({ id }: Document, after: number, limit: number): Promise<{ places: PiecePlace[]; more: boolean }> {
    const found = await this.pieces.places(id, after, limit + 1);
    return { places: found.slice(0, limit), more: found.length > limit };
  }

  /**
   * Deletes a document with its pieces.
   *
   * @throws AppError DOCUMENT_NOT_FOUND; CONFLICT for a document of the character
   */
  async delete(agentId: string, id: string): Promise<void> {
    await this.removal.remove(await this.requireOwn(agentId, id));
  }

  /**
   * The sources of recalled memories, by memory id. Memories that are not pieces of a document of the agent are left out.
   *
   * @param memoryIds at most a few hundred
   */
  async passages(agentId: string, memoryIds: readonly string[]): Promise<Map<string, Passage>> {
    if (memoryIds.length === 0) return new Map();
    const found = await this.pieces.passages(agentId, memoryIds);
    return new Map(found.map((passage) => [passage.memoryId, { ...passage, place: placeOf(passage) }]));
  }

  private async requireOwn(agentId: string, id: string): Promise<Document> {
    const document = await this.require(agentId, id);
    if (document.source !== 'character') return document;
    throw new AppError(
      'CONFLICT',
      `The document ${document.name} belongs to the character.`,
      "Change the file, or the entry in the character's knowledge.",
    );
  }

  private async addFromWeb(agentId: string, url: string): Promise<Document> {
    const location = normalized(url);
    const { before, document } = await this.put(agentId, { source: 'url', location, name: nameFromUrl(location) }, undefined);
    if (before?.hash && document.hash === null) await this.contents.removeUnused([before.hash]);
    return document;
  }

  /** Commits the row of a document. @param content undefined for a document that has to be downloaded */
  private async put(
    agentId: string,
    key: DocumentKey,
    content: DocumentContent | undefined,
  ): Promise<{ before: Document | undefined; document: Document }> {
    const { source, location, name } = key;
    const identity = location === null ? ['name', name] : [source, location];
    const id = this.ids.of('document', [agentId, ...identity]);
    const now = this.clock.now();
    try {
      const result = await this.unitOfWork.run('store document', async (tx) => {
        const before = await this.documents.findIn(tx, id);
        if (before && isCurrent(before, content)) return { before, document: before };
        const { knowledgeDocumentLimit: limit } = this.config;
        if (!before && (await this.documents.countIn(tx, agentId)) >= limit) {
          throw new AppError(
            'DOCUMENT_LIMIT_REACHED',
            `The agent has ${limit} documents.`,
            'Delete some, or raise KNOWLEDGE_DOCUMENT_LIMIT.',
          );
        }
        const { hash = null, size = null, mediaType = null, charset = null } = content ?? {};
        const state = {
          status: 'pending',
          attempts: 0,
          dueAt: now,
          leaseOwner: null,
          error: null,
          losses: null,
          done: 0,
          total: 0,
        } as const;
        const kept = { ingestedHash: before?.ingestedHash ?? null, createdAt: before?.createdAt ?? now, updatedAt: now };
        const row: DocumentColumns = { id, agentId, name, source, location, hash, size, mediaType, charset, ...state, ...kept };
        await tx.apply([
          this.documents.put(row),
          this.documents.updated(row, now),
          ...(source === 'character' ? [] : [documentEntry(before ? 'document.replaced' : 'document.added', row, now)]),
        ]);
        return { before, document: { ...row, pieces: before?.pieces ?? 0 } };
      });
      this.queue.wake();
      return result;
    } catch (error) {
      if (isForeignKeyViolation(error)) this.agents.require(agentId);
      throw error;
    }
  }

  private async addContent(agentId: string, name: string, given: Exclude<GivenDocument, { url: string }>): Promise<Document> {
    const key = { location: null, name };
    if ('upload' in given) {
      const { content, originalName, declaredType: type, declaredCharset: charset } = given.upload;
      return this.store(agentId, { ...key, source: 'upload' }, content, () => detectFormat(content, originalName, { type, charset }));
    }
    const content = await this.storage.receive(Buffer.from(given.text));
    return this.store(agentId, { ...key, source: 'text' }, content, () => formatOfText(name));
  }
}

/** Whether a document has this content already, or is about to have it. */
function isCurrent(document: Document, content: DocumentContent | undefined): boolean {
  const { status, hash, mediaType, charset } = document;
  if (content === undefined) return isUnderWay(status) && hash === null;
  const isSame = hash === content.hash && mediaType === content.mediaType && charset === content.charset;
  return isSame && (isUnderWay(status) || isComplete(document));
}

function isUnderWay(status: Document['status']): boolean {
  return status === 'pending' || status === 'running';
}

/** Whether all pieces of a document are stored; they are memories, which may be deleted one by one. */
export function isComplete({ status, hash, ingestedHash, pieces, total }: Document): boolean {
  return status === 'ready' && ingestedHash === hash && pieces === total;
}

function normalized(url: string): string {
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

function lost(): AppError {
  return new AppError('STORAGE_UNAVAILABLE', 'The file could not be stored.', 'Send it again.');
}
