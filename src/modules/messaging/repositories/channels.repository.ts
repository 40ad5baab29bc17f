import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Statement, Transaction } from '../../../core/database/index.js';
import { ChannelParticipantRow, ChannelRow } from '../entities/index.js';

const INSERT_CHANNEL = `INSERT INTO channels
  (id, server_id, name, type, channel_type, description, source_type, source_id, metadata, turn_policy, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_PARTICIPANT = `INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (channel_id, entity_id) DO NOTHING`;
const UPDATE_CHANNEL = `UPDATE channels SET name = ?, type = ?, channel_type = ?, description = ?, metadata = ?, turn_policy = ?, updated_at = ?
  WHERE id = ?`;
const IDS_WITH = `SELECT c.id FROM channel_participants p JOIN channels c ON c.id = p.channel_id
  WHERE p.entity_id = ? AND c.server_id = ? ORDER BY c.id`;

/** A part of a list of channels. */
export interface ChannelPage {
  readonly limit?: number;
  readonly after?: { readonly createdAt: number; readonly id: string };
}

/** Reads channels, and words the statements that write them. */
@Injectable()
export class ChannelsRepository {
  constructor(
    @InjectRepository(ChannelRow) private readonly channels: Repository<ChannelRow>,
    @InjectRepository(ChannelParticipantRow) private readonly participants: Repository<ChannelParticipantRow>,
  ) {}

  find(id: string): Promise<ChannelRow | null> {
    return this.channels.findOneBy({ id });
  }

  /** Inside a unit; on PostgreSQL the row stays locked until it ends. */
  findIn(tx: Transaction, id: string): Promise<ChannelRow | null> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ({ lock: { mode: 'pessimistic_write' } } as const) : {};
    return tx.manager.findOne(ChannelRow, { where: { id }, ...lock });
  }

  findAll(ids: readonly string[]): Promise<ChannelRow[]> {
    return this.channels.findBy({ id: In([...ids]) });
  }

  /** As `findIn`, for those of the ids that there are. */
  findAllIn(tx: Transaction, ids: readonly string[]): Promise<ChannelRow[]> {
    const lock = tx.manager.connection.options.type === 'postgres' ? ({ lock: { mode: 'pessimistic_write' } } as const) : {};
    return tx.manager.find(ChannelRow, { where: { id: In([...ids]) }, order: { id: 'ASC' }, ...lock });
  }

  participantsIn(tx: Transaction, channelId: string): Promise<ChannelParticipantRow[]> {
    return tx.manager.find(ChannelParticipantRow, { where: { channelId }, order: { joinedAt: 'ASC', entityId: 'ASC' } });
  }

  /** In the order of creation, behind the channel at `after`; all of them when there is no limit. */
  ofServer(serverId: string, { limit, after }: ChannelPage = {}): Promise<ChannelRow[]> {
    const query = this.channels.createQueryBuilder('c').where('c.server_id = :serverId', { serverId });
    if (after) query.andWhere('(c.created_at, c.id) > (:at, :id)', { at: after.createdAt, id: after.id });
    return query
      .orderBy('c.created_at')
      .addOrderBy('c.id')
      .limit(limit === undefined ? undefined : limit + 1)
      .getMany();
  }

  /** Ids of the channels of a server; of those in which somebody takes part, when it is said who. */
  async idsOfServer(tx: Transaction, serverId: string, entityId?: string): Promise<string[]> {
    const rows =
      entityId === undefined
        ? await tx.rows<{ id: string }>('SELECT id FROM channels WHERE server_id = ? ORDER BY id', [serverId])
        : await tx.rows<{ id: string }>(IDS_WITH, [entityId, serverId]);
    return rows.map(({ id }) => id);
  }

  participantsOf(channelIds: string[]): Promise<ChannelParticipantRow[]> {
    return this.participants.find({ where: { channelId: In(channelIds) }, order: { joinedAt: 'ASC', entityId: 'ASC' } });
  }

  /** Ids of at most `limit` channels in which somebody takes part. */
  async channelsOf(entityId: string, limit: number): Promise<string[]> {
    return (await this.participants.find({ where: { entityId }, select: { channelId: true }, take: limit })).map(
      ({ channelId }) => channelId,
    );
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

  removeParticipant(channelId: string, entityId: string): Statement {
    return { sql: 'DELETE FROM channel_participants WHERE channel_id = ? AND entity_id = ?', params: [channelId, entityId] };
  }

  clearParticipants(channelId: string): Statement {
    return { sql: 'DELETE FROM channel_participants WHERE channel_id = ?', params: [channelId] };
  }

  updateChannel(row: ChannelRow, refuse: Statement['refuse']): Statement {
    return {
      sql: UPDATE_CHANNEL,
      params: [row.name, row.type, row.channelType, row.description, JSON.stringify(row.metadata), row.turnPolicy, row.updatedAt, row.id],
      refuse,
    };
  }

  deleteChannel(id: string, refuse: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM channels WHERE id = ?', params: [id], refuse };
  }
}
