import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import {
  isForeignKeyViolation,
  isUniqueViolation,
  UnitOfWork,
  type Outcome,
  type Row,
  type Statement,
  type Transaction,
} from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { vouchesFor, type Users } from '../../core/http/index.js';
import { DEFAULT_SERVER_ID, idFromText, newId } from '../../core/ids/index.js';
import { append, Journal, type JournalChannel } from '../../core/journal/index.js';
import { grown } from '../../core/metadata/index.js';
import { AgentsService } from '../agents/index.js';
import type { Channel, ChannelType, TurnPolicy } from './channel-types.js';
import type { ChannelParticipantRow, ChannelRow } from './entities/index.js';
import { channelNotFound, notTakingPart, serverNotFound } from './messaging.errors.js';
import { Obligations } from './obligations.js';
import { ChannelsRepository, toChannelRow, type ChannelsOfServer } from './repositories/channels.repository.js';
import { ServersRepository } from './repositories/servers.repository.js';

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
  /** Whom the creator's credential vouches for. */
  readonly users: Users;
}

export interface UpdateChannel {
  readonly name?: string;
  readonly type?: string;
  readonly channelType?: ChannelType;
  readonly description?: string | null;
  /** Replaces the stored object, or is laid over it with `mergeMetadata`. */
  readonly metadata?: Record<string, unknown>;
  readonly mergeMetadata?: boolean;
  /** Everybody who takes part from now on. */
  readonly participants?: readonly string[];
  readonly joining?: readonly string[];
  /** Who is not there is PARTICIPANT_NOT_FOUND. */
  readonly leaving?: readonly string[];
  readonly turnPolicy?: TurnPolicy;
  /** Users vouched for by the credential that changes the participants; none when absent. */
  readonly users?: Users;
}

const NO_USERS: Users = new Set();
const CACHED_CHANNELS = 20_000;
/** In all channels that are cached together. */
const CACHED_PARTICIPANTS = 200_000;

/** The channel that a fresh installation offers, with every agent in it. */
export const GENERAL_CHANNEL_ID = idFromText(`general:${DEFAULT_SERVER_ID}`);

/** Owner of channels and who takes part in them. */
@Injectable()
export class ChannelsService implements OnModuleInit {
  /** Channels that were used lately; an entry is dropped as soon as the journal reports a change. */
  private readonly cache = new Map<string, Channel>();
  private cachedParticipants = 0;
  /** How many changes of channels were heard of: what was read before one of them may be old. */
  private changes = 0;

  constructor(
    private readonly repository: ChannelsRepository,
    private readonly servers: ServersRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly agents: AgentsService,
    private readonly obligations: Obligations,
    private readonly clock: Clock,
    private readonly journal: Journal,
  ) {}

  async onModuleInit(): Promise<void> {
    this.journal.listen((entry) => {
      if (entry.type === 'channel.updated' || entry.type === 'channel.deleted') this.forget(entry.channelId ?? '');
    });
    try {
      await this.ensureDefaults();
    } catch (error) {
      // Another process that starts at the same time has made them: now they are there.
      if (!isUniqueViolation(error)) throw error;
      await this.ensureDefaults();
    }
  }

  async find(id: string): Promise<Channel | undefined> {
    const cached = this.cache.get(id);
    if (cached) return cached;
    const { changes } = this;
    const row = await this.repository.find(id);
    if (!row) return undefined;
    const channel = toChannel(row, await this.repository.participantsOf(id));
    if (changes === this.changes) this.remember(channel);
    return channel;
  }

  /** @throws AppError CHANNEL_NOT_FOUND */
  async require(id: string): Promise<Channel> {
    const channel = await this.find(id);
    if (!channel) throw channelNotFound(id);
    return channel;
  }

  /** Those of a few ids that there are, as the database has them now. */
  async findAll(ids: readonly string[]): Promise<Channel[]> {
    const rows = await this.repository.findAll(ids);
    return Promise.all(rows.map(async (row) => toChannel(row, await this.repository.participantsOf(row.id))));
  }

  /** As `findAll`, as a part of a larger unit; without who takes part. */
  async findAllIn(tx: Transaction, ids: readonly string[]): Promise<Channel[]> {
    return (await this.repository.findAllIn(tx, ids)).map((row) => toChannel(row, []));
  }

  /**
   * Channels of a server in the order of their creation, page by page; `channelOf` makes one of a row.
   *
   * @throws AppError MESSAGE_SERVER_NOT_FOUND
   */
  async ofServer(serverId: string, which: ChannelsOfServer): Promise<AsyncIterable<readonly Row[]>> {
    if (!(await this.servers.find(serverId))) throw serverNotFound(serverId);
    return this.repository.ofServer(serverId, which);
  }

