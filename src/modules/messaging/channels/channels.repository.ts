import { Injectable } from '@nestjs/common';
import { idKeys, Reader, tableOf, type ColumnsOf, type Row, type Statement, type Transaction } from '../../../core/database/index.js';
import { keysetPages, type ListPosition } from '../../../core/http/index.js';
import { ChannelParticipantRow, ChannelRow } from '../entities/index.js';

const CHANNELS = tableOf(ChannelRow);
const PARTICIPANTS = tableOf(ChannelParticipantRow);
const INSERT_PARTICIPANTS = `INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at)
  SELECT ?, key, ?, CAST(? AS bigint) FROM json_each(?) WHERE true ON CONFLICT (channel_id, entity_id) DO NOTHING`;
const REMOVE_PARTICIPANTS = 'DELETE FROM channel_participants WHERE channel_id = ? AND entity_id IN (SELECT key FROM json_each(?))';
const PARTICIPANTS_OF = `SELECT ${PARTICIPANTS.columns} FROM channel_participants WHERE channel_id = ? ORDER BY joined_at, entity_id`;
// 1 if all agents of a channel are among the given ones, 0 if others take part, null without agents. An aggregate, because with EXISTS
// PostgreSQL tends to read all participants of all channels, once per page.
const IS_WITHIN = `(SELECT min(CASE WHEN p.entity_id IN (SELECT key FROM json_each(?)) THEN 1 ELSE 0 END)
  FROM channel_participants p WHERE p.channel_id = c.id AND p.kind = 'agent') AS is_within`;
const SELECT = `SELECT ${CHANNELS.columns} FROM channels`;
const SELECT_IN = `${SELECT} WHERE id IN (SELECT key FROM json_each(?))`;
const AGENTS_IN = `SELECT channel_id, entity_id FROM channel_participants
  WHERE kind = 'agent' AND channel_id IN (SELECT key FROM json_each(?))`;
const BATCH_SIZE = 200;
const CHANGED = CHANNELS.pick('name', 'type', 'channelType', 'description', 'metadata', 'turnPolicy', 'vouched', 'updatedAt');
const UPDATE_CHANNEL = `UPDATE channels SET ${CHANGED.assignments} WHERE id = ?`;
const IDS_WITH = `SELECT c.id FROM channel_participants p JOIN channels c ON c.id = p.channel_id
  WHERE p.entity_id = ? AND c.server_id = ? LIMIT ?`;

const SHARED = `SELECT c.id, c.created_at, p.joined_at, (SELECT max(o.joined_at) FROM channel_participants o
    WHERE o.channel_id = c.id AND o.entity_id IN (SELECT key FROM json_each(?))) AS others_joined_at
  FROM channel_participants p JOIN channels c ON c.id = p.channel_id
  WHERE p.entity_id = ? AND p.kind = 'user' AND c.vouched`;
const ALSO = `AND EXISTS (SELECT 1 FROM channel_participants o WHERE o.channel_id = c.id AND o.entity_id = ? AND o.kind = 'user') `;

const USERS_CHANNELS = `SELECT ${CHANNELS.columnsOf('c')} FROM channel_participants p JOIN channels c ON c.id = p.channel_id
  WHERE p.entity_id = ? AND p.kind = 'user'`;
const NEWEST = 'ORDER BY c.created_at DESC, c.id DESC LIMIT ?';
const OF_USER = `${USERS_CHANNELS} ${NEWEST}`;
const OF_USER_BEHIND = `${USERS_CHANNELS} AND (c.created_at < ? OR (c.created_at = ? AND c.id < ?)) ${NEWEST}`;

const CHANNELS_PER_QUERY = 100;
const WITHOUT_USERS = `SELECT c.id FROM channels c WHERE c.id IN (${Array<string>(CHANNELS_PER_QUERY).fill('?').join(', ')}) AND c.vouched
  AND NOT EXISTS (SELECT 1 FROM channel_participants p WHERE p.channel_id = c.id AND p.kind = 'user')`;

