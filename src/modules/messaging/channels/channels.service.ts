import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { auditEntry } from '../../../core/audit/index.js';
import { Clock } from '../../../core/clock/index.js';
import {
  isForeignKeyViolation,
  isUniqueViolation,
  STORE,
  UnitOfWork,
  type Outcome,
  type Row,
  type Statement,
  type Store,
  type Transaction,
} from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { vouchesFor, type ListPosition, type Users } from '../../../core/http/index.js';
import { DEFAULT_SERVER_ID, newId } from '../../../core/ids/index.js';
import { append, appendFirst, Journal } from '../../../core/journal/index.js';
import { assertMetadataSize } from '../../../core/metadata/index.js';
import { AgentsService } from '../../agents/index.js';
import { ChannelCache } from './channel-cache.js';
import { sortParticipants, toJournalChannel, toChannel, usersIn } from './channel-rows.js';
import type { Channel, ChannelType, TurnPolicy } from './channel-types.js';
import type { ChannelParticipantRow, ChannelRow } from '../entities/index.js';
import { channelNotFound, participantNotFound, serverNotFound } from '../messaging.errors.js';
import { MessageHooks } from '../messages/message-hooks.js';
import { ChannelsRepository, type ServerChannelsQuery, type SharedChannel } from './channels.repository.js';
import { ServersRepository } from '../servers/servers.repository.js';

export interface CreateChannel {
  readonly id?: string;
  readonly serverId?: string;
  readonly name: string;
  readonly type: string;
  readonly channelType: ChannelType;
  readonly description?: string | null;
  readonly sourceType?: string | null;
  readonly sourceId?: string | null;
  readonly metadata?: Record<string, unknown>;
  readonly turnPolicy?: TurnPolicy;
  readonly participants: readonly string[];
  /** Users for whom the creator's credential vouches. */
  readonly users: Users;
}

export interface UpdateChannel {
  readonly name?: string;
  readonly type?: string;
  readonly channelType?: ChannelType;
  readonly description?: string | null;
  /** Replaces the stored object, or is merged into it with `mergeMetadata`. */
  readonly metadata?: Record<string, unknown>;
  readonly mergeMetadata?: boolean;
  /** Replaces the list of participants. */
  readonly participants?: readonly string[];
  readonly joining?: readonly string[];
  /** Fails with PARTICIPANT_NOT_FOUND for a non-participant. */
  readonly leaving?: readonly string[];
  readonly turnPolicy?: TurnPolicy;
  /** Users for whom the credential that changes the participants vouches; none when absent. */
  readonly users?: Users;
}

/** Channels by their creation, newest first. */
export interface UserChannelPage {
  readonly channels: readonly Channel[];
  /** Position of the next page; absent on the last page. */
  readonly next?: Required<ListPosition>;
}

const NO_USERS: Users = new Set();

/** Channels and their participants. */
@Injectable()
export class ChannelsService implements OnModuleInit {
  /** Entries are invalidated when the journal reports a change. */
  private readonly cache = new ChannelCache();

  constructor(
    private readonly repository: ChannelsRepository,
    private readonly servers: ServersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly agents: AgentsService,
    private readonly hooks: MessageHooks,
    private readonly clock: Clock,
    private readonly journal: Journal,
    @Inject(STORE) private readonly store: Pick<Store, 'notifier'>,
  ) {}

  onModuleInit(): void {
    this.journal.subscribe((entry) => {
      if (entry.type === 'channel.updated' || entry.type === 'channel.deleted') this.cache.invalidate(entry.channelId ?? '');
      // Metadata of any channel may have named the user.
      else if (entry.type === 'user.forgotten') this.cache.clear();
    });
  }

  async find(id: string): Promise<Channel | undefined> {
    return this.cache.get(id) ?? this.read(id);
  }

  /** As `require`, with the changes that other processes have just made. @throws AppError CHANNEL_NOT_FOUND */
  async current(id: string): Promise<Channel> {
    const channel = this.store.notifier ? await this.read(id) : await this.find(id);
    if (!channel) throw channelNotFound(id);
    return channel;
  }

  private read(id: string): Promise<Channel | undefined> {
    return this.cache.load(async () => {
      const row = await this.repository.find(id);
      return row ? toChannel(row, await this.repository.participantsOf(id)) : undefined;
    });
  }

  /** @throws AppError CHANNEL_NOT_FOUND */
  async require(id: string): Promise<Channel> {
    const channel = await this.find(id);
    if (!channel) throw channelNotFound(id);
    return channel;
  }

  /** The channels that exist among a few ids, read from the database. */
  async findAll(ids: readonly string[]): Promise<Channel[]> {
    const rows = await this.repository.findAll(ids);
    return Promise.all(rows.map(async (row) => toChannel(row, await this.repository.participantsOf(row.id))));
  }

