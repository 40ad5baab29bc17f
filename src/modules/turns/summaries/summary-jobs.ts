import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { isStorageFault, STORE, UnitOfWork, type Statement, type Store } from '../../../core/database/index.js';
import { AppError, errorBody } from '../../../core/errors/index.js';
import { Log } from '../../../core/logging/index.js';
import { afterFailure, LeaseLost, Queue, type Lease } from '../../../core/queue/index.js';
import { ModelRegistry } from '../../../providers/models/index.js';
import { AgentsService } from '../../agents/index.js';
import { ConversationMemory, ConversationSummaries, type SummaryKey, type SummaryRow } from '../../memory/index.js';
import { idForAgent } from '../../../core/ids/index.js';
import { cutText } from '../../../core/text/index.js';
import { UsageService, type ModelUsage } from '../../usage/index.js';
import type { Turn } from '../turns.types.js';
import { SummaryWriter } from './summary-writer.js';

const LEASE_MS = 30_000;
const HEARTBEAT_MS = 10_000;
const CONCURRENCY = 2;
const GROUP = 'summaries';
const RETRY = { attempts: 5, backoffMs: 30_000 };

/** Summarises what leaves the prompts of long conversations, one call of the agent's model at a time for each room. */
@Injectable()
export class SummaryJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly queue: Queue<SummaryKey>;
  private readonly log = new Log('turns');

  constructor(
    private readonly summaries: ConversationSummaries,
    private readonly memory: ConversationMemory,
    private readonly writer: SummaryWriter,
    private readonly models: ModelRegistry,
    private readonly agents: AgentsService,
    private readonly usage: UsageService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(STORE) store: Store,
  ) {
    this.queue = new Queue<SummaryKey>(
      {
        table: summaries.table,
        leaseMs: LEASE_MS,
        heartbeatMs: HEARTBEAT_MS,
        groupConcurrency: CONCURRENCY,
        groups: () => [GROUP],
        keyOf,
        groupOf: () => GROUP,
        compare: () => 0,
        find: (now, _group, limit) => summaries.due(now, limit),
        run: (job, lease) => this.run(job, lease),
        fieldsOf: ({ roomId, agentId }) => ({ roomId, agentId }),
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

  /** Releases running jobs, which the next process repeats. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.queue.drain(0);
  }

  /** The statement that requests a summary up to a position, for the transaction that ends the turn and has stored the room. */
  request({ agentId, channelId, replyId, message }: Turn, untilSeq: number): Statement {
    const roomId = idForAgent(agentId, channelId);
    return this.summaries.request({ roomId, agentId, untilSeq, turnId: replyId, userId: message.authorId }, this.clock.now());
  }

  /** Looks for due jobs. Call it after each commit that requests a summary. */
  wake(): void {
    void this.queue.lookUp(GROUP);
  }

  private async run(key: SummaryKey, { owner, signal, claim }: Lease): Promise<void> {
    const job = await this.summaries.claim(key, claim());
    if (!job) return;
    const used: ModelUsage[] = [];
    try {
      await this.queue.storeEnd(key, await this.extend(job, owner, signal, used));
    } catch (error) {
      if (isStorageFault(error) || signal.aborted) throw error;
      if (error instanceof LeaseLost) {
        // What the summary contains was changed meanwhile. The call was made nevertheless.
        // It may have been changed because a user was forgotten.
        const { userId } = (await this.summaries.find(key)) ?? job;
        await this.unitOfWork.commit(await this.record({ ...job, userId }, used));
        throw error;
      }
      await this.fail(job, owner, error, used);
    }
  }

  /** Summarises the next messages. @returns stores the summary and ends the attempt */
  private async extend(job: SummaryRow, owner: string, signal: AbortSignal, used: ModelUsage[]): Promise<() => Promise<unknown>> {
    const agent = this.agents.requireRunning(job.agentId);
    const model = this.models.chat(this.agents.modelChoice(agent.id));
    const messages = await this.summaries.unsummarised(job);
    const end = (status: 'pending' | 'done'): Statement =>
      this.summaries.table.end(keyOf(job), owner, status, this.clock.now(), { dueAt: status === 'done' ? null : this.clock.now() });
    // Summaries may have been turned off since the job became due, or the agent given the offline responder, which cannot summarise.
    const isOff = this.config.conversationSummary === 'none' || model.provider === 'offline';
    const batch = isOff ? [] : this.writer.batch(model, messages);
    const [first, last] = [batch[0], batch.at(-1)];
    if (!first || !last) return () => this.unitOfWork.commit([end('done')]);
    const text = await this.writer.write(agent, model, job.text, batch, signal, (usage) => used.push(usage));
    const made = {
      text,
      model: cutText(`${model.provider}/${model.modelId}`, 255),
      messages: job.messages + batch.length,
      fromSeq: job.text === null ? first.seq : job.fromSeq,
      throughSeq: last.seq,
      createdAt: this.clock.now(),
    };
    const status = batch.length === messages.length ? 'done' : 'pending';
    const spent = await this.record(job, used);
    return () => this.unitOfWork.commit([end(status), this.summaries.store(job, made), ...spent]);
  }

  private async fail(job: SummaryRow, owner: string, thrown: unknown, used: readonly ModelUsage[]): Promise<void> {
    const now = this.clock.now();
    const failure =
      thrown instanceof AppError
        ? thrown
        : new AppError('INTERNAL_ERROR', 'The summary failed because of a server error.', 'The log has the cause.', thrown);
    const next = afterFailure(job.attempts, RETRY, now);
    const [status, dueAt] = next.status === 'dead' ? (['failed', null] as const) : (['pending', next.dueAt] as const);
    const fields = { roomId: job.roomId, agentId: job.agentId, attempt: job.attempts };
    if (thrown instanceof AppError) this.log.warn('a conversation could not be summarised', { ...fields, reason: failure.message });
    else this.log.error('a conversation could not be summarised', thrown, fields);
    const spent = await this.record(job, used);
    await this.queue.storeEnd(job, () =>
      this.unitOfWork.commit([
        this.summaries.table.end(keyOf(job), owner, status, now, { error: JSON.stringify(errorBody(failure)), dueAt }),
        ...spent,
      ]),
    );
  }

  private async record({ agentId, roomId, turnId, userId }: SummaryRow, used: readonly ModelUsage[]): Promise<Statement[]> {
    const channelId = used.length === 0 ? undefined : await this.memory.channelOf(agentId, roomId);
    if (channelId === undefined) return [];
    return used.map((usage) => this.usage.record({ ...usage, kind: 'summary', turnId, agentId, channelId, userId, at: this.clock.now() }));
  }
}

function keyOf({ roomId, agentId }: SummaryKey): readonly [string, string] {
  return [roomId, agentId];
}
