import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../core/config/index.js';
import { withProgress, withRequestId } from '../../../core/context/request-context.js';
import { append, Journal, type JournalEntry } from '../../../core/journal/index.js';
import { Log } from '../../../core/logging/index.js';
import { JobEnvironment, JobRunner, type Lease } from '../../../core/queue/index.js';
import { Tracer } from '../../../core/telemetry/index.js';
import { AgentsService } from '../../agents/index.js';
import { ChannelsService, MessagesService, type Message } from '../../messaging/index.js';
import { CallerTools } from '../requests/caller-tools.js';
import { toTurnReference } from '../turn-reference.js';
import { LiveTurns } from './live-turns.js';
import { TurnExecutor } from './turn-executor.js';
import { keyOf, TurnsRepository } from '../turns.repository.js';
import type { PendingTurn, Turn } from '../turns.types.js';

const LEASE_MS = 15_000;
// Of one of several processes. The turns of a killed one are taken over when their leases end.
const SHARED_LEASE_MS = 2000;
const SHARED_HEARTBEAT_MS = 600;
/** How often turns are looked for that have waited for their caller for too long. */
const OVERDUE_MS = 15_000;
const ENDS_OR_PAUSES: ReadonlySet<string> = new Set(['turn.finished', 'turn.failed', 'turn.cancelled', 'turn.suspended']);

/**
 * Runs pending turns: channels concurrently, the turns of one channel in order. The process that stores a message runs its turns; others take
 * what it does not run.
 */
@Injectable()
export class TurnRunner extends JobRunner<PendingTurn, Turn, Message> {
  /** Subscriptions to the channels of turns, by channel: other processes may run turns in them. */
  private readonly followed = new Map<string, () => void>();
  /** Channels in which a turn of another process was pending when a message was stored. */
  private readonly busyElsewhere = new Set<string>();

  constructor(
    environment: JobEnvironment,
    private readonly repository: TurnsRepository,
    private readonly executor: TurnExecutor,
    private readonly live: LiveTurns,
    private readonly journal: Journal,
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly tracer: Tracer,
    private readonly callers: CallerTools,
    @Inject(CONFIG) config: Config,
  ) {
    super(environment, {
      table: repository.table,
      ...(isShared(environment) ? { leaseMs: SHARED_LEASE_MS, heartbeatMs: SHARED_HEARTBEAT_MS } : { leaseMs: LEASE_MS }),
      onGroup: (channelId, exists) => this.follow(channelId, exists),
      concurrency: config.turnConcurrency,
      keyOf,
      groupOf: ({ channelId }) => channelId,
      sharesOf: ({ agentId, authorId }) => [agentId, authorId ?? ''],
      compare: (a, b) => a.seq - b.seq || (a.agentId < b.agentId ? -1 : 1),
      fieldsOf: ({ messageId, agentId }) => ({ messageId, agentId }),
      log: new Log('turns'),
      failure: 'a turn did not end',
      tickMs: OVERDUE_MS,
    });
  }

  override async onApplicationBootstrap(): Promise<void> {
    this.journal.subscribe((entry) => this.onEntry(entry));
    await this.queue.recover();
    this.startTicks();
    if (!isShared(this.environment)) {
      this.queue.start(await this.repository.pending());
      return;
    }
    this.queue.start();
    await this.queue.lookUp();
  }

  /** Number of turns that this process is running. */
  get active(): number {
    return this.queue.active;
  }

  /** Channels whose next turn waits because this process runs as many turns as it may, and for how long the oldest has waited, ms. */
  get waiting(): { readonly groups: number; readonly oldestMs: number } {
    return this.queue.waiting;
  }

  /**
   * Claims no further turns, waits for the running ones, then releases the rest for the next process.
   *
   * @param graceMs maximum wait, ms
   */
  drain(graceMs: number): Promise<void> {
    return this.queue.drain(graceMs);
  }

  /** Reserves a slot for a turn that is being inserted (`Queue.lease`). It runs when its message arrives through the journal. */
  lease(turn: PendingTurn): { readonly owner: string; readonly until: number } | undefined {
    return this.queue.lease(turn);
  }

  /** Frees the slot of a turn whose insertion failed (`Queue.unlease`). @param busy the channel has a pending turn */
  unlease(turn: PendingTurn, uncertain: boolean, busy: boolean): void {
    this.queue.unlease(turn, uncertain);
    if (busy) this.busyElsewhere.add(turn.channelId);
  }

  private follow(channelId: string, exists: boolean): void {
    if (!isShared(this.environment)) return;
    this.followed.get(channelId)?.();
    this.followed.delete(channelId);
    if (!exists) return;
    const stop = this.journal.subscribeToChannel(channelId, (entry) => {
      if (ENDS_OR_PAUSES.has(entry.type)) this.onEntry(entry);
    });
    this.followed.set(channelId, stop);
  }