  /** A page of the channels in which a user takes part, newest first. @param before position after which the page starts */
  async ofUser(userId: string, limit: number, before?: Required<ListPosition>): Promise<UserChannelPage> {
    const rows = await this.repository.ofUser(userId.toLowerCase(), limit + 1, before);
    const channels = await Promise.all(
      rows.slice(0, limit).map(async (row) => toChannel(row, await this.repository.participantsOf(row.id))),
    );
    const last = rows.length > limit ? channels.at(-1) : undefined;
    return { channels, ...(last && { next: { at: last.createdAt, id: last.id } }) };
  }

  /** As `findAll`, in a transaction and without participants. */
  async findAllIn(tx: Transaction, ids: readonly string[]): Promise<Channel[]> {
    return (await this.repository.findAllIn(tx, ids)).map((row) => toChannel(row, []));
  }

  /**
   * Channels of a server in the order of their creation, page by page, as rows for `channelFromRow`.
   *
   * @throws AppError MESSAGE_SERVER_NOT_FOUND
   */
  async ofServer(serverId: string, which: ServerChannelsQuery): Promise<AsyncIterable<readonly Row[]>> {
    if (!(await this.servers.find(serverId))) throw serverNotFound(serverId);
    return this.repository.ofServer(serverId, which);
  }

  /**
   * The statements that create a channel, for a transaction that creates other things with it. Call `created` after the commit.
   */
  prepareCreation(command: CreateChannel): { channel: Channel; statements: Statement[]; created: () => void } {
    const now = this.clock.now();
    const participants = sortParticipants(this.participantsFrom(command.participants, now));
    const channel: Channel = {
      id: command.id ?? newId(),
      serverId: command.serverId ?? DEFAULT_SERVER_ID,
      name: command.name,
      type: command.type,
      channelType: command.channelType,
      description: command.description ?? null,
      sourceType: command.sourceType ?? null,
      sourceId: command.sourceId ?? null,
      metadata: command.metadata ?? {},
      turnPolicy: command.turnPolicy ?? 'enqueue',
      vouched: usersIn(participants).every((userId) => vouchesFor(command.users, userId)),
      createdAt: now,
      updatedAt: now,
      participants,
    };
    return {
      channel,
      statements: [
        this.repository.insertChannel(channel),
        ...this.repository.insertParticipants(channel.id, channel.participants, now),
        (command.id === undefined ? appendFirst : append)('channel.created', channel.id, toJournalChannel(channel), now),
      ],
      created: () => this.cache.set(channel),
    };
  }

  /** @throws AppError MESSAGE_SERVER_NOT_FOUND, CONFLICT when a channel with this id exists */
  async create(command: CreateChannel, createdId?: string): Promise<Channel> {
    const { channel, statements, created } = this.prepareCreation({ ...command, id: command.id ?? createdId });
    try {
      await this.unitOfWork.commit(statements);
    } catch (error) {
      if (isForeignKeyViolation(error)) throw serverNotFound(channel.serverId);
      if (isUniqueViolation(error)) {
        if (command.id === undefined && createdId !== undefined) return this.require(createdId);
        throw new AppError('CONFLICT', `A channel with id ${channel.id} exists.`, 'Omit the id or choose another.');
      }
      throw error;
    }
    created();
    return channel;
  }

  /** @throws AppError CHANNEL_NOT_FOUND, PARTICIPANT_NOT_FOUND */
  async update(id: string, change: UpdateChannel): Promise<Channel> {
    const updated = await this.unitOfWork.run('update channel', (tx) => this.updateIn(tx, id, change));
    // Another process may have changed the channel after this commit.
    this.cache.invalidate(id);
    return updated;
  }

  /** As `update`, in a transaction. */
  async updateIn(tx: Transaction, id: string, change: UpdateChannel): Promise<Channel> {
    const [row, present] = await Promise.all([this.repository.findIn(tx, id), this.repository.participantsIn(tx, id)]);
    if (!row) throw channelNotFound(id);
    const now = this.clock.now();
    const metadata =
      change.metadata && change.mergeMetadata
        ? assertMetadataSize({ ...row.metadata, ...change.metadata })
        : (change.metadata ?? row.metadata);
    const wanted = this.participantsAfter(present, change, id, now);
    const next: ChannelRow = {
      ...row,
      vouched: vouchedAfter(row, present, wanted, change),
      name: change.name ?? row.name,
      type: change.type ?? row.type,
      channelType: change.channelType ?? row.channelType,
      description: change.description === undefined ? row.description : change.description,
      turnPolicy: change.turnPolicy ?? row.turnPolicy,
      metadata,
      updatedAt: now,
    };
    const statements = [this.repository.updateChannel(next)];
    if (wanted !== present) {
      const [before, after] = [present, wanted].map((list) => new Set(list.map(({ entityId }) => entityId))) as [Set<string>, Set<string>];
      const joining = wanted.filter(({ entityId }) => !before.has(entityId));
      const leaving = [...before].filter((entityId) => !after.has(entityId));
      if (leaving.length > 0) {
        statements.push(this.repository.removeParticipants(id, leaving));
        statements.push(...this.hooks.onParticipantsLeft(id, leaving));
      }
      statements.push(...this.repository.insertParticipants(id, joining, now));
    }
    const channel = toChannel(next, wanted);
    await tx.apply([...statements, append('channel.updated', id, toJournalChannel(channel), now)]);
    return channel;
  }

