import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, isUniqueViolation, UnitOfWork, type Outcome, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { idForAgent, newId } from '../../core/ids/index.js';
import { append, positionOf } from '../../core/journal/index.js';
import { AgentsService } from '../agents/index.js';
import type { Channel } from './channel-types.js';
import { ChannelsService } from './channels.service.js';
import type { HistoryPage, HistoryQuery, Message, Posted, PostMessage } from './messages.types.js';
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
    private readonly agents: AgentsService,
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
      if (isUniqueViolation(error)) return { message: await this.stored(command, channel, error), replayed: true };
      if (isForeignKeyViolation(error)) throw new AppError('CHANNEL_NOT_FOUND', `Channel ${channel.id} was deleted meanwhile.`);
      throw error;
    }
  }

  /** The statements that store a message, for a unit that does more than that. The first appends the journal entry. */
  insertion(draft: Draft): Statement[] {
    return [
      append('message.created', draft.channelId, draft, draft.createdAt),
      this.repository.insert(draft),
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
      content: command.content,
      rawMessage: command.rawMessage ?? null,
      sourceType: command.sourceType,
      sourceId: command.sourceId ?? null,
      metadata: command.metadata ?? {},
      inReplyTo: command.inReplyTo?.toLowerCase() ?? null,
      clientMessageId: command.clientMessageId ?? null,
      awaiting: this.awaiting(command, channel, id),
      createdAt: now,
      updatedAt: now,
    };
  }

  find(id: string): Promise<Message | undefined> {
    return this.repository.find(id);
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
    await this.channels.require(channelId);
    const missing = ({ changed }: Outcome): AppError | undefined =>
      changed === 0 ? new AppError('MESSAGE_NOT_FOUND', `Message ${messageId} not found in channel ${channelId}`) : undefined;
    await this.unitOfWork.commit([
      this.repository.delete(channelId, messageId, missing),
      ...this.obligations.all().flatMap((obligation) => obligation.release(channelId, messageId)),
      append('message.deleted', channelId, { messageId, channelId }, this.clock.now()),
    ]);
  }

  /** Deletes all messages of a channel and cancels what is owed there. @returns how many there were */
  async clear(channelId: string): Promise<number> {
    await this.channels.require(channelId);
    const release = this.obligations.all().flatMap((obligation) => obligation.release(channelId));
    const results = await this.unitOfWork.commit([
      ...release,
      this.repository.clear(channelId),
      append('channel.cleared', channelId, { channelId }, this.clock.now()),
    ]);
    return results[release.length]?.changed ?? 0;
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

  /** The message that stands in the way of a second one with the same id, if it is the same message. */
  private async stored(command: PostMessage, channel: Channel, conflict: unknown): Promise<Message> {
    const found =
      (command.id === undefined ? undefined : await this.repository.find(command.id.toLowerCase())) ??
      (command.clientMessageId
        ? await this.repository.findByClientId(channel.id, command.authorId.toLowerCase(), command.clientMessageId)
        : undefined);
    if (!found) throw conflict;
    const same = found.channelId === channel.id && found.authorId === command.authorId.toLowerCase() && found.content === command.content;
    if (!same || !isDeepStrictEqual(found.rawMessage, plain(command.rawMessage ?? null))) {
      throw new AppError(
        'MESSAGE_EXISTS',
        'A message with this id exists and differs from the one sent.',
        `Message ${found.id}; send a new id for a new message.`,
      );
    }
    return { ...found, awaiting: this.awaiting(command, channel, found.id) };
  }
}

/** PostgreSQL cannot keep it. Bodies were looked at before, but not every door has a body. */
function refuseNul(command: PostMessage): void {
  const field = Object.entries(command).find(([, value]) => typeof value === 'string' && value.includes('\0'))?.[0];
  if (field !== undefined) throw new AppError('VALIDATION_ERROR', `${field} must not contain the character NUL`);
}

/** As the value comes back from the database: keys that were undefined are gone. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
