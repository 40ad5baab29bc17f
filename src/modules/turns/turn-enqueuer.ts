import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import type { Statement, Transaction } from '../../core/database/index.js';
import { AppError, type ErrorBody } from '../../core/errors/index.js';
import { append } from '../../core/journal/index.js';
import { AgentsService } from '../agents/index.js';
import { type Channel, type MessageDraft, type MessageHook, type TurnPolicy } from '../messaging/index.js';
import { toTurnReference } from './turn-reference.js';
import { TurnUsageRecorder } from './turn-usage.js';
import { TurnsRepository } from './turns.repository.js';
import type { PendingTurn } from './turns.types.js';

/** Enqueues a turn for each reply that a message expects, and cancels turns whose messages are deleted. */
@Injectable()
export class TurnEnqueuer implements MessageHook {
  constructor(
    private readonly repository: TurnsRepository,
    private readonly agents: AgentsService,
    private readonly usage: TurnUsageRecorder,
    private readonly clock: Clock,
  ) {}

  onMessageStored(message: MessageDraft): Statement[] {
    return message.awaiting.map(({ agentId, replyId }) =>
      this.repository.insert({ messageId: message.id, agentId, channelId: message.channelId, replyId, at: message.createdAt }),
    );
  }

  async onConflict(policy: Exclude<TurnPolicy, 'enqueue'>, channel: Channel, tx: Transaction): Promise<Statement[]> {
    const pending = await this.repository.pendingOfChannel(tx, channel.id);
    if (pending.length === 0) return [];
    if (policy === 'reject') {
      throw new AppError(
        'TURN_IN_PROGRESS',
        'An answer is still being generated in this channel.',
        'The turn policy of the channel is "reject": the message was not stored. Send it again when the answer has ended.',
      );
    }
    const error = {
      code: 'TURN_CANCELLED',
      message: 'A newer message interrupted this answer.',
      details: 'The turn policy of the channel is "interrupt".',
    };
    return [this.repository.cancelOfChannel(channel.id, this.clock.now()), ...(await this.cancelled(pending, channel, error, tx))];
  }

  /** The rows of the turns are deleted with their messages. */
  async onMessagesDeleted(channel: Channel, messageIds: readonly string[], tx: Transaction): Promise<Statement[]> {
    const deleted = new Set(messageIds);
    const pending = await this.repository.pendingOfChannel(tx, channel.id);
    return this.cancelDeleted(
      pending.filter(({ messageId }) => deleted.has(messageId)),
      channel,
      tx,
    );
  }

  async onChannelCleared(channel: Channel, tx: Transaction): Promise<Statement[]> {
    return [
      ...(await this.cancelDeleted(await this.repository.pendingOfChannel(tx, channel.id), channel, tx)),
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
      message: 'The message was deleted before it was answered.',
      details: 'The turn has ended without an answer.',
    };
    return this.cancelled(pending, channel, error, tx);
  }

  private async cancelled(pending: readonly PendingTurn[], channel: Channel, error: ErrorBody, tx: Transaction): Promise<Statement[]> {
    const now = this.clock.now();
    return [
      ...(await this.usage.recordCancelled(pending, tx)),
      ...pending.map((turn) =>
        append('turn.cancelled', channel.id, { ...toTurnReference(turn, channel, this.agents.find(turn.agentId)), error }, now),
      ),
    ];
  }
}
