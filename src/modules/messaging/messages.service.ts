import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  isForeignKeyViolation,
  isUniqueViolation,
  UnitOfWork,
  type Outcome,
  type Statement,
  type Transaction,
} from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { vouchesFor, type Users } from '../../core/http/index.js';
import { idForAgent, newId } from '../../core/ids/index.js';
import { append, Journal, positionOf } from '../../core/journal/index.js';
import { AgentsService } from '../agents/index.js';
import { AttachmentKeepers } from './attachments.js';
import type { Channel } from './channel-types.js';
import { ChannelsService } from './channels.service.js';
import type { HistoryPage, HistoryQuery, Message, Posted, PostMessage, UpdateMessage } from './messages.types.js';
import { messageNotFound } from './messaging.errors.js';
import { Obligations } from './obligations.js';
import { responders } from './responders.policy.js';
import { MessagesRepository } from './repositories/messages.repository.js';

type Draft = Omit<Message, 'seq' | 'offset'>;

/** The one write path of messages: every door ends in `post`, and nothing else inserts a message. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly repository: MessagesRepository,
    private readonly channels: ChannelsService,
    private readonly obligations: Obligations,
    private readonly attachments: AttachmentKeepers,
    private readonly agents: AgentsService,
    private readonly journal: Journal,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a message, what it makes agents owe, and its journal entry, in one unit; resolves when that is on disk.
   *
   * @param before statements that belong into the same unit, run first (a session's renewal, a turn's end)
   * @throws AppError CHANNEL_NOT_FOUND, MESSAGE_EXISTS, TURN_IN_PROGRESS, VALIDATION_ERROR for a NUL, or what a statement
   *   in `before` refuses with
   */
  async post(command: PostMessage, before: readonly Statement[] = []): Promise<Posted> {
    refuseNul(command);
    const channel = await this.channels.require(command.channelId);
    const draft = this.draft(command, channel);
    const statements = [...before, ...this.insertion(draft)];
    try {
      const results = await this.commit(channel, draft, statements);
      const { offset, seq } = positionOf(results[before.length]);
      return { message: { ...draft, offset, seq }, replayed: false };
    } catch (error) {
      // The answer that stands in its way may be its own.
      const busy = error instanceof AppError && error.code === 'TURN_IN_PROGRESS';
      if (busy || isUniqueViolation(error)) {
        return { message: await this.withOwed(await this.stored(command, channel, error)), replayed: true };
      }
      if (isForeignKeyViolation(error)) throw new AppError('CHANNEL_NOT_FOUND', `Channel ${channel.id} was deleted meanwhile.`);
      throw error;
    }
  }

  /** The statements that store a message, for a unit that does more than that. The first appends the journal entry. */
  insertion(draft: Draft): Statement[] {
    return [
      append('message.created', draft.channelId, draft, draft.createdAt),
      this.repository.insert(draft),
      ...this.attachments.attach(draft),
      ...(draft.awaiting.length > 0 ? this.obligations.all().flatMap((obligation) => obligation.statements(draft)) : []),
    ];
  }

  /** A message as it will be stored, ids and times filled in. */
  draft(command: PostMessage, channel: Channel): Draft {
    const id = (command.id ?? newId()).toLowerCase();
    const now = this.clock.now();
    return {
      id,
      channelId: channel.id,
      serverId: channel.serverId,
      authorId: command.authorId.toLowerCase(),
      authorKind: command.authorKind,
      authorName: command.authorName ?? null,
      content: whole(command.content),
      rawMessage: command.rawMessage ?? null,
      sourceType: command.sourceType,
      sourceId: command.sourceId ?? null,
      metadata: command.metadata ?? {},
      inReplyTo: command.inReplyTo?.toLowerCase() ?? null,
      clientMessageId: command.clientMessageId ?? null,
      vouched: command.vouched,
      awaiting: this.awaiting(command, channel, id),
      createdAt: now,
      updatedAt: now,
    };
  }

  /** Who wrote messages, by the message; those that are gone are not among them. */
  authors(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.repository.authors(ids);
  }

  find(id: string): Promise<Message | undefined> {
    return this.repository.find(id);
  }

  /** Those of the ids that there are; at most 100 ids. */
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
   * Changes a stored message; agents that remember it remember the new text.
   *
   * @param users whom the caller's credential vouches for; words that it changes in others' names are not vouched for any more
   * @throws AppError MESSAGE_NOT_FOUND
   */
  async update(id: string, change: UpdateMessage, users: Users): Promise<Message> {
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as UpdateMessage;
    return this.unitOfWork.run('update message', async (tx) => {
      const stored = await this.repository.findIn(tx, id);
      if (!stored) throw messageNotFound(id);
      if (Object.keys(given).length === 0) return stored;
      const content = whole(given.content ?? stored.content);
      const { authorId = stored.authorId } = given;
      const rewrites = given.content !== undefined || given.rawMessage !== undefined || authorId !== stored.authorId;
      const vouched = stored.vouched && (!rewrites || [stored.authorId, authorId].every((author) => vouchesFor(users, author)));
      const next = { ...stored, rawMessage: rawAfter(stored, given), ...given, content, vouched, updatedAt: this.clock.now() };
      const { seq: _seq, offset: _offset, ...payload } = next;
      for (const obligation of this.obligations.all()) await tx.apply(await obligation.revise(next, tx));
      await tx.apply([
        this.repository.update(next),
        ...this.attachments.replace(next),
        append('message.updated', next.channelId, payload, next.updatedAt),
      ]);
      return next;
    });
  }

  /** Messages of a channel, newest first. @throws AppError CHANNEL_NOT_FOUND */
  async history(channelId: string, query: HistoryQuery): Promise<HistoryPage> {
    await this.channels.require(channelId);
    const found = await this.repository.page(channelId, query);
    const page = found.slice(0, query.limit);
    const forward = query.after !== undefined && query.before === undefined;
    return { messages: forward ? page.reverse() : page, hasMore: found.length > query.limit };
  }

  /**
   * What was said behind the position `after`, as the turn of the message at `upTo` may see it: users' messages up to that
   * one and all that agents said; the newest `limit`, oldest first.
   */
  said(channelId: string, after: number, upTo: number, limit: number): Promise<Message[]> {
    return this.repository.said(channelId, after, upTo, limit);
  }

  /** @throws AppError MESSAGE_NOT_FOUND */
  async delete(channelId: string, messageId: string): Promise<void> {
    const channel = await this.channels.require(channelId);
    await this.unitOfWork.run('delete message', async (tx) => {
      await this.withdraw(channel, tx, [messageId]);
      await tx.apply(
        this.removal(channelId, messageId, ({ changed }) => (changed === 0 ? messageNotFound(messageId, channelId) : undefined)),
      );
    });
  }

  /** Deletes what somebody has written in a channel. @returns how many messages there were. @throws AppError CHANNEL_NOT_FOUND */
  async deleteOf(channelId: string, authorId: string): Promise<number> {
    const channel = await this.channels.require(channelId);
    return this.unitOfWork.run('delete messages of an author', async (tx) => {
      const ids = await this.repository.idsOf(tx, channelId, authorId);
      await this.withdraw(channel, tx, ids);
      await tx.apply(ids.flatMap((id) => this.removal(channelId, id)));
      return ids.length;
    });
  }

  /** Deletes all messages of a channel and cancels what is owed there. @returns how many there were */
  async clear(channelId: string): Promise<number> {
    const channel = await this.channels.require(channelId);
    return this.unitOfWork.run('clear channel', async (tx) => {
      await this.withdraw(channel, tx);
      const release = this.obligations.all().flatMap((obligation) => obligation.release(channelId));
      const results = await tx.apply([
        ...release,
        this.repository.clear(channelId),
        append('channel.cleared', channelId, { channelId }, this.clock.now()),
      ]);
      return results[release.length]?.changed ?? 0;
    });
  }

  /** Whoever sees an answer being made hears that it ends. */
  private async withdraw(channel: Channel, tx: Transaction, messageIds?: readonly string[]): Promise<void> {
    for (const obligation of this.obligations.all()) await tx.apply(await obligation.withdraw(channel, tx, messageIds));
  }

  private removal(channelId: string, messageId: string, refuse?: Statement['refuse']): Statement[] {
    return [
      this.repository.delete(channelId, messageId, refuse),
      ...this.obligations.all().flatMap((obligation) => obligation.release(channelId, messageId)),
      append('message.deleted', channelId, { messageId, channelId }, this.clock.now()),
    ];
  }

  private async commit(channel: Channel, draft: Draft, statements: Statement[]): Promise<Outcome[]> {
    const policy = channel.turnPolicy;
    if (policy === 'enqueue' || draft.awaiting.length === 0) return this.unitOfWork.commit(statements);
    return this.unitOfWork.run('post message', async (tx) => {
      for (const obligation of this.obligations.all()) await tx.apply(await obligation.makeRoom(policy, channel, tx));
      return tx.apply(statements);
    });
  }

  private awaiting(command: PostMessage, channel: Channel, messageId: string): Draft['awaiting'] {
    if (command.authorKind === 'agent' || command.wantsReply === false) return [];
    const present = channel.participants.flatMap(({ kind, entityId }) => {
      const agent = kind === 'agent' && entityId !== command.authorId ? this.agents.find(entityId) : undefined;
      return agent?.status === 'active' ? [agent] : [];
    });
    return responders(command, present).map(({ id }) => ({ agentId: id, replyId: idForAgent(id, `reply:${messageId}`) }));
  }

  /** With the answers that were owed to it when it was stored, as far as the journal still tells. */
  private async withOwed(message: Message): Promise<Message> {
    const [entry] = await this.journal.read(message.channelId, message.offset - 1, message.offset);
    return entry?.type === 'message.created' ? { ...message, awaiting: entry.payload.awaiting } : message;
  }

  /** The message that stands in the way of a second one with the same id, if it is the same message. */
  private async stored(command: PostMessage, channel: Channel, conflict: unknown): Promise<Message> {
    const found =
      (command.id === undefined ? undefined : await this.repository.find(command.id.toLowerCase())) ??
      (command.clientMessageId
        ? await this.repository.findByClientId(channel.id, command.authorId.toLowerCase(), command.clientMessageId)
        : undefined);
    if (!found) throw conflict;
    const same =
      found.channelId === channel.id && found.authorId === command.authorId.toLowerCase() && found.content === whole(command.content);
    if (!same || !isDeepStrictEqual(found.rawMessage, plain(command.rawMessage ?? null))) {
      throw new AppError(
        'MESSAGE_EXISTS',
        'A message with this id exists and differs from the one sent.',
        `Message ${found.id}; send a new id for a new message.`,
      );
    }
    return found;
  }
}

/** What repeats the text beside `content` follows it. */
function rawAfter({ rawMessage }: Message, { content }: UpdateMessage): Message['rawMessage'] {
  return content !== undefined && typeof rawMessage?.['text'] === 'string' ? { ...rawMessage, text: content } : rawMessage;
}

/** PostgreSQL cannot keep it. Bodies were looked at before, but not every door has a body. */
function refuseNul(command: PostMessage): void {
  const field = Object.entries(command).find(([, value]) => typeof value === 'string' && value.includes('\0'))?.[0];
  if (field !== undefined) throw new AppError('VALIDATION_ERROR', `${field} must not contain the character NUL`);
}

/** As the database keeps it: half a character, as text that was cut may end with, is U+FFFD. */
function whole(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** As the value comes back from the database: keys that were undefined are gone. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
