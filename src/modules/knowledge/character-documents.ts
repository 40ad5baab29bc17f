import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';
import { AppError } from '../../core/errors/index.js';
import { Log } from '../../core/logging/index.js';
import { endOfText } from '../../core/text/index.js';
import { FileStorage } from '../../providers/storage/index.js';
import { AgentsService, type KnowledgeFile } from '../agents/index.js';
import { DocumentRemoval } from './document-removal.js';
import { detectFormat } from './document-types.js';
import { DocumentsRepository } from './documents.repository.js';
import { isComplete, KnowledgeService } from './knowledge.service.js';
import type { Document } from './knowledge.types.js';

const MAX_NAME_LENGTH = 255;

/**
 * Keeps the documents of agents like the files that their characters name: at start, and after each change of an agent. A file is ingested
 * when its hash has changed; the document of a removed entry is deleted.
 */
@Injectable()
export class CharacterDocuments implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Log('knowledge');
  /** Agents whose files are to be compared, one after another. */
  private readonly waiting = new Set<string>();
  private working: Promise<void> | undefined;
  private stopping = false;

  constructor(
    private readonly knowledge: KnowledgeService,
    private readonly documents: DocumentsRepository,
    private readonly removal: DocumentRemoval,
    private readonly agents: AgentsService,
    private readonly storage: FileStorage,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    this.agents.onChange(({ after }) => {
      if (after) this.schedule(after.id);
    });
    for (const { id } of this.agents.list()) this.schedule(id);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.whenIdle();
  }

  /** Resolves when all files have been compared. */
  async whenIdle(): Promise<void> {
    while (this.working) await this.working;
  }

  private schedule(agentId: string): void {
    this.waiting.add(agentId);
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      // Scheduled after the last look at the set.
      for (const id of this.waiting) if (!this.stopping) this.schedule(id);
    });
  }

  private async work(): Promise<void> {
    for (const agentId of this.waiting) {
      if (this.stopping) return;
      this.waiting.delete(agentId);
      try {
        await this.compare(agentId);
      } catch (error) {
        if (this.agents.find(agentId)) this.log.error('the documents of a character could not be compared', error, { agentId });
      }
    }
  }

  private async compare(agentId: string): Promise<void> {
    const { files, unreadable } = await this.agents.knowledgeFiles(agentId);
    const known = await this.documents.ofCharacter(agentId);
    for (const file of files) {
      if (this.stopping) return;
      await this.compareFile(agentId, file, known.get(file.path));
      known.delete(file.path);
    }
    for (const [path, document] of known) {
      // A file or folder that is away for now loses nothing; its entry is still there.
      if (!unreadable.some((away) => path === away || path.startsWith(`${away}/`))) await this.removal.remove(document);
    }
  }

  private async compareFile(agentId: string, { path, realPath, size }: KnowledgeFile, known: Document | undefined): Promise<void> {
    try {
      if (size > this.config.uploadLimitBytes) {
        throw new AppError(
          'FILE_TOO_LARGE',
          `${path} must have at most ${this.config.uploadLimitBytes} bytes`,
          'Raise UPLOAD_LIMIT_BYTES.',
        );
      }
      if (known?.hash === (await hashOf(realPath)) && (known.status !== 'ready' || isComplete(known))) return;
      const content = await this.storage.receive(createReadStream(realPath));
      await this.knowledge.store(agentId, { source: 'character', location: path, name: endOfText(path, MAX_NAME_LENGTH) }, content, () =>
        detectFormat(content, path),
      );
    } catch (error) {
      const reason = error instanceof AppError ? `${error.message}: ${error.details}` : String(error);
      this.log.warn('knowledge was left out', { agentId, file: path, reason });
    }
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
