import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../../core/audit/index.js';
import { Clock } from '../../../core/clock/index.js';
import { isForeignKeyViolation, isUniqueViolation, UnitOfWork, type Statement } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { DEFAULT_SERVER_ID, newId } from '../../../core/ids/index.js';
import { append } from '../../../core/journal/index.js';
import { AgentsService } from '../../agents/index.js';
import type { Channel, ChannelType } from '../channels/channel-types.js';
import { channelDeletion, ChannelsService } from '../channels/channels.service.js';
import { DerivedChannels } from '../channels/derived-channels.js';
import type { MessageServerRow } from '../entities/index.js';
import { participantNotFound, serverNotFound } from '../messaging.errors.js';
import { ChannelsRepository } from '../channels/channels.repository.js';
import { ServersRepository, type ServerPage } from './servers.repository.js';

export interface CreateServer {
  readonly name: string;
  readonly sourceType: string;
  readonly sourceId: string | null;
  readonly metadata: Record<string, unknown>;
}

/** A channel of the platform that a message server mirrors. */
export interface SyncedChannel {
  readonly sourceId: string;
  readonly name: string;
  readonly type: string;
  readonly channelType: ChannelType;
  readonly description?: string | null;
  readonly metadata?: Record<string, unknown>;
}

/** Maximum number of channels that one transaction deletes or changes. */
const CHANNEL_BATCH = 100;

/** Message servers and their agents. */
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

  /** Message servers after a list position, in the order of their creation, page by page. */
  pages(after?: ServerPage['after']): AsyncIterable<readonly MessageServerRow[]> {
    return this.repository.pages(after);
  }

  count(): Promise<number> {
    return this.repository.count();
  }

  /** As `pages`, with the ids of each server's agents. */
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
    // In small transactions, so that other writers do not wait for long; the last one deletes the server.
    for (let isDone = false; !isDone;) {
      isDone = await this.unitOfWork.run('delete message server', async (tx) => {
        const channelIds = await this.channelRows.batchOfServer(tx, id, CHANNEL_BATCH);
        const isLast = channelIds.length < CHANNEL_BATCH;
        const now = this.clock.now();
        await tx.apply([
          ...channelIds.flatMap((channelId) => [...this.channels.deletionStatements(channelId), channelDeletion(channelId, now)]),
          ...(isLast
            ? [
                this.repository.delete(id, ({ changed }) => (changed === 0 ? serverNotFound(id) : undefined)),
                append('message-server.deleted', null, { serverId: id }, now),
                auditEntry(
                  'message-server.deleted',
                  { target: ['message-server', id], summary: 'Deleted the message server with its channels.' },
                  now,
                ),
              ]
            : []),
        ]);
        return isLast;
      });
    }
  }

  /** Ids of a server's agents. @throws AppError MESSAGE_SERVER_NOT_FOUND */
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

  /** Ids of an agent's servers. @throws AppError AGENT_NOT_FOUND */
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
   * Removes an agent from a server and from all its channels.
   *
   * @throws AppError MESSAGE_SERVER_NOT_FOUND, PARTICIPANT_NOT_FOUND when the agent does not belong to the server
   */
  async removeAgent(serverId: string, agentId: string): Promise<void> {
    if (!(await this.agentsOf(serverId)).includes(agentId)) throw participantNotFound(agentId, `message server ${serverId}`);
    for (let isDone = false; !isDone;) {
      isDone = await this.unitOfWork.run('remove agent from message server', async (tx) => {
        const channelIds = await this.channelRows.batchOfServer(tx, serverId, CHANNEL_BATCH, agentId);
        for (const channelId of channelIds) await this.channels.updateIn(tx, channelId, { leaving: [agentId] });
        if (channelIds.length === CHANNEL_BATCH) return false;
        await tx.apply([this.repository.removeAgent(serverId, agentId, this.clock.now())]);
        return true;
      });
    }
  }

  /**
   * Creates new channels and updates existing ones, which are identified by their source ids.
   *
   * @throws AppError MESSAGE_SERVER_NOT_FOUND
   */
  async syncChannels(serverId: string, wanted: readonly SyncedChannel[]): Promise<Channel[]> {
    const { sourceType } = await this.require(serverId);
    // The last entry of a source id wins.
    const each = [...new Map(wanted.map((channel) => [channel.sourceId, channel])).values()];
    try {
      return await this.sync(serverId, sourceType, each);
    } catch (error) {
      // A concurrent request created the channel.
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
          const creation = this.channels.prepareCreation({
            ...channel,
            id,
            serverId,
            sourceType,
            sourceId,
            participants: [],
            users: 'all',
          });
          creations.push(...creation.statements);
          synced.push(creation.channel);
        }
      }
      await tx.apply(creations);
      return synced;
    });
  }
}
