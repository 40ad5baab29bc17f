import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { isForeignKeyViolation, isUniqueViolation, UnitOfWork, type Statement } from '../../core/database/index.js';
import { AppError } from '../../core/errors/index.js';
import { DEFAULT_SERVER_ID, newId } from '../../core/ids/index.js';
import { AgentsService } from '../agents/index.js';
import type { Channel, ChannelType } from './channel-types.js';
import { ChannelsService } from './channels.service.js';
import { DerivedChannels } from './derived-channels.js';
import type { MessageServerRow } from './entities/index.js';
import { notTakingPart, serverNotFound } from './messaging.errors.js';
import { ChannelsRepository } from './repositories/channels.repository.js';
import { ServersRepository, type ServerPage } from './repositories/servers.repository.js';

export interface CreateServer {
  readonly name: string;
  readonly sourceType: string;
  readonly sourceId: string | null;
  readonly metadata: Record<string, unknown>;
}

/** A channel as the platform knows it that a message server mirrors. */
export interface SyncedChannel {
  readonly sourceId: string;
  readonly name: string;
  readonly type: string;
  readonly channelType: ChannelType;
  readonly description?: string | null;
  readonly metadata?: Record<string, unknown>;
}

/** Channels that one unit of work deletes or changes. */
const CHANNELS_AT_A_TIME = 100;

