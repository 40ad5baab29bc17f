import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, isUniqueViolation, UnitOfWork, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { DEFAULT_SERVER_ID, idFromText, newId } from '../../core/ids/index.js';
import { append, Journal, type JournalChannel } from '../../core/journal/index.js';
import { AgentsService } from '../agents/index.js';
import type { Channel, ChannelType, TurnPolicy } from './channel-types.js';
import type { ChannelParticipantRow, ChannelRow } from './entities/index.js';
import { Obligations } from './obligations.js';
import { ChannelsRepository } from './repositories/channels.repository.js';

export interface CreateChannel {
  readonly id?: string;
  readonly serverId?: string;
  readonly name: string;
  readonly type: string;
  readonly channelType: ChannelType;
  readonly description?: string | null;
  readonly metadata?: Record<string, unknown>;
  readonly turnPolicy?: TurnPolicy;
  readonly participants: readonly string[];
}

export interface UpdateChannel {
  readonly name?: string;
  readonly description?: string | null;
  /** Replaces the stored object, or is laid over it with `mergeMetadata`. */
  readonly metadata?: Record<string, unknown>;
  readonly mergeMetadata?: boolean;
  readonly participants?: readonly string[];
  readonly turnPolicy?: TurnPolicy;
}

const CACHED_CHANNELS = 20_000;

/** The channel that a fresh installation offers, with every agent in it. */
export const GENERAL_CHANNEL_ID = idFromText(`general:${DEFAULT_SERVER_ID}`);

/** Owner of message servers, channels and who takes part in them. */
@Injectable()
export class ChannelsService implements OnModuleInit {
  /** Channels that were used lately; an entry is dropped as soon as the journal reports a change. */
  private readonly cache = new Map<string, Channel>();

  constructor(
    private readonly repository: ChannelsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly agents: AgentsService,
    private readonly obligations: Obligations,
    private readonly clock: Clock,
    private readonly journal: Journal,
  ) {}

  async onModuleInit(): Promise<void> {
    this.journal.listen((entry) => {
      if (entry.type === 'channel.updated' || entry.type === 'channel.deleted') this.cache.delete(entry.channelId ?? '');
    });
    await this.ensureDefaults();
  }

  async find(id: string): Promise<Channel | undefined> {
    const cached = this.cache.get(id);
    if (cached) return cached;
    const row = await this.repository.find(id);
    if (!row) return undefined;
    const channel = toChannel(row, await this.repository.participantsOf([id]));
    this.remember(channel);
    return channel;
  }

  /** @throws AppError CHANNEL_NOT_FOUND */
  async require(id: string): Promise<Channel> {
    const channel = await this.find(id);
    if (!channel) throw channelNotFound(id);
    return channel;
  }

  /** @throws AppError MESSAGE_SERVER_NOT_FOUND */
  async ofServer(serverId: string): Promise<Channel[]> {
    if (!(await this.repository.findServer(serverId))) throw serverNotFound(serverId);
    const rows = await this.repository.ofServer(serverId);
    const participants = rows.length > 0 ? await this.repository.participantsOf(rows.map((row) => row.id)) : [];
    return rows.map((row) =>
      toChannel(
        row,
        participants.filter((participant) => participant.channelId === row.id),
      ),
    );
  }

  /**
   * The statements that create a channel, for a unit that creates something else with it; `created` is to be called when
   * that is committed.
   */
  creation(command: CreateChannel): { channel: Channel; statements: Statement[]; created: () => void } {
    const now = this.clock.now();
    const channel: Channel = {
      id: command.id ?? newId(),
      serverId: command.serverId ?? DEFAULT_SERVER_ID,
      name: command.name,
      type: command.type,
      channelType: command.channelType,
      description: command.description ?? null,
      sourceType: null,
      sourceId: null,
      metadata: command.metadata ?? {},
      turnPolicy: command.turnPolicy ?? 'enqueue',
      createdAt: now,
      updatedAt: now,
      participants: inOrder(this.participantsFrom(command.participants, now)),
    };
    return {
      channel,
      statements: [
        this.repository.insertChannel(channel),
        ...channel.participants.map(({ entityId, kind }) => this.repository.insertParticipant(channel.id, entityId, kind, now)),
        append('channel.created', channel.id, journalChannel(channel), now),
      ],
      created: () => this.remember(channel),
    };
  }

  /** @throws AppError MESSAGE_SERVER_NOT_FOUND, CONFLICT when a channel with this id exists */
  async create(command: CreateChannel): Promise<Channel> {
    const { channel, statements, created } = this.creation(command);
    try {
      await this.unitOfWork.commit(statements);
    } catch (error) {
      if (isForeignKeyViolation(error)) throw serverNotFound(channel.serverId);
      if (isUniqueViolation(error)) {
        throw new AppError('CONFLICT', `A channel with id ${channel.id} exists.`, 'Leave the id out or choose another.');
      }
      throw error;
    }
    created();
    return channel;
  }