  private onEntry(entry: JournalEntry): void {
    switch (entry.type) {
      case 'message.created': {
        const { id: messageId, channelId, authorId, awaiting } = entry.payload;
        const { offset, requestId } = entry;
        const seq = entry.seq ?? 0;
        const turns = awaiting.map(({ agentId, replyId }) => ({
          messageId,
          agentId,
          channelId,
          seq,
          authorId,
          replyId,
          attempts: 0,
          releases: 0,
          requestId,
        }));
        // A turn that starts immediately does not read the message again.
        const message = { ...entry.payload, seq, offset };
        const [first] = turns;
        if (first && this.queue.isLeased(first)) this.queue.runLeased(first, message);
        else if (this.busyElsewhere.delete(channelId)) this.queue.offerLater(turns);
        else if (turns.length > 0) this.queue.offer(turns, message);
        break;
      }
      case 'turn.resumed':
        // What cannot be read now is found by the next lookup.
        this.offerResumed(entry.payload).catch((error: unknown) =>
          this.log.warn('a turn with results could not be read', { reason: String(error) }),
        );
        break;
      case 'turn.suspended':
      case 'turn.finished':
      case 'turn.failed':
        this.queue.markEnded(entry.payload.channelId, keyOf(entry.payload));
        break;
      case 'turn.cancelled': {
        const { channelId, messageId, agentId } = entry.payload;
        this.queue.cancel(channelId, (turn) => turn.messageId === messageId && turn.agentId === agentId);
        break;
      }
      case 'message.deleted':
        this.queue.cancel(entry.payload.channelId, ({ messageId }) => messageId === entry.payload.messageId);
        break;
      case 'channel.cleared':
      case 'channel.deleted':
        this.queue.cancel(entry.payload.channelId, () => true);
        break;
      default:
    }
  }

  /** Runs a turn whose caller has returned the results of its tools. */
  private async offerResumed({ messageId, agentId }: Pick<PendingTurn, 'messageId' | 'agentId'>): Promise<void> {
    const turn = await this.repository.find({ messageId, agentId });
    if (turn) this.queue.offer([turn]);
  }

  protected override async tick(isLeader: boolean): Promise<void> {
    if (isLeader) await this.callers.expireOverdue();
  }

  /** Applies the changes of agents and channels that other processes committed before the message. */
  private async agentsUpToDate(): Promise<void> {
    await this.journal.delivered(this.environment.store.unitOfWork.metControlTo);
    await this.agents.whenIdle();
  }

  protected override find(now: number): ReturnType<TurnsRepository['claimable']> {
    return this.repository.claimable(now, isShared(this.environment) ? SHARED_HEARTBEAT_MS : 0);
  }

  protected override run(turn: PendingTurn, lease: Lease, message?: Message): Promise<void> {
    return withRequestId(turn.requestId ?? turn.messageId, () => super.run(turn, lease, message));
  }

  protected override process(turn: Turn, lease: Lease): Promise<void> {
    // A turn that waits for its service is not silent.
    return withProgress(
      () => this.live.find(turn.replyId)?.progress(),
      () => this.executor.run(turn, lease),
    );
  }

  /** The executor ends failed turns. What remains are faults of the database: the turn is repeated. */
  protected override failureOf(): undefined {
    return undefined;
  }

  /** @returns undefined when the channel, the message or the agent no longer exists */
  protected override async claim(pending: PendingTurn, { owner, claim, claimed }: Lease, hint?: Message): Promise<Turn | undefined> {
    const known = hint?.id === pending.messageId ? hint : undefined;
    await this.agentsUpToDate();
    const [channel, message, traceContext] = await Promise.all([
      this.channels.find(pending.channelId),
      known ?? this.messages.find(pending.messageId),
      pending.traceContext === undefined && this.tracer.enabled ? this.repository.traceContext(pending) : pending.traceContext,
    ]);
    if (!channel || !message) return undefined;
    const agent = this.agents.find(pending.agentId);
    const reference = toTurnReference(pending, channel, agent);
    const attempts = pending.attempts + 1;
    const now = this.environment.clock.now();
    if (!claimed) {
      await this.environment.store.unitOfWork.commit([
        claim(),
        append('turn.started', channel.id, { ...reference, attempt: attempts }, now),
      ]);
    }
    if (agent) return { ...pending, attempts, agent, channel, message, traceContext };
    const error = { code: 'AGENT_NOT_FOUND', message: 'The agent no longer exists.', details: `Agent ${pending.agentId} was deleted.` };
    await this.environment.store.unitOfWork.commit([
      this.repository.end(pending, owner, 'failed', error, now),
      append('turn.failed', channel.id, { ...reference, error }, now),
    ]);
    return undefined;
  }
}

function isShared({ store }: JobEnvironment): boolean {
  return store.notifier !== undefined;
}
