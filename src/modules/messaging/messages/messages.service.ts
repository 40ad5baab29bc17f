import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { reportCommit } from '../../../core/context/request-context.js';
import { isForeignKeyViolation, isUniqueViolation, UnitOfWork, type Outcome, type Statement } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { usersOf, vouchesFor, type Editor } from '../../../core/http/index.js';
import { idForAgent, newId } from '../../../core/ids/index.js';
import { append, Journal, entryPosition } from '../../../core/journal/index.js';
import { AgentsService } from '../../agents/index.js';
import type { Channel } from '../channels/channel-types.js';
import { ChannelsService } from '../channels/channels.service.js';
import { assertMessageSize } from './message-limits.js';
import { MessageHooks, type CancelledReplies } from './message-hooks.js';
import { MessagePolicies, type MessagePolicy } from './message-policies.js';
import type {
  Completion,
  HistoryPage,
  HistoryQuery,
  Message,
  MessageBeginning,
  MessageDraft,
  PostResult,
  PostMessage,
  UpdateMessage,
} from './messages.types.js';
import { messageNotFound } from '../messaging.errors.js';
import { responders } from './responders.policy.js';
import { MessagesRepository } from './messages.repository.js';

/** More for the transaction of a message. */
export interface WithMessage {
  /** Replaces the registered policy of the same name. */
  readonly own?: MessagePolicy | undefined;
  /** A new channel for the message (`ChannelsService.prepareCreation`), with what it contains already. */
  readonly opens?: ReturnType<ChannelsService['prepareCreation']>;
  /** Statements before those of the message. */
  readonly first?: readonly Statement[];
  /** Statements behind those of the message. */
  readonly behind?: (draft: MessageDraft) => readonly Statement[];
}

