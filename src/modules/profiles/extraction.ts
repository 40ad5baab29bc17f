import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { UnitOfWork } from '../../core/database/index.js';
import { Log } from '../../core/logging/index.js';
import { Tracer } from '../../core/telemetry/index.js';
import { complete, ModelRegistry, type ChatModel, type ChatUsage } from '../../providers/models/index.js';
import { AgentsService } from '../agents/index.js';
import { UserFacts, type FactChanges, type UserStatement } from '../memory/index.js';
import { addUsage, NO_USAGE, usageOfCall, UsageService, type ModelUsage } from '../usage/index.js';
import { extractionMessages, parseExtraction, withinRequest, type ExtractionBatch } from './extraction-prompt.js';
import { ProfileJobsRepository, type ProfileJob } from './profile-jobs.repository.js';

const MAX_MESSAGES = 40;
const MAX_OUTPUT_TOKENS = 2000;
/** Requests for one batch, when responses are malformed. */
const MAX_REQUESTS = 2;

/** What the calls of one attempt cost, also those of one that fails. */
export interface Spent {
  usage: ModelUsage;
}

/** Extracts facts about a user from a batch of messages. */
@Injectable()
export class Extraction {
  private readonly log = new Log('profiles');

  constructor(
    private readonly agents: AgentsService,
    private readonly models: ModelRegistry,
    private readonly facts: UserFacts,
    private readonly jobs: ProfileJobsRepository,
    private readonly usage: UsageService,
    private readonly unitOfWork: UnitOfWork,
    private readonly tracer: Tracer,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Whether facts are extracted from what users tell an agent with this model. */
  isOnFor(agentId: string, model: Pick<ChatModel, 'provider'>): boolean {
    const { memoryExtraction } = this.config;
    return memoryExtraction === 'auto' && model.provider !== 'offline' && this.agents.setting(agentId, 'MEMORY_EXTRACTION') !== 'none';
  }

  /**
   * Reads the next messages of a claimed job, and stores what they change together with the end of the attempt.
   *
   * @param skip reads the messages without asking the model about them
   * @returns a function that stores the end
   * @throws AppError as `ModelRegistry.chat` and the model; the signal's reason
   */
  async run(job: ProfileJob, owner: string, signal: AbortSignal, spent: Spent, skip = false): Promise<() => Promise<void>> {
    const read = await this.facts.said(job, { seq: job.readSeq, at: job.readAt }, MAX_MESSAGES);
    const statements = withinRequest(read);
    const last = statements.at(-1);
    const end = {
      seq: Math.max(job.readSeq, ...statements.map(({ seq }) => seq)),
      at: last?.at ?? job.readAt,
      more: read.length === MAX_MESSAGES || statements.length < read.length,
    };
    const model = this.models.chat(this.agents.modelChoice(job.agentId));
    const asks = !skip && this.isOnFor(job.agentId, model) && statements.some(({ role }) => role === 'user');
    const changes = asks ? await this.changes(job, model, statements, signal, spent) : undefined;
    return () => this.store(job, owner, end, changes, spent.usage);
  }

  /** Statements that record what an attempt has cost. */
  recordUsage({ agentId, channelId, userId }: ProfileJob, usage: ModelUsage): ReturnType<UsageService['recordExtraction']>[] {
    return usage.calls === 0 ? [] : [this.usage.recordExtraction({ ...usage, agentId, channelId, userId, at: this.clock.now() })];
  }

  private async changes(
    job: ProfileJob,
    model: ChatModel,
    statements: readonly UserStatement[],
    signal: AbortSignal,
    spent: Spent,
  ): Promise<FactChanges | undefined> {
    const { agentId, channelId, userId } = job;
    const facts = (await this.facts.of(agentId, userId)).filter(({ validUntil }) => validUntil === null);
    const batch = { facts, statements };
    for (let request = 1; request <= MAX_REQUESTS; request += 1) {
      const changes = parseExtraction(await this.ask(job, model, batch, signal, spent), batch);
      if (changes) return { agentId, userId, channelId, ...changes };
    }
    this.log.warn('a model gave no facts in the expected form; these messages are skipped', { agentId, channelId, model: model.modelId });
    return undefined;
  }

  private async ask(
    { agentId, userId }: ProfileJob,
    model: ChatModel,
    batch: ExtractionBatch,
    signal: AbortSignal,
    spent: Spent,
  ): Promise<string> {
    const began = this.clock.now();
    let usage: ChatUsage = {};
    try {
      const request = {
        messages: extractionMessages(batch, began),
        grounding: { agentName: this.agents.find(agentId)?.name ?? '', facts: [], examples: [], memories: [] },
        caller: userId,
        temperature: 0,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
      };
      const response = await complete(model, request, { signal, tracer: this.tracer });
      ({ usage } = response);
      return response.text;
    } finally {
      spent.usage = addUsage(spent.usage, usageOfCall(model, usage, this.clock.now() - began));
    }
  }

  private async store(
    job: ProfileJob,
    owner: string,
    read: { readonly seq: number; readonly at: number; readonly more: boolean },
    changes: FactChanges | undefined,
    usage: ModelUsage,
  ): Promise<void> {
    await this.unitOfWork.run('store extracted facts', async (tx) => {
      const found = changes ? await this.facts.changesIn(tx, changes) : [];
      const end = await this.jobs.endIn(tx, job, owner, read, this.clock.now());
      await tx.apply([...end, ...found, ...this.recordUsage(job, usage)]);
    });
    if (changes && changes.add.length > 0) this.facts.notifyStored();
  }
}

export const nothingSpent = (): Spent => ({ usage: NO_USAGE });