/** A position in the list of a server's channels. */
export interface ChannelPosition {
  readonly createdAt: number;
  readonly id: string;
}

/** A channel in which users take part. */
export interface SharedChannel {
  readonly id: string;
  /** When the last of them joined, epoch ms; 0 when all take part from the beginning. */
  readonly since: number;
}

interface SharedRow {
  readonly id: string;
  readonly created_at: number | string;
  readonly joined_at: number | string;
  readonly others_joined_at: number | string | null;
}

/** Filter and paging of a server's channels. */
export interface ServerChannelsQuery {
  /** Only channels after this position. */
  readonly after?: ChannelPosition;
  /** Only channels with agents whose agents are all in this set. */
  readonly agents?: ReadonlySet<string>;
  /** The caller reads at most `limit + 1` channels; all when absent. */
  readonly limit?: number;
}

/** Reads channels and builds the statements that write them. */
@Injectable()
export class ChannelsRepository {
  constructor(private readonly reader: Reader) {}

  async find(id: string): Promise<ChannelRow | undefined> {
    const [row] = await this.reader.rows(`${SELECT} WHERE id = ?`, [id]);
    return row && CHANNELS.read(row);
  }

  /** Reads in a transaction; on PostgreSQL the row stays locked until the transaction ends. */
  async findIn(tx: Transaction, id: string): Promise<ChannelRow | undefined> {
    return (await tx.rows(`${SELECT} WHERE id = ? ${tx.locking('FOR UPDATE')}`, [id])).map(toChannelRow)[0];
  }

  async findAll(ids: readonly string[]): Promise<ChannelRow[]> {
    return (await this.reader.rows(SELECT_IN, [idKeys(ids)])).map(toChannelRow);
  }

  /** As `findIn`, for the channels that exist among these ids. */
  async findAllIn(tx: Transaction, ids: readonly string[]): Promise<ChannelRow[]> {
    return (await tx.rows(`${SELECT_IN} ORDER BY id ${tx.locking('FOR UPDATE')}`, [idKeys(ids)])).map(toChannelRow);
  }

  async participantsIn(tx: Transaction, channelId: string): Promise<ChannelParticipantRow[]> {
    return (await tx.rows(PARTICIPANTS_OF, [channelId])).map((row) => PARTICIPANTS.read(row));
  }

  /**
   * A server's channels in the order of creation, page by page; see `toChannelRow`. Each query reads a fixed number of channels and
   * filters them afterwards, so that its duration does not depend on the number of matches.
   */
  async *ofServer(serverId: string, { after, agents, limit }: ServerChannelsQuery): AsyncGenerator<readonly Row[], void> {
    const size = agents || limit === undefined ? BATCH_SIZE : Math.min(limit + 1, BATCH_SIZE);
    const pages = keysetPages<Row>((last) => {
      const [at, id] = last ? [Number(last['createdAt']), last['id'] as string] : [after?.createdAt ?? -1, after?.id ?? ''];
      return this.reader.page({
        columns: agents ? `${CHANNELS.columnsOf('c')}, ${IS_WITHIN}` : CHANNELS.columnsOf('c'),
        columnParams: agents ? [idKeys(agents)] : [],
        bytes: CHANNELS.bytesOf('c'),
        from: 'FROM channels c WHERE c.server_id = ? AND (c.created_at, c.id) > (?, ?)',
        params: [serverId, at, id],
        order: 'c.created_at, c.id',
        limit: size,
      });
    });
    for await (const page of pages) yield agents ? page.filter((row) => row['is_within'] === 1) : page;
  }

