import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock/index.js';
import { Reader, tableOf, type Row } from '../../core/database/index.js';
import { append } from '../../core/journal/index.js';
import {
  exportRows,
  FORGOTTEN_USER_ID,
  inScope,
  itemStep,
  readStep,
  rowStep,
  type ErasureStep,
  type PersonalData,
  type PersonalRecord,
} from '../../core/personal-data/index.js';
import { ConversationSummaryRow, EntityRow, MemoryRow, MemoryVersionRow, RoomRow } from './entities/index.js';
import { MemoriesRepository } from './repositories/memories.repository.js';
import { EMPTIED, SummariesRepository } from './repositories/summaries.repository.js';

const MEMORIES = tableOf(MemoryRow);
const VERSIONS = tableOf(MemoryVersionRow);
const ENTITIES = tableOf(EntityRow);
const ROOMS = tableOf(RoomRow);
const SUMMARIES = tableOf(ConversationSummaryRow);
const SUMMARY_ROWS = { table: 'conversation_summaries', key: ['room_id', 'agent_id'] };
const MEMORY_ROWS = { table: 'memories', key: ['id'] };
// Rooms without a channel whose only participants are the user and agents.
const OWN_ROOMS = `SELECT p.agent_id, p.room_id FROM participants p JOIN rooms r ON r.id = p.room_id AND r.agent_id = p.agent_id
  WHERE p.entity_id = ? AND r.channel_id IS NULL AND r.created_at <= ? AND NOT EXISTS (SELECT 1 FROM participants o
    WHERE o.room_id = p.room_id AND o.agent_id = p.agent_id AND o.entity_id <> p.entity_id AND o.entity_id NOT IN (SELECT id FROM agents))`;
const CHANNEL_ROOMS = `SELECT agent_id, id FROM rooms WHERE channel_id IN ${inScope('channel')}`;
const GROUP_ROOMS = `SELECT agent_id, id FROM rooms WHERE channel_id IN ${inScope('place')}`;
const AGENTS_KNOWING = 'SELECT agent_id AS id FROM entities WHERE id = ? ORDER BY agent_id LIMIT ?';
// What plugins have an agent note. Messages belong to their authors, and knowledge to the operator.
const ABOUT_USER = `(entity_id = agent_id AND type NOT IN ('messages', 'knowledge') AND (lower(content) LIKE ? OR lower(metadata) LIKE ?))`;
// Recorded before the request, or of a message that it covers.
const COVERED = 'created_at <= ?';

// Channels of the user alone: no one else is listed, and no one else has written.
const OWN_SUMMARIES = `SELECT ${SUMMARIES.columnsOf('s')}, s.room_id || s.agent_id AS "key" FROM conversation_summaries s
  JOIN rooms r ON r.id = s.room_id AND r.agent_id = s.agent_id
  JOIN channel_participants p ON p.channel_id = r.channel_id AND p.entity_id = ? AND p.kind = 'user'
  WHERE s.text IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM channel_participants o WHERE o.channel_id = r.channel_id AND o.kind = 'user' AND o.entity_id <> p.entity_id)
    AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.channel_id = r.channel_id AND m.author_kind = 'user' AND m.author_id <> p.entity_id)`;

/** What agents remember of users. Vectors, versions and search terms are deleted with their memory. */
@Injectable()
export class MemoryPersonalData implements PersonalData {
  readonly steps: readonly ErasureStep[];

