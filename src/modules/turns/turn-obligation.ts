import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import type { Statement, Transaction } from '../../core/database/index.js';
import { AppError, type ErrorBody } from '../../core/errors/index.js';
import { append, type TurnReference } from '../../core/journal/index.js';
import { AgentsService } from '../agents/index.js';
import { ConversationMemory } from '../memory/index.js';
import { Obligations, type Channel, type Message, type Obligation, type TurnPolicy } from '../messaging/index.js';
import { TurnsRepository } from './turns.repository.js';
import type { OwedTurn } from './turns.types.js';

type Draft = Parameters<Obligation['statements']>[0];

/** Writes down the answers that a message makes agents owe, in the unit that stores the message. */
@Injectable()
export class TurnObligation implements Obligation, OnModuleInit {
  constructor(
    private readonly obligations: Obligations,
    private readonly repository: TurnsRepository,
    private readonly agents: AgentsService,
    private readonly memory: ConversationMemory,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.obligations.register(this);
  }

  statements(message: Draft): Statement[] {
    return message.awaiting.map(({ agentId, replyId }) =>
      this.repository.insert({ messageId: message.id, agentId, channelId: message.channelId, replyId, at: message.createdAt }),
    );
  }

  async makeRoom(policy: Exclude<TurnPolicy, 'enqueue'>, channel: Channel, tx: Transaction): Promise<Statement[]> {
    const owed = await this.repository.owedIn(tx, channel.id);
    if (owed.length === 0) return [];
    if (policy === 'reject') {
      throw new AppError(
        'TURN_IN_PROGRESS',
        'An answer is still being made in this channel.',
        'Its turn policy is "reject": nothing was stored; send the message again when the answer is there.',
      );
    }
    const error = {
      code: 'TURN_CANCELLED',
      message: 'A newer message interrupted this answer.',
      details: 'The turn policy of the channel is "interrupt".',
    };
    return [this.repository.cancelAll(channel.id, this.clock.now()), ...this.cancelled(owed, channel, error)];
  }

  async withdraw(channel: Channel, tx: Transaction, messageIds?: readonly string[]): Promise<Statement[]> {
    const gone = messageIds && new Set(messageIds);
    const owed = (await this.repository.owedIn(tx, channel.id)).filter(({ messageId }) => gone?.has(messageId) ?? true);
    const error = {
      code: 'TURN_CANCELLED',
      message: 'The message was deleted before it was answered.',
      details: 'Nothing more will come.',
    };
    return this.cancelled(owed, channel, error);
  }

  /** Agents remember the new text. */
  revise(message: Message, tx: Transaction): Promise<Statement[]> {
    return this.memory.rephrase(
      tx,
      this.agents.list().map(({ id }) => id),
      message,
    );
  }

  reserves(messageId: string): Promise<boolean> {
    return this.repository.owesUnder(messageId);
  }

  leave(channelId: string, entityIds: readonly string[]): Statement[] {
    return this.memory.leave(channelId, entityIds);
  }

  dissolve(channelId: string): Statement[] {
    return this.memory.forgetRooms(channelId);
  }

  /** What was deleted is no longer owed an answer, and agents do not remember it. */
  release(channelId: string, messageId?: string): Statement[] {
    if (messageId === undefined) return [this.repository.cancelAll(channelId, this.clock.now()), ...this.memory.forgetChannel(channelId)];
    return this.agents.list().flatMap(({ id }) => this.memory.forgetMessage(id, messageId));
  }

  private cancelled(owed: readonly OwedTurn[], channel: Channel, error: ErrorBody): Statement[] {
    const now = this.clock.now();
    return owed.map((turn) =>
      append('turn.cancelled', channel.id, { ...referenceOf(turn, channel, this.agents.find(turn.agentId)), error }, now),
    );
  }
}

/** How journal entries name a turn. */
export function referenceOf(
  turn: Pick<TurnReference, 'messageId' | 'agentId' | 'replyId'>,
  channel: Channel,
  agent?: { name: string },
): TurnReference {
  const { messageId, agentId, replyId } = turn;
  return { messageId, channelId: channel.id, serverId: channel.serverId, agentId, agentName: agent?.name ?? '', replyId };
}