/** Owner of message servers and of which agents belong to them. */
@Injectable()
export class ServersService {
  constructor(
    private readonly repository: ServersRepository,
    private readonly channelRows: ChannelsRepository,
    private readonly channels: ChannelsService,
    private readonly derived: DerivedChannels,
    private readonly agents: AgentsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** In the order of their creation, page by page, behind a place. */
  pages(after?: ServerPage['after']): AsyncIterable<readonly MessageServerRow[]> {
    return this.repository.pages(after);
  }

  count(): Promise<number> {
    return this.repository.count();
  }

  /** As `pages`, with the ids of the agents that belong to each. */
  async *withAgents(): AsyncGenerator<readonly { server: MessageServerRow; agents: readonly string[] }[], void> {
    for await (const page of this.repository.pages()) {
      const agents = await this.repository.agentsOfAll(page.map(({ id }) => id));
      const ofDefault = page.some(({ id }) => id === DEFAULT_SERVER_ID) ? await this.agentsOf(DEFAULT_SERVER_ID) : [];
      yield page.map((server) => ({ server, agents: server.id === DEFAULT_SERVER_ID ? ofDefault : (agents.get(server.id) ?? []) }));
    }
  }

  async create(command: CreateServer): Promise<MessageServerRow> {
    const now = this.clock.now();
    const row: MessageServerRow = { id: newId(), ...command, createdAt: now, updatedAt: now };
    await this.unitOfWork.commit([this.repository.insert(row)]);
    return row;
  }

  /** Deletes a message server with its channels and their messages, the oldest channels first. @throws AppError MESSAGE_SERVER_NOT_FOUND, CONFLICT for the default one */
  async delete(id: string): Promise<void> {
    if (id === DEFAULT_SERVER_ID) {
      throw new AppError('CONFLICT', 'The default message server cannot be deleted.', 'Sessions and new channels belong to it.');
    }
    // In units that others need not wait for long; the server goes with its last channels.
    for (let isGone = false; !isGone;) {
      isGone = await this.unitOfWork.run('delete message server', async (tx) => {
        const channelIds = await this.channelRows.someOfServer(tx, id, CHANNELS_AT_A_TIME);
        const isLast = channelIds.length < CHANNELS_AT_A_TIME;
        await tx.apply([
          ...channelIds.flatMap((channelId) => this.channels.removal(channelId)),
          ...(isLast ? [this.repository.delete(id, ({ changed }) => (changed === 0 ? serverNotFound(id) : undefined))] : []),
        ]);
        return isLast;
      });
    }
  }

  /** Ids of the agents that belong to a server. @throws AppError MESSAGE_SERVER_NOT_FOUND */
  async agentsOf(serverId: string): Promise<string[]> {
    await this.require(serverId);
    const rows = await this.repository.agentsOf(serverId);
    if (serverId !== DEFAULT_SERVER_ID) return rows.filter(({ leftAt }) => leftAt === null).map(({ agentId }) => agentId);
    const left = new Set(rows.filter(({ leftAt }) => leftAt !== null).map(({ agentId }) => agentId));
    return this.agents
      .list()
      .map(({ id }) => id)
      .filter((id) => !left.has(id));
  }

  /** Ids of the servers that an agent belongs to. @throws AppError AGENT_NOT_FOUND */
  async serversOf(agentId: string): Promise<string[]> {
    this.agents.require(agentId);
    const joined = (await this.repository.joinedBy(agentId)).map(({ serverId }) => serverId);
    if (await this.repository.hasLeft(DEFAULT_SERVER_ID, agentId)) return joined;
    return [DEFAULT_SERVER_ID, ...joined.filter((id) => id !== DEFAULT_SERVER_ID)];
  }

  /** @throws AppError MESSAGE_SERVER_NOT_FOUND, AGENT_NOT_FOUND */
  async addAgent(serverId: string, agentId: string): Promise<void> {
    await this.require(serverId);
    const { id } = this.agents.require(agentId);
    try {
      await this.unitOfWork.commit([this.repository.addAgent(serverId, id, this.clock.now())]);
    } catch (error) {
      if (isForeignKeyViolation(error)) throw serverNotFound(serverId);
      throw error;
    }
  }

  /**
   * Takes an agent out of a server and of all its channels.
   *
   * @throws AppError MESSAGE_SERVER_NOT_FOUND, PARTICIPANT_NOT_FOUND when it does not belong to the server
   */
  async removeAgent(serverId: string, agentId: string): Promise<void> {
    if (!(await this.agentsOf(serverId)).includes(agentId)) throw notTakingPart(agentId, `message server ${serverId}`);
    for (let isGone = false; !isGone;) {
      isGone = await this.unitOfWork.run('remove agent from message server', async (tx) => {
        const channelIds = await this.channelRows.someOfServer(tx, serverId, CHANNELS_AT_A_TIME, agentId);
        for (const channelId of channelIds) await this.channels.updateIn(tx, channelId, { leaving: [agentId] });
        if (channelIds.length === CHANNELS_AT_A_TIME) return false;
        await tx.apply([this.repository.removeAgent(serverId, agentId, this.clock.now())]);
        return true;
      });
    }
  }

  /**
   * Creates the channels that are new and updates those that differ; a channel's source id says which is which.
   *
   * @throws AppError MESSAGE_SERVER_NOT_FOUND
   */
  async syncChannels(serverId: string, wanted: readonly SyncedChannel[]): Promise<Channel[]> {
    const { sourceType } = await this.require(serverId);
    // Later ones of the same source win.
    const each = [...new Map(wanted.map((channel) => [channel.sourceId, channel])).values()];
    try {
      return await this.sync(serverId, sourceType, each);
    } catch (error) {
      // Somebody else synced the same channel at the same time: now it is there.
      if (isUniqueViolation(error)) return this.sync(serverId, sourceType, each);
      if (isForeignKeyViolation(error)) throw serverNotFound(serverId);
      throw error;
    }
  }

  /** @throws AppError MESSAGE_SERVER_NOT_FOUND */
  async require(id: string): Promise<MessageServerRow> {
    const server = await this.repository.find(id);
    if (!server) throw serverNotFound(id);
    return server;
  }

  private sync(serverId: string, sourceType: string, wanted: readonly SyncedChannel[]): Promise<Channel[]> {
    return this.unitOfWork.run('sync channels', async (tx) => {
      const synced: Channel[] = [];
      const creations: Statement[] = [];
      for (const { sourceId, ...channel } of wanted) {
        const { id, channel: existing } = await this.derived.syncedIn(tx, serverId, sourceType, sourceId);
        if (existing) synced.push(await this.channels.updateIn(tx, id, channel));
        else {
          const creation = this.channels.creation({ ...channel, id, serverId, sourceType, sourceId, participants: [], users: 'all' });
          creations.push(...creation.statements);
          synced.push(creation.channel);
        }
      }
      await tx.apply(creations);
      return synced;
    });
  }
}