  constructor(
    private readonly reader: Reader,
    private readonly clock: Clock,
    private readonly memories: MemoriesRepository,
    private readonly summaries: SummariesRepository,
  ) {
    this.steps = [
      rowStep(
        { kind: 'memories of own conversations', effect: 'deleted', order: 40 },
        MEMORY_ROWS,
        'DELETE FROM memories',
        `${COVERED} AND ((agent_id, room_id) IN (${CHANNEL_ROOMS}) OR (agent_id, room_id) IN (${OWN_ROOMS}))`,
        ({ at, requestId, userId }) => [at, requestId, userId, at],
      ),
      readStep<{ id: string }>(
        { kind: 'memories', effect: 'deleted', order: 41 },
        MEMORY_ROWS,
        {
          columns: 'id',
          where: `(entity_id = ? OR ${ABOUT_USER}) AND ${COVERED}`,
          params: ({ userId, at }) => [userId, `%${userId}%`, `%${userId}%`, at],
        },
        async (rows, _erasure, tx) => {
          const ids = rows.map(({ id }) => id);
          await tx.apply([this.summaries.renew(ids, this.clock.now()), this.memories.deleteAll(ids)]);
          return ids.length;
        },
      ),
      // After the memories, so that no job can read what a summary may no longer contain. A running job loses its row or its lease.
      rowStep(
        { kind: 'summaries of own conversations', effect: 'deleted', order: 43 },
        SUMMARY_ROWS,
        'DELETE FROM conversation_summaries',
        `(agent_id, room_id) IN (${CHANNEL_ROOMS})`,
        ({ requestId }) => [requestId],
      ),
      // Deletions of messages have renewed most of them already; they are counted here.
      rowStep(
        { kind: 'summaries of groups', effect: 'redacted', order: 44 },
        SUMMARY_ROWS,
        `UPDATE conversation_summaries SET ${EMPTIED}, user_id = CASE WHEN user_id = ? THEN '${FORGOTTEN_USER_ID}' ELSE user_id END`,
        `user_id = ? OR ((agent_id, room_id) IN (${GROUP_ROOMS}) AND (text IS NULL OR created_at <= ?))`,
        ({ userId, requestId, at }) => [at, at, userId, userId, requestId, at],
      ),
      rowStep(
        { kind: 'rooms', effect: 'deleted', order: 42 },
        { table: 'rooms', key: ['id', 'agent_id'] },
        'DELETE FROM rooms',
        `(agent_id, id) IN (${OWN_ROOMS}) AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.agent_id = rooms.agent_id AND m.room_id = rooms.id)`,
        ({ userId, at }) => [userId, at],
      ),
      rowStep(
        { kind: 'room participations', effect: 'deleted', order: 52 },
        { table: 'participants', key: ['room_id', 'entity_id', 'agent_id'] },
        'DELETE FROM participants',
        `entity_id = ? AND ${COVERED} AND NOT EXISTS (SELECT 1 FROM memories m
        WHERE m.agent_id = participants.agent_id AND m.room_id = participants.room_id AND m.entity_id = participants.entity_id)`,
        ({ userId, at }) => [userId, at],
      ),
      itemStep(
        { kind: 'entities', effect: 'deleted', order: 53 },
        100,
        async ({ userId }, tx, limit) => (await tx.rows<{ id: string }>(AGENTS_KNOWING, [userId, limit])).map(({ id }) => id),
        async (agentIds, { userId, requestId }, tx) => {
          await tx.apply(
            agentIds.flatMap((agentId) => [
              { sql: 'DELETE FROM entities WHERE id = ? AND agent_id = ?', params: [userId, agentId] },
              // Every process drops the vectors that it holds of the agent.
              append('memory.changed', null, { agentId, memoryId: null }, this.clock.now(), requestId),
            ]),
          );
        },
      ),
    ];
  }

  async *export(userId: string): AsyncGenerator<readonly PersonalRecord[], void> {
    const params = [userId];
    const read = (row: Row): Record<string, unknown> => ({ ...MEMORIES.read(row) });
    const memories = { sql: `SELECT ${MEMORIES.columns} FROM memories WHERE entity_id = ?`, params, bytes: MEMORIES.bytesIn('x') };
    yield* exportRows(this.reader, 'memories', memories, 'id', read);
    const ofMemory = `SELECT ${VERSIONS.columnsOf('v')}, v.memory_id || ':' || CAST(v.version AS text) AS "key"
      FROM memory_versions v JOIN memories m ON m.id = v.memory_id WHERE m.entity_id = ?`;
    const versions = { sql: ofMemory, params, bytes: VERSIONS.bytesIn('x') };
    yield* exportRows(this.reader, 'memory versions', versions, 'key', ({ key: _key, ...row }) => VERSIONS.read(row));
    const entities = { sql: `SELECT ${ENTITIES.columns} FROM entities WHERE id = ?`, params, bytes: ENTITIES.bytesIn('x') };
    yield* exportRows(this.reader, 'entities', entities, 'agentId', (row) => ({ ...ENTITIES.read(row) }));
    const joined = `SELECT ${ROOMS.columnsOf('r')}, r.id || r.agent_id AS "key" FROM participants p
      JOIN rooms r ON r.id = p.room_id AND r.agent_id = p.agent_id WHERE p.entity_id = ?`;
    const rooms = { sql: joined, params, bytes: ROOMS.bytesIn('x') };
    yield* exportRows(this.reader, 'rooms', rooms, 'key', ({ key: _key, ...row }) => ROOMS.read(row));
    const summaries = { sql: OWN_SUMMARIES, params, bytes: SUMMARIES.bytesIn('x') };
    yield* exportRows(this.reader, 'summaries', summaries, 'key', ({ key: _key, ...row }) => ({ ...SUMMARIES.read(row) }));
  }
}