/** The only write path of messages: every interface uses `post`, and nothing else inserts a message. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly repository: MessagesRepository,
    private readonly channels: ChannelsService,
    private readonly policies: MessagePolicies,
    private readonly hooks: MessageHooks,
    private readonly agents: AgentsService,
    private readonly journal: Journal,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a message, its journal entry and the statements of the hooks in one transaction; resolves after the commit. The policies
   * check a user's message first.
   *
   * @param own replaces the registered policy of the same name
   * @throws AppError CHANNEL_NOT_FOUND, MESSAGE_EXISTS, TURN_IN_PROGRESS, VALIDATION_ERROR for a NUL or a size (`message-limits.ts`), or the error of the first policy
   *   that refuses
   */
  async post(command: PostMessage, own?: MessagePolicy): Promise<PostResult> {
    return this.postWith(command, { own });
  }

  /** As `post`, in one transaction with more. */
  async postWith(command: PostMessage, { own, opens, first = [], behind = () => [] }: WithMessage): Promise<PostResult> {
    rejectNul(command);
    assertMessageSize(command);
    const channel = opens?.channel ?? (await this.channels.require(command.channelId));
    await this.learnAgents(channel);
    const draft = this.draft(command, channel);
    if (draft.authorKind === 'agent') return this.store(command, channel, draft, { before: [], behind });
    return this.policies.apply(
      draft,
      channel,
      async (policies) => {
        // Policies may wait, and meanwhile the channel or its agents may change.
        const current = opens?.channel ?? (await this.channels.require(command.channelId));
        const before = [...(opens?.statements ?? []), ...first, ...policies];
        const posted = await this.store(command, current, this.draft({ ...command, id: draft.id }, current), { before, behind });
        if (!posted.replayed) opens?.created();
        return posted;
      },
      own,
    );
  }

  private async store(
    command: PostMessage,
    channel: Channel,
    draft: MessageDraft,
    beside: { readonly before: readonly Statement[]; readonly behind: (draft: MessageDraft) => readonly Statement[] },
    tentative = true,
  ): Promise<PostResult> {
    const { before, behind } = beside;
    const statements = [...before, ...this.insertionStatements(draft, tentative), ...behind(draft)];
    try {
      const results = await this.commit(channel, draft, statements);
      const { offset, seq } = entryPosition(results[before.length]);
      return { message: { ...draft, offset, seq }, replayed: false };
    } catch (error) {
      if (tentative && this.hooks.onMessageRefused(draft, error)) return this.store(command, channel, draft, beside, false);
      // The turn in progress may be that of this message's first attempt.
      const busy = error instanceof AppError && error.code === 'TURN_IN_PROGRESS';
      if (busy || isUniqueViolation(error)) {
        return { message: await this.withExpectedReplies(await this.findReplayed(command, channel, error)), replayed: true };
      }
      if (isForeignKeyViolation(error)) throw new AppError('CHANNEL_NOT_FOUND', `Channel ${channel.id} has been deleted.`);
      throw error;
    }
  }

  /** The statements that store a message, for a transaction that does more. The first appends the journal entry. */
  insertionStatements(draft: MessageDraft, tentative = false): Statement[] {
    return [
      append('message.created', draft.channelId, draft, draft.createdAt),
      this.repository.insert(draft),
      ...this.hooks.onMessageStored(draft, tentative),
    ];
  }

  /** Builds the message to be stored, with ids, times and expected replies. */
  draft(command: PostMessage, channel: Channel): MessageDraft {
    const id = (command.id ?? newId()).toLowerCase();
    const now = this.clock.now();
    return {
      id,
      channelId: channel.id,
      serverId: channel.serverId,
      authorId: command.authorId.toLowerCase(),
      authorKind: command.authorKind,
      authorName: command.authorName ?? null,
      content: toWellFormed(command.content),
      rawMessage: command.rawMessage ?? null,
      sourceType: command.sourceType,
      sourceId: command.sourceId ?? null,
      metadata: command.metadata ?? {},
      inReplyTo: command.inReplyTo?.toLowerCase() ?? null,
      clientMessageId: command.clientMessageId ?? null,
      vouched: command.vouched,
      awaiting: this.expectedReplies(command, channel, id),
      createdAt: now,
      updatedAt: now,
    };
  }

  /** Author ids by message id, without messages that do not exist. */
  authors(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.repository.authors(ids);
  }

  /** Authors and beginnings of messages. @param length characters */
  beginnings(ids: readonly string[], length: number): Promise<ReadonlyMap<string, MessageBeginning>> {
    return this.repository.beginnings(ids, length);
  }

  find(id: string): Promise<Message | undefined> {
    return this.repository.find(id);
  }

  /** The messages that exist among at most 100 ids. */
  findAll(ids: readonly string[]): Promise<Message[]> {
    return this.repository.findAll(ids);
  }

  /** @throws AppError MESSAGE_NOT_FOUND */
  async require(id: string): Promise<Message> {
    const message = await this.repository.find(id);
    if (!message) throw messageNotFound(id);
    return message;
  }

  /**
   * Changes a stored message and the agents' memories of it.
   *
   * @param caller a changed message of a user for whom its credential does not vouch is no longer vouched
   * @throws AppError MESSAGE_NOT_FOUND, VALIDATION_ERROR for a size
   */
  async update(id: string, change: UpdateMessage, caller: Editor): Promise<Message> {
    const users = usersOf(caller);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as UpdateMessage;
    return this.unitOfWork.run('update message', async (tx) => {
      const stored = await this.repository.findIn(tx, id);
      if (!stored) throw messageNotFound(id);
      if (Object.keys(given).length === 0) return stored;
      const content = toWellFormed(given.content ?? stored.content);
      const { authorId = stored.authorId } = given;
      const rewrites = given.content !== undefined || given.rawMessage !== undefined || authorId !== stored.authorId;
      const vouched = stored.vouched && (!rewrites || [stored.authorId, authorId].every((author) => vouchesFor(users, author)));
      const next = {
        ...stored,
        rawMessage: updatedRawMessage(stored, given),
        ...given,
        content,
        vouched,
        updatedAt: this.clock.now(),
      };
      assertMessageSize(next);
      const { seq: _seq, offset: _offset, ...payload } = next;
      await tx.apply([
        this.repository.update(next),
        ...(await this.hooks.onMessageEdited(next, tx, caller.id)),
        append('message.updated', next.channelId, payload, next.updatedAt),
      ]);
      return next;
    });
  }

  /** Messages of a channel, newest first. @throws AppError CHANNEL_NOT_FOUND */
  async history(channelId: string, query: HistoryQuery): Promise<HistoryPage> {
    await this.channels.require(channelId);
    const { rows, more } = await this.repository.page(channelId, query);
    const forward = query.after !== undefined && query.before === undefined;
    return { messages: forward ? rows.reverse() : rows, hasMore: more };
  }

  /**
   * The messages after position `after` that the turn of the message at `upTo` may see: users' messages up to `upTo` and all messages
   * of agents. The newest `limit` of them, oldest first.
   */
  transcript(channelId: string, after: number, upTo: number, limit: number): Promise<Message[]> {
    return this.repository.transcript(channelId, after, upTo, limit);
  }

  /** Appends a client's completion report to the channel's journal. @throws AppError MESSAGE_NOT_FOUND, CHANNEL_NOT_FOUND */
  async announceCompletion({ messageId, channelId, status, error }: Completion): Promise<void> {
    const message = messageId === undefined ? undefined : await this.require(messageId);
    const { id, serverId } = await this.channels.require(message?.channelId ?? channelId ?? '');
    const entry = { channelId: id, serverId, messageId: message?.id ?? null, status, ...(error === undefined ? {} : { error }) };
    await this.unitOfWork.commit([append('message.completed', id, entry, this.clock.now())]);
  }

  /** @throws AppError MESSAGE_NOT_FOUND */
  async delete(channelId: string, messageId: string): Promise<void> {
    const channel = await this.channels.require(channelId);
    await this.unitOfWork.run('delete message', async (tx) => {
      await tx.apply([
        ...(await this.hooks.onMessagesDeleted(channel, [messageId], tx)),
        this.repository.delete(channelId, messageId, ({ changed }) => (changed === 0 ? messageNotFound(messageId, channelId) : undefined)),
        this.deletedEvent(channelId, messageId),
      ]);
    });
  }

  /**
   * Cancels the replies to a message that are still pending; the message stays.
   *
   * @returns the cancelled replies, none when all have ended
   * @throws AppError CHANNEL_NOT_FOUND, MESSAGE_NOT_FOUND
   */
  async cancelReplies(channelId: string, messageId: string): Promise<CancelledReplies['replies']> {
    const channel = await this.channels.require(channelId);
    const message = await this.require(messageId);
    if (message.channelId !== channelId) throw messageNotFound(messageId, channelId);
    return this.unitOfWork.run('cancel replies', async (tx) => {
      const { replies, statements } = await this.hooks.onRepliesCancelled(channel, messageId, tx);
      await tx.apply(statements);
      return replies;
    });
  }

  /** Deletes an author's messages in a channel. @returns how many messages there were. @throws AppError CHANNEL_NOT_FOUND */
  async deleteOf(channelId: string, authorId: string): Promise<number> {
    const channel = await this.channels.require(channelId);
    return this.unitOfWork.run('delete messages of an author', async (tx) => {
      const ids = await this.repository.idsOf(tx, channelId, authorId);
      await tx.apply([
        ...(await this.hooks.onMessagesDeleted(channel, ids, tx)),
        this.repository.deleteAll(channelId, ids),
        ...ids.map((id) => this.deletedEvent(channelId, id)),
      ]);
      return ids.length;
    });
  }

  /** Deletes all messages of a channel and cancels its pending turns. @returns the number of deleted messages */
  async clear(channelId: string): Promise<number> {
    const channel = await this.channels.require(channelId);
    return this.unitOfWork.run('clear channel', async (tx) => {
      const before = await this.hooks.onChannelCleared(channel, tx);
      const results = await tx.apply([
        ...before,
        this.repository.clear(channelId),
        append('channel.cleared', channelId, { channelId }, this.clock.now()),
      ]);
      return results[before.length]?.changed ?? 0;
    });
  }

  private deletedEvent(channelId: string, messageId: string): Statement {
    return append('message.deleted', channelId, { messageId, channelId }, this.clock.now());
  }

  private async commit(channel: Channel, draft: MessageDraft, statements: Statement[]): Promise<Outcome[]> {
    const policy = channel.turnPolicy;
    if (policy === 'enqueue' || draft.awaiting.length === 0) return this.unitOfWork.commit(statements);
    return this.unitOfWork.run('post message', async (tx) => {
      await tx.apply(await this.hooks.onConflict(policy, channel, tx));
      return tx.apply(statements);
    });
  }

  /** Reads the agents of a channel that another process has just created. */
  private async learnAgents({ participants }: Channel): Promise<void> {
    const ids = participants.flatMap(({ kind, entityId }) => (kind === 'agent' && !this.agents.find(entityId) ? [entityId] : []));
    await Promise.all(this.agents.unknown(ids).map((id) => this.agents.refresh(id)));
  }

  private expectedReplies(command: PostMessage, channel: Channel, messageId: string): MessageDraft['awaiting'] {
    if (command.authorKind === 'agent' || command.wantsReply === false) return [];
    const present = channel.participants.flatMap(({ kind, entityId }) => {
      const agent = kind === 'agent' && entityId !== command.authorId ? this.agents.find(entityId) : undefined;
      return agent?.status === 'active' ? [agent] : [];
    });
    return responders(command, present).map(({ id }) => ({ agentId: id, replyId: idForAgent(id, `reply:${messageId}`) }));
  }

  /** Adds the replies that were expected when the message was stored, unless retention has deleted the journal entry. */
  private async withExpectedReplies(message: Message): Promise<Message> {
    const [entry] = await this.journal.read(message.channelId, message.offset - 1, message.offset);
    return entry?.type === 'message.created' ? { ...message, awaiting: entry.payload.awaiting } : message;
  }

  /** The stored message that caused the conflict, if it equals the posted one. @throws AppError MESSAGE_EXISTS, or the conflict */
  private async findReplayed(command: PostMessage, channel: Channel, conflict: unknown): Promise<Message> {
    const found =
      (command.id === undefined ? undefined : await this.repository.find(command.id.toLowerCase())) ??
      (command.clientMessageId
        ? await this.repository.findByClientId(channel.id, command.authorId.toLowerCase(), command.clientMessageId)
        : undefined);
    if (!found) throw conflict;
    const same =
      found.channelId === channel.id &&
      found.authorId === command.authorId.toLowerCase() &&
      found.content === toWellFormed(command.content);
    if (!same || !isDeepStrictEqual(found.rawMessage, toPlainJson(command.rawMessage ?? null))) {
      throw new AppError(
        'MESSAGE_EXISTS',
        'A message with this id exists and differs from the one sent.',
        `Message ${found.id}; send a new id for a new message.`,
      );
    }
    reportCommit(found.offset);
    return found;
  }
}

/** Keeps `rawMessage.text` equal to a changed `content`. */
function updatedRawMessage({ rawMessage }: Message, { content }: UpdateMessage): Message['rawMessage'] {
  return content !== undefined && typeof rawMessage?.['text'] === 'string' ? { ...rawMessage, text: content } : rawMessage;
}

/** PostgreSQL cannot store NUL. Request bodies are validated earlier, but not every interface has a body. */
function rejectNul(command: PostMessage): void {
  const field = Object.entries(command).find(([, value]) => typeof value === 'string' && value.includes('\0'))?.[0];
  if (field !== undefined) throw new AppError('VALIDATION_ERROR', `${field} must not contain the character NUL`);
}

/** Replaces lone surrogates, which truncated text may end with, by U+FFFD, as the database does. */
function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** The value as read back from the database, without undefined keys. */
function toPlainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
