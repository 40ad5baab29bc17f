import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Statement, Transaction } from '../../../core/database/index.js';
import { ChannelParticipantRow, ChannelRow, MessageServerRow } from '../entities/index.js';

const INSERT_SERVER = `INSERT INTO message_servers (id, name, source_type, source_id, metadata, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`;
const INSERT_CHANNEL = `INSERT INTO channels
  (id, server_id, name, type, channel_type, description, source_type, source_id, metadata, turn_policy, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_PARTICIPANT = `INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (channel_id, entity_id) DO NOTHING`;
const UPDATE_CHANNEL = `UPDATE channels SET name = ?, description = ?, metadata = ?, turn_policy = ?, updated_at = ? WHERE id = ?`;

/** Reads channels, and words the statements that write them. */
@Injectable()
export class ChannelsRepository {
  constructor(
    @InjectRepository(ChannelRow) private readonly channels: Repository<ChannelRow>,
    @InjectRepository(ChannelParticipantRow) private readonly participants: Repository<ChannelParticipantRow>,
    @InjectRepository(MessageServerRow) private readonly servers: Repository<MessageServerRow>,
  ) {}

  find(id: string): Promise<ChannelRow | null> {
    return this.channels.findOneBy({ id });
  }

  /** Inside a unit; on PostgreSQL the row stays locked until it ends. */
  findIn(tx: Transaction, id: string): Promise<ChannelRow | null> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ({ lock: { mode: 'pessimistic_write' } } as const) : {};
    return tx.manager.findOne(ChannelRow, { where: { id }, ...lock });
  }

  participantsIn(tx: Transaction, channelId: string): Promise<ChannelParticipantRow[]> {
    return tx.manager.find(ChannelParticipantRow, { where: { channelId }, order: { joinedAt: 'ASC', entityId: 'ASC' } });
  }

  findServer(id: string): Promise<MessageServerRow | null> {
    return this.servers.findOneBy({ id });
  }

  ofServer(serverId: string): Promise<ChannelRow[]> {
    return this.channels.find({ where: { serverId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  participantsOf(channelIds: string[]): Promise<ChannelParticipantRow[]> {
    return this.participants.find({ where: { channelId: In(channelIds) }, order: { joinedAt: 'ASC', entityId: 'ASC' } });
  }

  insertServer(row: MessageServerRow): Statement {
    return {
      sql: INSERT_SERVER,
      params: [row.id, row.name, row.sourceType, row.sourceId, JSON.stringify(row.metadata), row.createdAt, row.updatedAt],
    };
  }

  insertChannel(row: ChannelRow): Statement {
    return {
      sql: INSERT_CHANNEL,
      params: [
        row.id,
        row.serverId,
        row.name,
        row.type,
        row.channelType,
        row.description,
        row.sourceType,
        row.sourceId,
        JSON.stringify(row.metadata),
        row.turnPolicy,
        row.createdAt,
        row.updatedAt,
      ],
    };
  }

  insertParticipant(channelId: string, entityId: string, kind: 'user' | 'agent', at: number): Statement {
    return { sql: INSERT_PARTICIPANT, params: [channelId, entityId, kind, at] };
  }

  clearParticipants(channelId: string): Statement {
    return { sql: 'DELETE FROM channel_participants WHERE channel_id = ?', params: [channelId] };
  }

  updateChannel(row: ChannelRow, refuse: Statement['refuse']): Statement {
    return {
      sql: UPDATE_CHANNEL,
      params: [row.name, row.description, JSON.stringify(row.metadata), row.turnPolicy, row.updatedAt, row.id],
      refuse,
    };
  }

  deleteChannel(id: string, refuse: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM channels WHERE id = ?', params: [id], refuse };
  }
}