  /**
   * The statements that create a channel, for a unit that creates something else with it; `created` is to be called when
   * that is committed.
   */
  creation(command: CreateChannel): { channel: Channel; statements: Statement[]; created: () => void } {
    const now = this.clock.now();
    const participants = inOrder(this.participantsFrom(command.participants, now));
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
        append('channel.created', channel.id, journalChannel(channel), now),
      ],
      created: () => this.remember(channel),
    };
  }

  /** @throws AppError MESSAGE_SERVER_NOT_FOUND, CONFLICT when a channel with this id exists */
  async create(command: CreateChannel, createdId?: string): Promise<Channel> {
    const { channel, statements, created } = this.creation({ ...command, id: command.id ?? createdId });
    try {
      await this.unitOfWork.commit(statements);
    } catch (error) {
      if (isForeignKeyViolation(error)) throw serverNotFound(channel.serverId);
      if (isUniqueViolation(error)) {
        if (command.id === undefined && createdId !== undefined) return this.require(createdId);
        throw new AppError('CONFLICT', `A channel with id ${channel.id} exists.`, 'Leave the id out or choose another.');
      }
      throw error;
    }
    created();
    return channel;
  }

  /** @throws AppError CHANNEL_NOT_FOUND, PARTICIPANT_NOT_FOUND */
  async update(id: string, change: UpdateChannel): Promise<Channel> {
    const updated = await this.unitOfWork.run('update channel', (tx) => this.updateIn(tx, id, change));
    // Another process may have changed it since.
    this.forget(id);
    return updated;
  }

  /** As `update`, as a part of a larger unit. */
  async updateIn(tx: Transaction, id: string, change: UpdateChannel): Promise<Channel> {
    const row = await this.repository.findIn(tx, id);
    if (!row) throw channelNotFound(id);
    const now = this.clock.now();
    const metadata =
      change.metadata && change.mergeMetadata ? grown({ ...row.metadata, ...change.metadata }) : (change.metadata ?? row.metadata);
    const present = await this.repository.participantsIn(tx, id);
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
    const statements = [this.repository.updateChannel(next, refuseUnchanged(id))];
    if (wanted !== present) {
      const [before, after] = [present, wanted].map((list) => new Set(list.map(({ entityId }) => entityId))) as [Set<string>, Set<string>];
      const joining = wanted.filter(({ entityId }) => !before.has(entityId));
      const leaving = [...before].filter((entityId) => !after.has(entityId));
      if (leaving.length > 0) {
        statements.push(this.repository.removeParticipants(id, leaving));
        statements.push(...this.obligations.all().flatMap((obligation) => obligation.leave?.(id, leaving) ?? []));
      }
      statements.push(...this.repository.insertParticipants(id, joining, now));
    }
    const channel = toChannel(next, wanted);
    await tx.apply([...statements, append('channel.updated', id, journalChannel(channel), now)]);
    return channel;
  }

  /** Lets who vouches for everybody in a channel write its list anew. */
  async vouch(channel: Channel, users: Users): Promise<Channel> {
    const participants = channel.participants.map(({ entityId }) => entityId);
    if (!usersIn(channel.participants).every((userId) => vouchesFor(users, userId))) return channel;
    return this.update(channel.id, { participants, users });
  }

  /**
   * Ids of the channels in whose lists all of these users stand, as far as the lists are vouched for: what was said there may be
   * said before them.
   */
  sharedBy(users: readonly string[]): Promise<string[]> {
    return this.repository.sharedBy(users);
  }

  /** Those of the channels that list no user, so that anybody may be there. */
  openAmong(channelIds: readonly string[]): Promise<string[]> {
    return this.repository.openAmong(channelIds);
  }

  /** Makes sure that a user or agent is listed in the channel. */
  async join(channel: Channel, entityId: string, users?: Users): Promise<Channel> {
    if (channel.participants.some((participant) => participant.entityId === entityId)) return channel;
    return this.update(channel.id, { joining: [entityId], users });
  }

  /** Deletes a channel with its messages. @throws AppError CHANNEL_NOT_FOUND */
  async delete(id: string): Promise<void> {
    await this.unitOfWork.commit(this.removal(id));
    this.forget(id);
  }

  /** The statements that delete a channel, for a unit that deletes more than that. */
  removal(id: string): Statement[] {
    return [
      ...this.obligations.all().flatMap((obligation) => [...obligation.release(id), ...(obligation.dissolve?.(id) ?? [])]),
      this.repository.deleteChannel(id, refuseUnchanged(id)),
      append('channel.deleted', id, { channelId: id }, this.clock.now()),
    ];
  }

  /** The same list when nothing about it changes. */
  private participantsAfter(
    present: ChannelParticipantRow[],
    change: UpdateChannel,
    channelId: string,
    now: number,
  ): ChannelParticipantRow[] {
    const leaving = new Set(change.leaving?.map((entityId) => entityId.toLowerCase()));
    const known = new Map(present.map((participant) => [participant.entityId, participant]));
    for (const entityId of leaving) if (!known.has(entityId)) throw notTakingPart(entityId, `channel ${channelId}`);
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

  private remember(channel: Channel): void {
    this.drop(channel.id);
    this.cache.set(channel.id, channel);
    this.cachedParticipants += channel.participants.length;
    for (const oldest of this.cache.keys()) {
      if (this.cache.size <= CACHED_CHANNELS && this.cachedParticipants <= CACHED_PARTICIPANTS) break;
      this.drop(oldest);
    }
  }

  private forget(channelId: string): void {
    this.changes += 1;
    this.drop(channelId);
  }

  private drop(channelId: string): void {
    this.cachedParticipants -= this.cache.get(channelId)?.participants.length ?? 0;
    this.cache.delete(channelId);
  }

  /** What every installation has: the default server, and a channel with all agents so that anything can be tried at once. */
  private async ensureDefaults(): Promise<void> {
    const now = this.clock.now();
    const general = await this.repository.find(GENERAL_CHANNEL_ID);
    const agentIds = this.agents.list().map((agent) => agent.id);
    const statements = [
      this.servers.insert({
        id: DEFAULT_SERVER_ID,
        name: 'Default server',
        sourceType: 'parley',
        sourceId: null,
        metadata: {},
        createdAt: now,
        updatedAt: now,
      }),
    ];
    if (!general) {
      const creation = this.creation({
        id: GENERAL_CHANNEL_ID,
        name: 'general',
        type: 'text',
        channelType: 'GROUP',
        participants: agentIds,
        users: 'all',
      });
      statements.push(...creation.statements);
    } else {
      const present = await this.repository.participantsOf(GENERAL_CHANNEL_ID);
      const known = new Set(present.map(({ entityId }) => entityId));
      const joining = agentIds
        .filter((agentId) => !known.has(agentId))
        .map((entityId) => ({ channelId: GENERAL_CHANNEL_ID, entityId, kind: 'agent' as const, joinedAt: now }));
      statements.push(...this.repository.insertParticipants(GENERAL_CHANNEL_ID, joining, now));
      if (joining.length > 0) {
        statements.push(append('channel.updated', general.id, journalChannel(toChannel(general, [...present, ...joining])), now));
      }
    }
    await this.unitOfWork.commit(statements);
  }
}

