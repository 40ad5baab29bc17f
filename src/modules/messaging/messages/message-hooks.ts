import { Injectable } from '@nestjs/common';
import type { Statement, Transaction } from '../../../core/database/index.js';
import { HookChain, Hooks, type Hook } from '../../../core/hooks/index.js';
import type { Channel, TurnPolicy } from '../channels/channel-types.js';
import type { Message, MessageDraft } from './messages.types.js';

/**
 * Lets a module store or delete data together with messages. The statements of all hooks run in the transaction that changes the
 * messages, in the order of `order`; their SQL texts are constants. A method with a transaction reads the state before the
 * transaction's own statements and those of other hooks. The work of a hook must grow with the messages, not with the installed
 * agents.
 */
export interface MessageHook extends Hook {
  /**
   * For a new message; runs after the statement that stores it.
   *
   * @param tentative true when a failure of the unit is reported to `onMessageRefused`
   */
  onMessageStored?(message: MessageDraft, tentative: boolean): Statement[];
  /**
   * The unit with the statements of a tentative `onMessageStored` failed.
   *
   * @returns true when these statements caused the failure; the message is then stored by another unit, which is not tentative
   */
  onMessageRefused?(message: MessageDraft, error: unknown): boolean;
  /**
   * For a message that expects replies, in a channel whose turn policy is not `enqueue`.
   *
   * @returns statements that cancel running turns, for `interrupt`
   * @throws AppError TURN_IN_PROGRESS, for `reject`
   */
  onConflict?(policy: Exclude<TurnPolicy, 'enqueue'>, channel: Channel, tx: Transaction): Promise<Statement[]>;
  /** For a message that is edited. @param message the new state @param by id of the caller that edits it */
  onMessageEdited?(message: Message, tx: Transaction, by: string): Promise<Statement[]>;
  /** For messages of a channel; runs before they are deleted. */
  onMessagesDeleted?(channel: Channel, messageIds: readonly string[], tx: Transaction): Promise<Statement[]>;
  /** For the pending replies to a message that a client no longer wants; the statements cancel them. */
  onRepliesCancelled?(channel: Channel, messageId: string, tx: Transaction): Promise<CancelledReplies>;
  /** For a channel; runs before all its messages are deleted. */
  onChannelCleared?(channel: Channel, tx: Transaction): Promise<Statement[]>;
  /** For a channel; runs before it is deleted with its messages. */
  onChannelDeleted?(channelId: string): Statement[];
  /** For participants that leave a channel. */
  onParticipantsLeft?(channelId: string, entityIds: readonly string[]): Statement[];
  /** Whether this id is reserved for an expected reply. */
  reservesId?(messageId: string): Promise<boolean>;
}

/** Replies that are cancelled, and the statements that do it. */
export interface CancelledReplies {
  readonly replies: readonly { readonly agentId: string; readonly replyId: string }[];
  readonly statements: readonly Statement[];
}

/** The chain of `MessageHook`s. */
@Injectable()
export class MessageHooks extends HookChain<MessageHook> {
  constructor(hooks: Hooks) {
    super(() => hooks.of('messageHooks'));
  }

  onMessageStored(message: MessageDraft, tentative: boolean): Statement[] {
    return this.all().flatMap((hook) => hook.onMessageStored?.(message, tentative) ?? []);
  }

  onMessageRefused(message: MessageDraft, error: unknown): boolean {
    return this.all().reduce((again, hook) => (hook.onMessageRefused?.(message, error) ?? false) || again, false);
  }

  onConflict(policy: Exclude<TurnPolicy, 'enqueue'>, channel: Channel, tx: Transaction): Promise<Statement[]> {
    return this.collect((hook) => hook.onConflict?.(policy, channel, tx));
  }

  onMessageEdited(message: Message, tx: Transaction, by: string): Promise<Statement[]> {
    return this.collect((hook) => hook.onMessageEdited?.(message, tx, by));
  }

  onMessagesDeleted(channel: Channel, messageIds: readonly string[], tx: Transaction): Promise<Statement[]> {
    return this.collect((hook) => hook.onMessagesDeleted?.(channel, messageIds, tx));
  }

  async onRepliesCancelled(channel: Channel, messageId: string, tx: Transaction): Promise<CancelledReplies> {
    const cancelled: CancelledReplies[] = [];
    for (const hook of this.all()) {
      cancelled.push((await hook.onRepliesCancelled?.(channel, messageId, tx)) ?? { replies: [], statements: [] });
    }
    return { replies: cancelled.flatMap(({ replies }) => replies), statements: cancelled.flatMap(({ statements }) => statements) };
  }

  onChannelCleared(channel: Channel, tx: Transaction): Promise<Statement[]> {
    return this.collect((hook) => hook.onChannelCleared?.(channel, tx));
  }

  onChannelDeleted(channelId: string): Statement[] {
    return this.all().flatMap((hook) => hook.onChannelDeleted?.(channelId) ?? []);
  }

  onParticipantsLeft(channelId: string, entityIds: readonly string[]): Statement[] {
    return this.all().flatMap((hook) => hook.onParticipantsLeft?.(channelId, entityIds) ?? []);
  }

  async reservesId(messageId: string): Promise<boolean> {
    for (const hook of this.all()) {
      if (await hook.reservesId?.(messageId)) return true;
    }
    return false;
  }

  /** Sequential, because the hooks share the transaction's connection. */
  private async collect(statementsOf: (hook: MessageHook) => Promise<Statement[]> | undefined): Promise<Statement[]> {
    const statements: Statement[] = [];
    for (const hook of this.all()) statements.push(...((await statementsOf(hook)) ?? []));
    return statements;
  }
}

declare module '../../../core/hooks/hook-kinds.js' {
  interface HookKinds {
    messageHooks: MessageHook;
  }
}
