import { Module } from '@nestjs/common';
import { VaultModule } from '../../core/vault/index.js';
import { defineModule } from '../../core/modules/index.js';
import { OutboundModule } from '../../providers/outbound/index.js';
import { StorageModule } from '../../providers/storage/index.js';
import { AgentsModule } from '../agents/index.js';
import { MemoryModule } from '../memory/index.js';
import { KNOWLEDGE_AUDIT } from './knowledge.audit.js';
import { CharacterDocuments } from './character-documents.js';
import { DocumentReader } from './document-reader.js';
import { DocumentRemoval } from './document-removal.js';
import { DocumentsRepository } from './documents.repository.js';
import { Downloads } from './downloads.js';
import { KNOWLEDGE_ENTITIES } from './entities/index.js';
import { Ingestion } from './ingestion.js';
import { IngestionRunner } from './ingestion-runner.js';
import { KnowledgeController } from './knowledge.controller.js';
import { KNOWLEDGE_ERRORS } from './knowledge.error-codes.js';
import { KNOWLEDGE_EVENTS } from './knowledge.events.js';
import { KnowledgeService } from './knowledge.service.js';
import { KNOWLEDGE_SETTINGS } from './knowledge.settings.js';
import { Knowledge1795824008000 } from './migrations/1795824008000-knowledge.js';
import { DocumentLosses1796000008000 } from './migrations/1796000008000-document-losses.js';
import { PiecesRepository } from './pieces.repository.js';
import { ProgressStream } from './progress-stream.js';

@Module({
  imports: [AgentsModule, MemoryModule, OutboundModule, StorageModule, VaultModule],
  controllers: [KnowledgeController],
  providers: [
    CharacterDocuments,
    DocumentReader,
    DocumentRemoval,
    DocumentsRepository,
    Downloads,
    Ingestion,
    IngestionRunner,
    KnowledgeService,
    PiecesRepository,
    ProgressStream,
  ],
  exports: [DocumentReader, KnowledgeService],
})
export class KnowledgeModule {}

export const descriptor = defineModule({
  name: 'knowledge',
  about: 'Documents of agents, and their pieces.',
  module: KnowledgeModule,
  entities: KNOWLEDGE_ENTITIES,
  fileHashes: [{ table: 'documents', column: 'hash' }],
  migrations: [Knowledge1795824008000, DocumentLosses1796000008000],
  settings: KNOWLEDGE_SETTINGS,
  errors: KNOWLEDGE_ERRORS,
  events: KNOWLEDGE_EVENTS,
  audit: KNOWLEDGE_AUDIT,
  hooks: { agentLifecycle: [DocumentRemoval], queueOwners: [DocumentsRepository] },
  tags: [{ name: 'knowledge', about: 'Documents of agents.', paths: [/^\/api\/agents\/\{agentId\}\/knowledge/] }],
});
