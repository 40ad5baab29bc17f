import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '../../core/database/index.js';
import type { Message } from './messages.types.js';
import type { Channel, TurnPolicy } from './channel-types.js';

type MessageDraft = Omit<Message, 'seq' | 'offset'>;

/** What a new message makes somebody owe; its statements become part of the unit that stores the message. */
export interface Obligation {
  /** Runs behind the message's own statements. Must use fixed SQL texts. */
  statements(message: MessageDraft): Statement[];
  /**
   * For the policies other than `enqueue`: looks at the channel's running turns inside the transaction, refuses
   * (throws AppError TURN_IN_PROGRESS) or returns the statements that cancel them.
   */
  makeRoom(policy: Exclude<TurnPolicy, 'enqueue'>, channel: Channel, tx: Transaction): Promise<Statement[]>;
  /** Statements that carry a changed text over to what the message has led to. */
  revise(message: Message, tx: Transaction): Promise<Statement[]>;
  /** Statements that say that answers will not come: to all messages of a channel that is cleared, or to those that are deleted. */
  withdraw(channel: Channel, tx: Transaction, messageIds?: readonly string[]): Promise<Statement[]>;
  /** Statements that undo what the messages of a channel have led to, when it is cleared or deleted; or one message, when that is. */
  release(channelId: string, messageId?: string): Statement[];
  /** Whether an answer that is owed will get this id. */
  reserves?(messageId: string): Promise<boolean>;
  /** Statements for those who no longer take part in a channel. */
  leave?(channelId: string, entityIds: readonly string[]): Statement[];
  /** Statements for a channel that is deleted itself, behind those of `release`. */
  dissolve?(channelId: string): Statement[];
}

/** Registry, owned here and filled by the turns module: messaging stores what is owed without knowing turns. */
@Injectable()
export class Obligations {
  private readonly registered: Obligation[] = [];

  register(obligation: Obligation): void {
    this.registered.push(obligation);
  }

  all(): readonly Obligation[] {
    return this.registered;
  }
}