  /** Ids of the agents in each of these channels; channels without agents are absent. */
  async agentsOf(channelIds: readonly string[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const { channel_id: id, entity_id: agentId } of await this.reader.rows<{ channel_id: string; entity_id: string }>(AGENTS_IN, [
      idKeys(channelIds),
    ])) {
      const agents = found.get(id);
      if (agents) agents.push(agentId);
      else found.set(id, [agentId]);
    }
    return found;
  }

  /** Ids of at most `limit` channels of a server, with `entityId` only of those in which it takes part. Reads in a transaction. */
  async batchOfServer(tx: Transaction, serverId: string, limit: number, entityId?: string): Promise<string[]> {
    const rows =
      entityId === undefined
        ? await tx.rows<{ id: string }>('SELECT id FROM channels WHERE server_id = ? ORDER BY created_at, id LIMIT ?', [serverId, limit])
        : await tx.rows<{ id: string }>(IDS_WITH, [entityId, serverId, limit]);
    return rows.map(({ id }) => id);
  }

  async participantsOf(channelId: string): Promise<ChannelParticipantRow[]> {
    return (await this.reader.rows(PARTICIPANTS_OF, [channelId])).map((row) => PARTICIPANTS.read(row));
  }

  /** At most `limit` channels in which a user takes part, newest first. */
  async ofUser(userId: string, limit: number, before?: Required<ListPosition>): Promise<ChannelRow[]> {
    const place = before ? [before.at, before.at, before.id] : [];
    return (await this.reader.rows(before ? OF_USER_BEHIND : OF_USER, [userId, ...place, limit])).map(toChannelRow);
  }

  /** Ids of at most `limit` channels of a participant. */
  async channelsOf(entityId: string, limit: number): Promise<string[]> {
    const sql = 'SELECT channel_id AS id FROM channel_participants WHERE entity_id = ? LIMIT ?';
    return (await this.reader.rows<{ id: string }>(sql, [entityId, limit])).map(({ id }) => id);
  }

  /** The vouched channels in which all these users take part; at most 5000. */
  async sharedBy(users: readonly string[]): Promise<SharedChannel[]> {
    const [first, ...others] = users;
    if (first === undefined) return [];
    const sql = `${SHARED} ${ALSO.repeat(others.length)} LIMIT 5000`;
    const rows = await this.reader.joined<SharedRow>(sql, [idKeys(others), first, ...others]);
    return rows.map((row) => {
      const joinedAt = Math.max(Number(row.joined_at), Number(row.others_joined_at ?? 0));
      return { id: row.id, since: joinedAt > Number(row.created_at) ? joinedAt : 0 };
    });
  }

  /** The vouched channels among these that list no user. */
  async withoutUsers(channelIds: readonly string[]): Promise<string[]> {
    const open: string[] = [];
    for (let start = 0; start < channelIds.length; start += CHANNELS_PER_QUERY) {
      const placeholders = Array.from({ length: CHANNELS_PER_QUERY }, (_, place) => channelIds[start + place] ?? '');
      open.push(...(await this.reader.rows<{ id: string }>(WITHOUT_USERS, placeholders)).map(({ id }) => id));
    }
    return open;
  }

  insertChannel(channel: ColumnsOf<ChannelRow>): Statement {
    return CHANNELS.insert(channel);
  }

  insertParticipant(channelId: string, entityId: string, kind: 'user' | 'agent', at: number): Statement {
    return PARTICIPANTS.insert({ channelId, entityId, kind, joinedAt: at }, 'ON CONFLICT (channel_id, entity_id) DO NOTHING');
  }

  /** At most two statements for any number of participants. */
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

  updateChannel(row: ChannelRow): Statement {
    return { sql: UPDATE_CHANNEL, params: [...CHANGED.params(row), row.id] };
  }

  deleteChannel(id: string, refuse: Statement['refuse']): Statement {
    return { sql: 'DELETE FROM channels WHERE id = ?', params: [id], refuse };
  }
}

/** Converts a row of `ofServer`. */
export const toChannelRow = (row: Row): ChannelRow => CHANNELS.read(row);
