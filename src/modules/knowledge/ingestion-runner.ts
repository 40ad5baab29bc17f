import { Injectable } from '@nestjs/common';
import { isForeignKeyViolation, UnitOfWork, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { JobEnvironment, JobRunner, LeaseLost, type FailedEnd, type JobFailure, type Lease } from '../../core/queue/index.js';
import { DocumentsRepository } from './documents.repository.js';
import { Ingestion } from './ingestion.js';
import type { Document } from './knowledge.types.js';

// Some are downloaded and stored while others are read. One that waits for a reader has nothing in memory yet.
const CONCURRENCY = 8;
const RETRY = { attempts: 5, backoffMs: 5000 };
// A failure that says something about the document, which no further attempt changes.
const FINAL = new Set(['DOCUMENT_UNREADABLE', 'UNSUPPORTED_MEDIA_TYPE', 'VALIDATION_ERROR', 'MEDIA_NOT_FOUND']);

/** Ingests documents: each in steps that survive a crash, and agents in turn. */
@Injectable()
export class IngestionRunner extends JobRunner<{ readonly id: string }, Document> {
  constructor(
    environment: JobEnvironment,
    private readonly documents: DocumentsRepository,
    private readonly ingestion: Ingestion,
    private readonly unitOfWork: UnitOfWork,
  ) {
    super(environment, {
      table: documents.table,
      groupConcurrency: CONCURRENCY,
      retry: RETRY,
      keyOf: ({ id }) => [id],
      fieldsOf: ({ id }) => ({ documentId: id }),
      log: new Log('knowledge'),
      failure: 'a document could not be ingested',
    });
  }

  protected override find(now: number, _group: string, limit: number): ReturnType<DocumentsRepository['due']> {
    return this.documents.due(now, limit);
  }

  protected override claim({ id }: { readonly id: string }, { claim }: Lease): Promise<Document | undefined> {
    return this.documents.claim(id, claim());
  }

  protected override async process(document: Document, { owner, signal }: Lease): Promise<void> {
    await this.unitOfWork.commit([this.documents.updated(document, this.environment.clock.now())]);
    await this.ingestion.run(document, owner, signal);
    const { id, agentId, name, attempts } = document;
    this.log.info('document ingested', { documentId: id, agentId, name, attempt: attempts });
  }

  protected override failureOf(error: unknown): JobFailure | undefined {
    // The agent was deleted during the run.
    if (isForeignKeyViolation(error)) throw new LeaseLost();
    if (!(error instanceof AppError)) return undefined;
    if (error.code === 'DOCUMENT_UNAVAILABLE') return { error, retry: RETRY };
    return FINAL.has(error.code) ? { error } : undefined;
  }

  protected override crashed(): AppError {
    return new AppError('DOCUMENT_UNREADABLE', 'The process ended during each attempt to read the document.', 'Divide the document.');
  }

  protected override async onFailed(document: Document, { status, error, at }: FailedEnd): Promise<readonly Statement[]> {
    return [this.documents.updated({ ...document, status: status as Document['status'], error }, at)];
  }
}
