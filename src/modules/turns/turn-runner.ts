import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, type Cancel } from '../../core/clock/index.js';
import { CONFIG, type Config } from '../../core/config/index.js';
import { withRequestId } from '../../core/context/request-context.js';
import { STORE, UnitOfWork, type Store } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { newId } from '../../core/ids/index.js';
import { append, Journal, type JournalEntry } from '../../core/journal/index.js';
import { Log } from '../../core/logging/index.js';
import { AgentsService } from '../agents/index.js';
import { ChannelsService, MessagesService, type Message } from '../messaging/index.js';
import { referenceOf } from './turn-obligation.js';
import { TurnQueue } from './turn-queue.js';
import { TurnWork } from './turn-work.js';
import { TurnLost, TurnsRepository } from './turns.repository.js';
import type { OwedTurn, Turn } from './turns.types.js';

const LEASE_MS = 15_000;
const HEARTBEAT_MS = 5_000;

/** Why a running turn is stopped before its end. */
class Stopped extends AppError {}

/**
 * Runs what is owed: several channels at a time, one turn of a channel at a time, in order. The turns table is the queue;
 * this process only knows of turns by reading the journal, and a claim in the database decides who runs one.
 */
@Injectable()
export class TurnRunner implements OnApplicationBootstrap {
  /** Name of this process in leases. */
  private readonly owner = newId();
  private readonly queue = new TurnQueue();
  private readonly running = new Map<string, { turn: OwedTurn; stop: AbortController; done: Promise<void> }>();
  /** Turns that the database failed in the middle of: leased to this process, and not run. */
  private unreleased: OwedTurn[] = [];
  private stopping = false;
  private cancelHeartbeat: Cancel = () => undefined;
  private readonly log = new Log('turns');

  constructor(
    private readonly repository: TurnsRepository,
    private readonly work: TurnWork,
    private readonly journal: Journal,
    private readonly unitOfWork: UnitOfWork,
    private readonly agents: AgentsService,
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly clock: Clock,
    @Inject(STORE) private readonly store: Store,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.journal.listen((entry) => this.hear(entry));
    // Only one process can have a SQLite file open, so whatever is leased there was leased by a process that is gone.
    if (this.store.reading.options.type === 'sqlite') await this.unitOfWork.commit([this.repository.voidLeases()]);
    for (const turn of await this.repository.owed()) this.queue.add(turn);
    this.pumpAll();
    this.heartbeat();
  }

  /** Number of turns that this process is running. */
  get active(): number {
    return this.running.size;
  }