/** A channel out of a row of `ofServer`, without who takes part. */
export function channelOf(row: Row): Channel {
  return toChannel(toChannelRow(row), []);
}

function toChannel(row: ChannelRow, participants: readonly ChannelParticipantRow[]): Channel {
  return {
    id: row.id,
    serverId: row.serverId,
    name: row.name,
    type: row.type,
    channelType: row.channelType as ChannelType,
    description: row.description,
    sourceType: row.sourceType,
    sourceId: row.sourceId,
    metadata: row.metadata,
    turnPolicy: row.turnPolicy as TurnPolicy,
    vouched: row.vouched,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    participants: inOrder(participants).map(({ entityId, kind, joinedAt }) => ({ entityId, kind, joinedAt })),
  };
}

/** As the database lists them, for channels that were not read from it: who answers goes by this order. */
function inOrder<T extends Pick<ChannelParticipantRow, 'joinedAt' | 'entityId'>>(participants: readonly T[]): T[] {
  return [...participants].sort((a, b) => a.joinedAt - b.joinedAt || (a.entityId < b.entityId ? -1 : 1));
}

function usersIn(participants: Channel['participants']): string[] {
  return participants.filter(({ kind }) => kind === 'user').map(({ entityId }) => entityId);
}

/** A list that is written anew is as good as who wrote it; one that is changed is as good as the worst of who changed it. */
function vouchedAfter(
  row: ChannelRow,
  before: readonly ChannelParticipantRow[],
  after: readonly ChannelParticipantRow[],
  { participants, users = NO_USERS }: UpdateChannel,
): boolean {
  const [were, are] = [usersIn(before), usersIn(after)];
  const same = were.length === are.length && were.every((userId) => are.includes(userId));
  if (same && (row.vouched || participants === undefined)) return row.vouched;
  return (row.vouched || participants !== undefined) && [...were, ...are].every((userId) => vouchesFor(users, userId));
}

export function journalChannel(channel: Channel): JournalChannel {
  const { id, serverId, name, type, channelType, description, metadata, turnPolicy, createdAt, updatedAt, participants } = channel;
  const participantIds = participants.map(({ entityId }) => entityId);
  return { id, serverId, name, type, channelType, description, metadata, turnPolicy, createdAt, updatedAt, participantIds };
}

function refuseUnchanged(id: string): (outcome: Outcome) => AppError | undefined {
  return ({ changed }) => (changed === 0 ? channelNotFound(id) : undefined);
}
