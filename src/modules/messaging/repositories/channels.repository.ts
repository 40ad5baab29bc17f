import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { idKeys, Reader, type Row, type Statement, type Transaction } from '../../../core/database/index.js';
import { keysetPages } from '../../../core/http/index.js';
import { ChannelParticipantRow, ChannelRow } from '../entities/index.js';

const INSERT_CHANNEL = `INSERT INTO channels
  (id, server_id, name, type, channel_type, description, source_type, source_id, metadata, turn_policy, vouched, created_at, updated_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_PARTICIPANT = `INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (channel_id, entity_id) DO NOTHING`;
const INSERT_PARTICIPANTS = `INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at)
  SELECT ?, key, ?, CAST(? AS bigint) FROM json_each(?) WHERE true ON CONFLICT (channel_id, entity_id) DO NOTHING`;
const REMOVE_PARTICIPANTS = 'DELETE FROM channel_participants WHERE channel_id = ? AND entity_id IN (SELECT key FROM json_each(?))';
const PARTICIPANTS = `SELECT channel_id AS "channelId", entity_id AS "entityId", kind, joined_at AS "joinedAt"
  FROM channel_participants WHERE channel_id = ? ORDER BY joined_at, entity_id`;
const COLUMNS = `c.id, c.server_id, c.name, c.type, c.channel_type, c.description, c.source_type, c.source_id, c.metadata, c.turn_policy,
  c.vouched, c.created_at, c.updated_at`;
const BEHIND = 'FROM channels c WHERE c.server_id = ? AND (c.created_at, c.id) > (?, ?) ORDER BY c.created_at, c.id LIMIT ?';
const OF_SERVER = `SELECT ${COLUMNS} ${BEHIND}`;
// 1 where agents take part in a channel and all of them are given ones, 0 where others do, null where none does. An aggregate, because
// for EXISTS PostgreSQL likes to read all participants of all channels first, again for each page.
const OF_SERVER_WITHIN = `SELECT ${COLUMNS},
    (SELECT min(CASE WHEN p.entity_id IN (SELECT key FROM json_each(?)) THEN 1 ELSE 0 END)
      FROM channel_participants p WHERE p.channel_id = c.id AND p.kind = 'agent') AS is_within
  ${BEHIND}`;
const READ_AT_ONCE = 200;
const UPDATE_CHANNEL = `UPDATE channels SET name = ?, type = ?, channel_type = ?, description = ?, metadata = ?, turn_policy = ?, vouched = ?, updated_at = ?
  WHERE id = ?`;
const IDS_WITH = `SELECT c.id FROM channel_participants p JOIN channels c ON c.id = p.channel_id
  WHERE p.entity_id = ? AND c.server_id = ? LIMIT ?`;

const SHARED = `SELECT c.id FROM channel_participants p JOIN channels c ON c.id = p.channel_id
  WHERE p.entity_id = ? AND p.kind = 'user' AND c.vouched`;
const ALSO = `AND EXISTS (SELECT 1 FROM channel_participants o WHERE o.channel_id = c.id AND o.entity_id = ? AND o.kind = 'user') `;

const OPEN_AT_A_TIME = 100;
const OPEN = `SELECT c.id FROM channels c WHERE c.id IN (${Array<string>(OPEN_AT_A_TIME).fill('?').join(', ')}) AND c.vouched
  AND NOT EXISTS (SELECT 1 FROM channel_participants p WHERE p.channel_id = c.id AND p.kind = 'user')`;

/** A place in the list of a server's channels. */
export interface ChannelPlace {
  readonly createdAt: number;
  readonly id: string;
}

/** Which channels of a server. */
export interface ChannelsOfServer {
  /** Only what stands behind this. */
  readonly after?: ChannelPlace;
  /** Only those in which agents take part, and no others than these. */
  readonly agents?: ReadonlySet<string>;
  /** No more than so many and one are wanted; all when absent. */
  readonly limit?: number;
}

/** Reads channels, and words the statements that write them. */
@Injectable()
export class ChannelsRepository {
  constructor(
    @InjectRepository(ChannelRow) private readonly channels: Repository<ChannelRow>,
    private readonly reader: Reader,
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

  async participantsIn(tx: Transaction, channelId: string): Promise<ChannelParticipantRow[]> {
    return (await tx.rows<ChannelParticipantRow>(PARTICIPANTS, [channelId])).map(toParticipant);
  }

  /**
   * A server's channels in the order of creation, page by page; see `toChannelRow`. Whether a channel belongs to the list is decided in
   * the query, which looks at a page of channels, so that each takes as long however few of them do.
   */
  async *ofServer(serverId: string, { after, agents, limit }: ChannelsOfServer): AsyncGenerator<readonly Row[], void> {
    const [sql, allowed] = agents ? [OF_SERVER_WITHIN, [idKeys(agents)]] : [OF_SERVER, []];
    const size = agents || limit === undefined ? READ_AT_ONCE : Math.min(limit + 1, READ_AT_ONCE);
    const pages = keysetPages<Row>(size, (last) => {
      const [at, id] = last ? [Number(last['created_at']), last['id'] as string] : [after?.createdAt ?? -1, after?.id ?? ''];
      return this.reader.rows(sql, [...allowed, serverId, at, id, size]);
    });
    for await (const page of pages) yield agents ? page.filter((row) => row['is_within'] === 1) : page;
  }

  /** Ids of at most `limit` channels of a server; of those with a given participant, when one is given. Inside a unit. */
  async someOfServer(tx: Transaction, serverId: string, limit: number, entityId?: string): Promise<string[]> {
    const rows =
      entityId === undefined
        ? await tx.rows<{ id: string }>('SELECT id FROM channels WHERE server_id = ? ORDER BY created_at, id LIMIT ?', [serverId, limit])
        : await tx.rows<{ id: string }>(IDS_WITH, [entityId, serverId, limit]);
    return rows.map(({ id }) => id);
  }

  async participantsOf(channelId: string): Promise<ChannelParticipantRow[]> {
    return (await this.reader.rows<ChannelParticipantRow>(PARTICIPANTS, [channelId])).map(toParticipant);
  }

  /** Ids of at most `limit` channels in which somebody takes part. */
  async channelsOf(entityId: string, limit: number): Promise<string[]> {
    const sql = 'SELECT channel_id AS id FROM channel_participants WHERE entity_id = ? LIMIT ?';
    return (await this.reader.rows<{ id: string }>(sql, [entityId, limit])).map(({ id }) => id);
  }

  /** Ids of channels with vouched lists in which all these users stand; at most 5000 of the first user's. */
  async sharedBy(users: readonly string[]): Promise<string[]> {
    const [first, ...others] = users;
    if (first === undefined) return [];
    const rows = await this.reader.rows<{ id: string }>(`${SHARED} ${ALSO.repeat(others.length)} LIMIT 5000`, [first, ...others]);
    return rows.map(({ id }) => id);
  }

  /** Those of the channels that list no user. */
  async openAmong(channelIds: readonly string[]): Promise<string[]> {
    const open: string[] = [];
    for (let start = 0; start < channelIds.length; start += OPEN_AT_A_TIME) {
      const places = Array.from({ length: OPEN_AT_A_TIME }, (_, place) => channelIds[start + place] ?? '');
      open.push(...(await this.reader.rows<{ id: string }>(OPEN, places)).map(({ id }) => id));
    }
    return open;
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
        row.vouched,
        row.createdAt,
        row.updatedAt,
      ],
    };
  }

  insertParticipant(channelId: string, entityId: string, kind: 'user' | 'agent', at: number): Statement {
    return { sql: INSERT_PARTICIPANT, params: [channelId, entityId, kind, at] };
  }

  /** At most two statements, however many they are. */
  insertParticipants(channelId: string, joining: readonly Pick<ChannelParticipantRow, 'entityId' | 'kind'>[], at: number): Statement[] {
    return (['agent', 'user'] as const).flatMap((kind) => {
      const [first, ...others] = joining.filter((each) => each.kind === kind).map(({ entityId }) => entityId);
      if (first === undefined) return [];
      if (others.length === 0) return [this.insertParticipant(channelId, first, kind, at)];
      return [{ sql: INSERT_PARTICIPANTS, params: [channelId, kind, at, idKeys([first, ...others])] }];
    });
  }

  removeParticipants(channelId: string, entityIds: Iterable<string>): Statement {
    return { sql: REMOVE_PARTICIPANTS, params: [channelId, idKeys(entityIds)] };
  }

  removeParticipant(channelId: string, entityId: string): Statement {
    return { sql: 'DELETE FROM channel_participants WHERE channel_id = ? AND entity_id = ?', params: [channelId, entityId] };
  }

  updateChannel(row: ChannelRow, refuse: Statement['refuse']): Statement {
    return {
      sql: UPDATE_CHANNEL,
      params: [
        row.name,
        row.type,
        row.channelType,
        row.description,
        JSON.stringify(row.metadata),
        row.turnPolicy,
        row.vouched,
        row.updatedAt,
        row.id,
      ],
      refuse,
    };
  }

  deleteChannel(id: string, refuse: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM channels WHERE id = ?', params: [id], refuse };
  }
}

/** A row of `ofServer` as the entity has it. */
export function toChannelRow(row: Row): ChannelRow {
  return {
    id: row['id'] as string,
    serverId: row['server_id'] as string,
    name: row['name'] as string,
    type: row['type'] as string,
    channelType: row['channel_type'] as string,
    description: row['description'] as string | null,
    sourceType: row['source_type'] as string | null,
    sourceId: row['source_id'] as string | null,
    metadata: JSON.parse(row['metadata'] as string) as Record<string, unknown>,
    turnPolicy: row['turn_policy'] as string,
    vouched: Boolean(row['vouched']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
  };
}

function toParticipant(row: ChannelParticipantRow): ChannelParticipantRow {
  return { ...row, joinedAt: Number(row.joinedAt) };
}
