import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { currentRequestId } from '../../../core/context/request-context.js';
import { isStorageError, type Statement, type Transaction } from '../../../core/database/index.js';
import { AppError, type ErrorBody } from '../../../core/errors/index.js';
import { append } from '../../../core/journal/index.js';
import { LeaseLost } from '../../../core/queue/index.js';
import { AgentsService } from '../../agents/index.js';
import { type CancelledReplies, type Channel, type MessageDraft, type MessageHook, type TurnPolicy } from '../../messaging/index.js';
import { toTurnReference } from '../turn-reference.js';
import { TurnRunner } from './turn-runner.js';
import { TurnRequests } from '../requests/turn-requests.js';
import { TurnUsageRecorder } from './turn-usage.js';
import { TurnsRepository } from '../turns.repository.js';
import type { PendingTurn } from '../turns.types.js';

/** Enqueues a turn for each reply that a message expects, and cancels turns whose messages are deleted. */
@Injectable()
export class TurnEnqueuer implements MessageHook {
  /** Before the hook of memory: a deletion first waits for a reply that is being committed, whose memories then exist. */
  readonly order = -1;

  constructor(
    private readonly repository: TurnsRepository,
    private readonly runner: TurnRunner,
    private readonly agents: AgentsService,
    private readonly usage: TurnUsageRecorder,
    private readonly requests: TurnRequests,
    private readonly clock: Clock,
  ) {}

  /** A single turn that can run at once is inserted as claimed and started. */
  onMessageStored(message: MessageDraft, tentative: boolean): Statement[] {
    const turn = tentative ? onlyTurnOf(message) : undefined;
    const lease = turn && this.runner.lease(turn);
    if (turn && lease) {
      const { channelId, createdAt } = message;
      const started = {
        ...toTurnReference(turn, { id: channelId, serverId: message.serverId }, this.agents.find(turn.agentId)),
        attempt: 1,
      };
      return [
        this.repository.insertClaimed({ ...turn, at: createdAt }, lease.owner, lease.until),
        append('turn.started', channelId, started, createdAt, turn.requestId ?? message.id),
      ];
    }
    return message.awaiting.map(({ agentId, replyId }) =>
      this.repository.insert({ messageId: message.id, agentId, channelId: message.channelId, replyId, at: message.createdAt }),
    );
  }

  onMessageRefused(message: MessageDraft, error: unknown): boolean {
    const turn = onlyTurnOf(message);
    if (turn) this.runner.unlease(turn, isStorageError(error), error instanceof LeaseLost);
    return error instanceof LeaseLost;
  }

  async onConflict(policy: Exclude<TurnPolicy, 'enqueue'>, channel: Channel, tx: Transaction): Promise<Statement[]> {
    const pending = await this.repository.unendedOfChannel(tx, channel.id);
    if (pending.length === 0) return [];
    if (policy === 'reject') {
      // A turn that waits for its caller keeps no one else waiting.
      if (pending.every(({ suspended }) => suspended)) return [];
      throw new AppError(
        'TURN_IN_PROGRESS',
        'A reply is still being generated in this channel.',
        'The turn policy of the channel is "reject": the message was not stored. Send it again when the reply has ended.',
      );
    }
    const error = {
      code: 'TURN_CANCELLED',
      message: 'A newer message interrupted this reply.',
      details: 'The turn policy of the channel is "interrupt".',
    };
    return [this.repository.cancelOfChannel(channel.id, this.clock.now()), ...(await this.cancelled(pending, channel, error, tx))];
  }

  /** The rows of the turns are deleted with their messages. */
  async onMessagesDeleted(channel: Channel, messageIds: readonly string[], tx: Transaction): Promise<Statement[]> {
    const deleted = new Set(messageIds);
    const pending = await this.repository.unendedOfChannel(tx, channel.id, tx.locking('FOR UPDATE'));
    return this.cancelDeleted(
      pending.filter(({ messageId }) => deleted.has(messageId)),
      channel,
      tx,
    );
  }

  async onRepliesCancelled(channel: Channel, messageId: string, tx: Transaction): Promise<CancelledReplies> {
    const all = await this.repository.unendedOfChannel(tx, channel.id, tx.locking('FOR UPDATE'));
    const pending = all.filter((turn) => turn.messageId === messageId);
    if (pending.length === 0) return { replies: [], statements: [] };
    const error = {
      code: 'TURN_CANCELLED',
      message: 'The reply was stopped at the request of a client.',
      details: 'The message is stored. Send it again to get a reply.',
    };
    return {
      replies: pending.map(({ agentId, replyId }) => ({ agentId, replyId })),
      statements: [this.repository.cancelOfMessage(messageId, this.clock.now()), ...(await this.cancelled(pending, channel, error, tx))],
    };
  }

  async onChannelCleared(channel: Channel, tx: Transaction): Promise<Statement[]> {
    return [
      ...(await this.cancelDeleted(await this.repository.unendedOfChannel(tx, channel.id, tx.locking('FOR UPDATE')), channel, tx)),
      this.repository.cancelOfChannel(channel.id, this.clock.now()),
    ];
  }

  onChannelDeleted(channelId: string): Statement[] {
    return [this.repository.cancelOfChannel(channelId, this.clock.now())];
  }

  reservesId(messageId: string): Promise<boolean> {
    return this.repository.isPending(messageId);
  }

  private cancelDeleted(pending: readonly PendingTurn[], channel: Channel, tx: Transaction): Promise<Statement[]> {
    const error = {
      code: 'TURN_CANCELLED',
      message: 'The message was deleted before the agent replied.',
      details: 'The turn has ended without a reply.',
    };
    return this.cancelled(pending, channel, error, tx);
  }

  private async cancelled(pending: readonly PendingTurn[], channel: Channel, error: ErrorBody, tx: Transaction): Promise<Statement[]> {
    const now = this.clock.now();
    return [
      ...(await this.usage.recordCancelled(pending, tx)),
      ...pending.map(({ messageId }) => this.requests.deleteOf(messageId)),
      ...pending.map((turn) =>
        append('turn.cancelled', channel.id, { ...toTurnReference(turn, channel, this.agents.find(turn.agentId)), error }, now),
      ),
    ];
  }
}

/** The turn of a message with one responder; `seq` is unknown before the commit. */
function onlyTurnOf({ id: messageId, channelId, authorId, awaiting }: MessageDraft): PendingTurn | undefined {
  const [responder, ...others] = awaiting;
  if (!responder || others.length > 0) return undefined;
  return { ...responder, messageId, channelId, authorId, seq: 0, attempts: 0, releases: 0, requestId: currentRequestId() ?? null };
}
