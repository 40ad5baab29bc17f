import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, STORE, UnitOfWork, type Store } from '../../core/database/index.js';
import { AppError, errorBody } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { afterFailure, LeaseLost, Queue, type Lease } from '../../core/queue/index.js';
import { DocumentsRepository } from './documents.repository.js';
import { Ingestion } from './ingestion.js';
import type { Document } from './knowledge.types.js';

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
// Some are downloaded and stored while others are read. One that waits for a reader has nothing in memory yet.
const CONCURRENCY = 8;
const GROUP = 'documents';
const RETRY = { attempts: 5, backoffMs: 5000 };
// A failure that says something about the document, which no further attempt changes.
const FINAL = new Set(['DOCUMENT_UNREADABLE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR', 'MEDIA_NOT_FOUND', 'DOCUMENT_UNAVAILABLE']);

/** Ingests documents: each in steps that survive a crash, and agents in turn. */
@Injectable()
export class IngestionQueue implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queue: Queue<{ id: string }>;
  private readonly log = new Log('knowledge');

  constructor(
    private readonly documents: DocumentsRepository,
    private readonly ingestion: Ingestion,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(STORE) store: Store,
  ) {
    this.queue = new Queue<{ id: string }>(
      {
        table: documents.table,
        leaseMs: LEASE_MS,
        heartbeatMs: HEARTBEAT_MS,
        groupConcurrency: CONCURRENCY,
        groups: () => [GROUP],
        keyOf: ({ id }) => [id],
        groupOf: () => GROUP,
        compare: () => 0,
        find: (now, _group, limit) => documents.due(now, limit),
        run: ({ id }, lease) => this.run(id, lease),
        fieldsOf: ({ id }) => ({ documentId: id }),
        log: this.log,
      },
      clock,
      store,
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.queue.recover();
    this.queue.start();
  }

  /** Releases running ingestions, which the next process continues. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.drain(0);
  }

  /** Looks for due documents. Call it after each commit that makes one pending. */
  wake(): void {
    void this.queue.lookUp(GROUP);
  }

  private async run(id: string, { owner, signal, claim }: Lease): Promise<void> {
    const document = await this.documents.claim(id, claim());
    if (!document) return;
    try {
      if (document.attempts > RETRY.attempts) {
        throw new AppError('DOCUMENT_UNREADABLE', 'The process ended during each attempt to read the document.', 'Divide the document.');
      }
      await this.unitOfWork.commit([this.documents.updated(document, this.clock.now())]);
      await this.ingestion.run(document, owner, signal);
      this.log.info('document ingested', fieldsOf(document));
    } catch (error) {
      // The agent was deleted during the run.
      if (isForeignKeyViolation(error)) throw new LeaseLost();
      if (!(error instanceof AppError) || error instanceof LeaseLost || signal.aborted || !FINAL.has(error.code)) throw error;
      await this.fail(document, owner, error);
    }
  }

  private async fail(document: Document, owner: string, failure: AppError): Promise<void> {
    const now = this.clock.now();
    const next = failure.code === 'DOCUMENT_UNAVAILABLE' ? afterFailure(document.attempts, RETRY, now) : ({ status: 'dead' } as const);
    const error = JSON.stringify(errorBody(failure));
    const status = next.status === 'dead' ? 'failed' : 'pending';
    const dueAt = next.status === 'dead' ? null : next.dueAt;
    await this.queue.storeEnd(document, () =>
      this.unitOfWork.commit([
        this.documents.table.end([document.id], owner, status, now, { error, dueAt }),
        this.documents.updated({ ...document, status, error }, now),
      ]),
    );
    this.log.warn(dueAt === null ? 'a document could not be ingested' : 'a document could not be downloaded; it is tried again', {
      ...fieldsOf(document),
      error: failure.message,
    });
  }
}

function fieldsOf({ id, agentId, name, attempts }: Document): Record<string, unknown> {
  return { documentId: id, agentId, name, attempt: attempts };
}
