import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { UnitOfWork, type Statement } from '../../../core/database/index.js';
import { idForAgent } from '../../../core/ids/index.js';
import { Log } from '../../../core/logging/index.js';
import { JobEnvironment, JobRunner, LeaseLost, type Lease } from '../../../core/queue/index.js';
import { cutText } from '../../../core/text/index.js';
import { ModelRegistry } from '../../../providers/models/index.js';
import { AgentsService } from '../../agents/index.js';
import { ConversationMemory, ConversationSummaries, type SummaryKey, type SummaryRow } from '../../memory/index.js';
import { UsageService, type ModelUsage } from '../../usage/index.js';
import type { Turn } from '../turns.types.js';
import { SummaryWriter } from './summary-writer.js';

const CONCURRENCY = 2;

/** A summary to extend, with the model calls of this attempt. */
type Job = SummaryRow & { readonly used: ModelUsage[] };

/** Summarises what leaves the prompts of long conversations, one call of the agent's model at a time for each room. */
@Injectable()
export class SummaryRunner extends JobRunner<SummaryKey, Job> {
  constructor(
    environment: JobEnvironment,
    private readonly summaries: ConversationSummaries,
    private readonly memory: ConversationMemory,
    private readonly writer: SummaryWriter,
    private readonly models: ModelRegistry,
    private readonly agents: AgentsService,
    private readonly usage: UsageService,
    private readonly unitOfWork: UnitOfWork,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    super(environment, {
      table: summaries.table,
      groupConcurrency: CONCURRENCY,
      retry: { attempts: 5, backoffMs: 30_000 },
      keyOf: ({ roomId, agentId }) => [roomId, agentId],
      fieldsOf: ({ roomId, agentId }) => ({ roomId, agentId }),
      log: new Log('turns'),
      failure: 'a conversation could not be summarised',
    });
  }

  /** The statement that requests a summary up to a position, for the transaction that ends the turn and has stored the room. */
  request({ agentId, channelId, replyId, message }: Turn, untilSeq: number): Statement {
    const roomId = idForAgent(agentId, channelId);
    return this.summaries.request({ roomId, agentId, untilSeq, turnId: replyId, userId: message.authorId }, this.environment.clock.now());
  }

  protected override find(now: number, _group: string, limit: number): ReturnType<ConversationSummaries['due']> {
    return this.summaries.due(now, limit);
  }

  protected override async claim(key: SummaryKey, { claim }: Lease): Promise<Job | undefined> {
    const row = await this.summaries.claim(key, claim());
    return row && { ...row, used: [] };
  }

  /** Summarises the next messages. */
  protected override async process(job: Job, { owner, signal }: Lease): Promise<() => Promise<unknown>> {
    const { used } = job;
    const agent = this.agents.requireRunning(job.agentId);
    const model = this.models.chat(this.agents.modelChoice(agent.id));
    const messages = await this.summaries.unsummarised(job);
    // Summaries may have been turned off since the job became due, or the agent given the offline responder, which cannot summarise.
    const isOff = this.config.conversationSummary === 'none' || model.provider === 'offline';
    const batch = isOff ? [] : this.writer.batch(model, messages);
    const [first, last] = [batch[0], batch.at(-1)];
    if (!first || !last) return () => this.unitOfWork.commit([this.end(job, owner, 'done')]);
    const text = await this.writer.write(agent, model, job.text, batch, signal, (usage) => used.push(usage));
    const now = this.environment.clock.now();
    const made = {
      text,
      model: cutText(`${model.provider}/${model.modelId}`, 255),
      messages: job.messages + batch.length,
      fromSeq: job.text === null ? first.seq : job.fromSeq,
      throughSeq: last.seq,
      createdAt: now,
    };
    const end = batch.length === messages.length ? this.end(job, owner, 'done') : this.end(job, owner, 'pending', now);
    const spent = await this.record(job, used);
    return () => this.store(job, [end, this.summaries.store(job, made), ...spent]);
  }

  protected override onFailed(job: Job): Promise<readonly Statement[]> {
    return this.record(job, job.used);
  }

  private async store(job: Job, statements: readonly Statement[]): Promise<void> {
    try {
      await this.unitOfWork.commit(statements);
    } catch (error) {
      if (error instanceof LeaseLost) {
        // What the summary contains was changed meanwhile. The call was made nevertheless.
        // It may have been changed because a user was forgotten.
        const { userId } = (await this.summaries.find(job)) ?? job;
        await this.unitOfWork.commit(await this.record({ ...job, userId }, job.used));
      }
      throw error;
    }
  }

  private async record({ agentId, roomId, turnId, userId }: SummaryRow, used: readonly ModelUsage[]): Promise<Statement[]> {
    const channelId = used.length === 0 ? undefined : await this.memory.channelOf(agentId, roomId);
    if (channelId === undefined) return [];
    return used.map((usage) =>
      this.usage.record({ ...usage, kind: 'summary', turnId, agentId, channelId, userId, at: this.environment.clock.now() }),
    );
  }
}