  /** @throws AppError CHANNEL_NOT_FOUND */
  async update(id: string, change: UpdateChannel): Promise<Channel> {
    const updated = await this.unitOfWork.run('update channel', async (tx) => {
      const row = await this.repository.findIn(tx, id);
      if (!row) throw channelNotFound(id);
      const now = this.clock.now();
      const metadata =
        change.metadata && change.mergeMetadata ? { ...row.metadata, ...change.metadata } : (change.metadata ?? row.metadata);
      const next: ChannelRow = {
        ...row,
        name: change.name ?? row.name,
        description: change.description === undefined ? row.description : change.description,
        turnPolicy: change.turnPolicy ?? row.turnPolicy,
        metadata,
        updatedAt: now,
      };
      const statements = [this.repository.updateChannel(next, ({ changed }) => (changed === 0 ? channelNotFound(id) : undefined))];
      let participants = await this.repository.participantsIn(tx, id);
      if (change.participants) {
        const present = new Map(participants.map((participant) => [participant.entityId, participant]));
        participants = this.participantsFrom(change.participants, now).map(
          (wanted) => present.get(wanted.entityId) ?? { channelId: id, ...wanted },
        );
        statements.push(
          this.repository.clearParticipants(id),
          ...participants.map(({ entityId, kind, joinedAt }) => this.repository.insertParticipant(id, entityId, kind, joinedAt)),
        );
      }
      const channel = toChannel(next, participants);
      await tx.apply([...statements, append('channel.updated', id, journalChannel(channel), now)]);
      return channel;
    });
    this.remember(updated);
    return updated;
  }

  /** Makes sure that a user or agent is listed in the channel. */
  async join(channel: Channel, entityId: string): Promise<Channel> {
    if (channel.participants.some((participant) => participant.entityId === entityId)) return channel;
    return this.update(channel.id, { participants: [...channel.participants.map((participant) => participant.entityId), entityId] });
  }

  /** Deletes a channel with its messages. @throws AppError CHANNEL_NOT_FOUND */
  async delete(id: string): Promise<void> {
    await this.unitOfWork.commit([
      ...this.obligations.all().flatMap((obligation) => obligation.release(id)),
      this.repository.deleteChannel(id, ({ changed }) => (changed === 0 ? channelNotFound(id) : undefined)),
      append('channel.deleted', id, { channelId: id }, this.clock.now()),
    ]);
    this.cache.delete(id);
  }

  private participantsFrom(ids: readonly string[], joinedAt: number): Channel['participants'] {
    return [...new Set(ids.map((id) => id.toLowerCase()))].map((entityId) => ({
      entityId,
      kind: this.agents.find(entityId) ? ('agent' as const) : ('user' as const),
      joinedAt,
    }));
  }

  private remember(channel: Channel): void {
    const oldest = this.cache.keys().next();
    if (this.cache.size >= CACHED_CHANNELS && !oldest.done) this.cache.delete(oldest.value);
    this.cache.set(channel.id, channel);
  }

  /** What every installation has: the default server, and a channel with all agents so that anything can be tried at once. */
  private async ensureDefaults(): Promise<void> {
    const now = this.clock.now();
    const general = await this.repository.find(GENERAL_CHANNEL_ID);
    const agentIds = this.agents.list().map((agent) => agent.id);
    const statements = [
      this.repository.insertServer({
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
      });
      statements.push(...creation.statements);
    } else {
      statements.push(...agentIds.map((agentId) => this.repository.insertParticipant(GENERAL_CHANNEL_ID, agentId, 'agent', now)));
    }
    await this.unitOfWork.commit(statements);
  }
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
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    participants: inOrder(participants).map(({ entityId, kind, joinedAt }) => ({ entityId, kind, joinedAt })),
  };
}

/** As the database lists them, for channels that were not read from it: who answers goes by this order. */
function inOrder<T extends Pick<ChannelParticipantRow, 'joinedAt' | 'entityId'>>(participants: readonly T[]): T[] {
  return [...participants].sort((a, b) => a.joinedAt - b.joinedAt || (a.entityId < b.entityId ? -1 : 1));
}

function journalChannel(channel: Channel): JournalChannel {
  const { id, serverId, name, type, channelType, description, metadata, turnPolicy, createdAt, updatedAt } = channel;
  return { id, serverId, name, type, channelType, description, metadata, turnPolicy, createdAt, updatedAt };
}

function channelNotFound(id: string): AppError {
  return new AppError(
    'CHANNEL_NOT_FOUND',
    `Channel ${id} not found`,
    'GET /api/messaging/message-servers/{id}/channels lists the channels of a server.',
  );
}

function serverNotFound(id: string): AppError {
  return new AppError('MESSAGE_SERVER_NOT_FOUND', `Message server ${id} not found`, `The default server is ${DEFAULT_SERVER_ID}.`);
}