  /** Marks a channel as vouched if the credential vouches for all its users. */
  async vouch(channel: Channel, users: Users): Promise<Channel> {
    const participants = channel.participants.map(({ entityId }) => entityId);
    if (!usersIn(channel.participants).every((userId) => vouchesFor(users, userId))) return channel;
    return this.update(channel.id, { participants, users });
  }

  /**
   * The vouched channels in which all of these users take part. Messages that came since then may be recalled in the presence of the users.
   */
  sharedBy(users: readonly string[]): Promise<SharedChannel[]> {
    return this.repository.sharedBy(users);
  }

  /** The channels among these that list no user; they are open to every user. */
  withoutUsers(channelIds: readonly string[]): Promise<string[]> {
    return this.repository.withoutUsers(channelIds);
  }

  /** Adds a user or agent to the channel unless it is a participant. */
  async join(channel: Channel, entityId: string, users?: Users): Promise<Channel> {
    if (channel.participants.some((participant) => participant.entityId === entityId)) return channel;
    return this.update(channel.id, { joining: [entityId], users });
  }

  /** Deletes a channel with its messages, for a caller. @throws AppError CHANNEL_NOT_FOUND */
  async delete(id: string): Promise<void> {
    await this.unitOfWork.commit([...this.deletionStatements(id), channelDeletion(id, this.clock.now())]);
    this.cache.invalidate(id);
  }

  /** As `delete`, for a channel that the server made and deletes by itself: the audit log has no entry. */
  async discard(id: string): Promise<void> {
    await this.unitOfWork.commit(this.deletionStatements(id));
    this.cache.invalidate(id);
  }

  /** The statements that delete a channel, for a transaction that deletes other things with it. */
  deletionStatements(id: string): Statement[] {
    return [
      ...this.hooks.onChannelDeleted(id),
      this.repository.deleteChannel(id, refuseMissing(id)),
      append('channel.deleted', id, { channelId: id }, this.clock.now()),
    ];
  }

  /** @returns `present` itself when the participants do not change */
  private participantsAfter(
    present: ChannelParticipantRow[],
    change: UpdateChannel,
    channelId: string,
    now: number,
  ): ChannelParticipantRow[] {
    const leaving = new Set(change.leaving?.map((entityId) => entityId.toLowerCase()));
    const known = new Map(present.map((participant) => [participant.entityId, participant]));
    for (const entityId of leaving) if (!known.has(entityId)) throw participantNotFound(entityId, `channel ${channelId}`);
    if (!change.participants && !change.joining && leaving.size === 0) return present;
    const wanted = [...(change.participants ?? known.keys()), ...(change.joining ?? [])];
    return this.participantsFrom(wanted, now)
      .filter(({ entityId }) => !leaving.has(entityId))
      .map((each) => known.get(each.entityId) ?? { channelId, ...each });
  }

  private participantsFrom(ids: readonly string[], joinedAt: number): Channel['participants'] {
    return [...new Set(ids.map((id) => id.toLowerCase()))].map((entityId) => ({
      entityId,
      kind: this.agents.find(entityId) ? ('agent' as const) : ('user' as const),
      joinedAt,
    }));
  }
}

/** A replaced list is vouched if its writer vouches for all users; a changed list only if every writer so far did. */
function vouchedAfter(
  row: ChannelRow,
  before: readonly ChannelParticipantRow[],
  after: readonly ChannelParticipantRow[],
  { participants, users = NO_USERS }: UpdateChannel,
): boolean {
  const [usersBefore, usersAfter] = [usersIn(before), usersIn(after)].map((ids) => new Set(ids)) as [Set<string>, Set<string>];
  const same = usersBefore.size === usersAfter.size && [...usersBefore].every((userId) => usersAfter.has(userId));
  if (same && (row.vouched || participants === undefined)) return row.vouched;
  return (row.vouched || participants !== undefined) && [...usersBefore, ...usersAfter].every((userId) => vouchesFor(users, userId));
}

function refuseMissing(id: string): (outcome: Outcome) => AppError | undefined {
  return ({ changed }) => (changed === 0 ? channelNotFound(id) : undefined);
}

/** The audit log's entry about a channel that is deleted. */
export function channelDeletion(id: string, at: number): Statement {
  return auditEntry('channel.deleted', { target: ['channel', id], summary: 'Deleted the channel with its messages.' }, at);
}
