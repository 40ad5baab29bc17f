import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { Log } from '../../core/logging/index.js';
import { Contents } from '../../providers/storage/index.js';
import type { AgentLifecycleHook } from '../agents/index.js';
import { KnowledgeMemories } from '../memory/index.js';
import { documentEntry } from './document-entry.js';
import { DocumentsRepository } from './documents.repository.js';
import type { Document } from './knowledge.types.js';
import { PiecesRepository } from './pieces.repository.js';

const BATCH = 200;

/** Deletes documents: first from view, then their pieces in transactions of bounded size. The next start completes what a crash interrupts. */
@Injectable()
export class DocumentRemoval implements AgentLifecycleHook, OnApplicationBootstrap {
  private readonly log = new Log('knowledge');

  constructor(
    private readonly documents: DocumentsRepository,
    private readonly pieces: PiecesRepository,
    private readonly memories: KnowledgeMemories,
    private readonly contents: Contents,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.completeRemovals().catch((error: unknown) => this.log.error('deleting documents failed; the next start retries it', error));
  }

  /** Deletes a document with its pieces and its content. */
  async remove(document: Document): Promise<void> {
    const now = this.clock.now();
    await this.unitOfWork.commit([
      this.documents.remove(document.id, now),
      this.documents.updated({ ...document, status: 'removed', error: null }, now),
      ...(document.source === 'character' ? [] : [documentEntry('document.deleted', document, now)]),
    ]);
    await this.complete(document);
  }

  /** The pieces are memories, which the memory module deletes. */
  async purgeAgent(agentId: string): Promise<void> {
    const hashes = await this.documents.hashesOf(agentId);
    await this.unitOfWork.commit([this.documents.deleteAll(agentId)]);
    await this.contents.removeUnused(hashes);
  }

  private async completeRemovals(): Promise<void> {
    for (const document of await this.documents.removed()) await this.complete(document);
  }

  private async complete({ id, agentId, hash }: Document): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH;) {
      const ids = await this.pieces.someIds(id, BATCH);
      await this.unitOfWork.commit(this.memories.delete(agentId, ids));
      deleted = ids.length;
    }
    await this.unitOfWork.commit([this.documents.delete(id)]);
    if (hash !== null) await this.contents.removeUnused([hash]);
  }
}