  /**
   * Takes no further turns, gives the running ones time to finish, then puts the rest back for the next process.
   *
   * @param graceMs ms
   */
  async drain(graceMs: number): Promise<void> {
    this.stopping = true;
    this.cancelHeartbeat();
    const turns = [...this.running.values()];
    let cancel: Cancel = () => undefined;
    const grace = new Promise<void>((resolve) => {
      cancel = this.clock.after(graceMs, resolve);
    });
    await Promise.race([Promise.all(turns.map(({ done }) => done)), grace]);
    cancel();
    for (const { stop } of this.running.values()) stop.abort(new Stopped('SERVER_STOPPING', 'The server is shutting down.'));
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  private hear(entry: JournalEntry): void {
    switch (entry.type) {
      case 'message.created': {
        const { id: messageId, channelId, awaiting } = entry.payload;
        const message = { ...entry.payload, seq: entry.seq ?? 0, offset: entry.offset };
        for (const { agentId, replyId } of awaiting) {
          this.queue.add({ messageId, agentId, channelId, seq: entry.seq ?? 0, replyId, attempts: 0, requestId: entry.requestId });
        }
        if (awaiting.length > 0) this.pump(channelId, message);
        break;
      }
      case 'turn.finished':
      case 'turn.failed':
        this.queue.remove(entry.payload);
        this.pump(entry.payload.channelId);
        break;
      case 'turn.cancelled':
        this.cancel(entry.payload.channelId, entry.payload.messageId, entry.payload.agentId);
        break;
      case 'message.deleted':
        this.cancel(entry.payload.channelId, entry.payload.messageId);
        break;
      case 'channel.cleared':
      case 'channel.deleted':
        this.cancel(entry.payload.channelId);
        break;
      default:
    }
  }

  private cancel(channelId: string, messageId?: string, agentId?: string): void {
    for (const turn of this.queue.drop(channelId, messageId, agentId)) this.running.get(key(turn))?.stop.abort(new TurnLost());
    this.pump(channelId);
  }

  private pumpAll(): void {
    for (const channelId of this.queue.channelIds()) {
      if (this.running.size >= this.config.turnConcurrency) return;
      this.pump(channelId);
    }
  }

  /** @param fresh the message that made the channel owe something, if it was just that: it need not be read again */
  private pump(channelId: string, fresh?: Message): void {
    if (this.stopping || this.running.size >= this.config.turnConcurrency) return;
    const turn = this.queue.take(channelId);
    if (!turn) return;
    const stop = new AbortController();
    const message = fresh?.id === turn.messageId ? fresh : undefined;
    const done = withRequestId(turn.requestId ?? turn.messageId, () => this.run(turn, stop, message)).finally(() => {
      this.running.delete(key(turn));
      // A slot is free: other channels may have waited for it, and come first.
      if (this.running.size === this.config.turnConcurrency - 1) this.pumpAll();
      else this.pump(channelId);
    });
    this.running.set(key(turn), { turn, stop, done });
  }

  private async run(owed: OwedTurn, stop: AbortController, fresh?: Message): Promise<void> {
    try {
      const turn = await this.claim(owed, fresh);
      if (turn) await this.work.perform(turn, this.owner, stop.signal);
      this.queue.remove(owed);
    } catch (error) {
      if (error instanceof TurnLost) {
        if (stop.signal.aborted) this.queue.remove(owed);
        else this.queue.yieldHead(owed.channelId);
      } else if (this.stopping) {
        await this.unitOfWork.commit([this.repository.release(owed, this.owner)]);
      } else {
        // The database failed, or we have a bug: the turn stays owed, and the heartbeat's sweep offers it again.
        this.log.error('a turn could not be ended; it will be tried again', error, { messageId: owed.messageId, agentId: owed.agentId });
        this.queue.yieldHead(owed.channelId);
        this.unreleased.push(owed);
      }
    }
  }

  /** @returns undefined when what the turn is about no longer exists */
  private async claim(owed: OwedTurn, fresh?: Message): Promise<Turn | undefined> {
    const [channel, message] = await Promise.all([
      this.channels.find(owed.channelId),
      fresh ?? this.messages.find(owed.messageId),
      // What another process did to the agent before the message stands before it in the journal too.
      this.agents.settled(),
    ]);
    if (!channel || !message) return undefined;
    const agent = this.agents.find(owed.agentId);
    const reference = referenceOf(owed, channel, agent);
    const attempts = owed.attempts + 1;
    const now = this.clock.now();
    await this.unitOfWork.commit([
      this.repository.claim(owed, this.owner, now, now + LEASE_MS),
      append('turn.started', channel.id, { ...reference, attempt: attempts }, now),
    ]);
    if (agent) return { ...owed, attempts, agent, channel, message };
    const error = { code: 'AGENT_NOT_FOUND', message: 'The agent no longer exists.', details: `Agent ${owed.agentId} was deleted.` };
    await this.unitOfWork.commit([
      this.repository.end(owed, this.owner, 'failed', error, now),
      append('turn.failed', channel.id, { ...reference, error }, now),
    ]);
    return undefined;
  }

  /** Keeps this process's leases alive, and looks for turns that another process let go of. */
  private heartbeat(): void {
    this.cancelHeartbeat = this.clock.after(HEARTBEAT_MS, () => {
      void this.beat().finally(() => {
        if (!this.stopping) this.heartbeat();
      });
    });
  }

  private async beat(): Promise<void> {
    const now = this.clock.now();
    try {
      if (this.unreleased.length > 0) {
        // Still under this process's lease, which would be renewed with those of the turns that do run.
        await this.unitOfWork.commit(this.unreleased.map((turn) => this.repository.release(turn, this.owner)));
        this.unreleased = [];
      }
      if (this.running.size > 0) await this.unitOfWork.commit([this.repository.extendLeases(this.owner, now + LEASE_MS)]);
      for (const turn of await this.repository.abandoned(now)) {
        if (this.running.has(key(turn))) continue;
        this.queue.refresh(turn);
        this.pump(turn.channelId);
      }
    } catch (error) {
      this.log.error('owed turns could not be looked up; trying again', error);
    }
  }
}

function key({ messageId, agentId }: Pick<OwedTurn, 'messageId' | 'agentId'>): string {
  return `${messageId}:${agentId}`;
}
