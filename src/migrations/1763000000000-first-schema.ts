import type { MigrationInterface, QueryRunner, Table } from 'typeorm';
import {
  counter,
  flag,
  id,
  index,
  instant,
  integer,
  json,
  key,
  optional,
  cascadingForeignKey,
  primary,
  table,
  text,
  varchar,
} from '../core/database/table-builders.js';

const TABLES: Table[] = [
  table(
    'journal',
    [
      counter('pos', primary),
      id('channel_id', optional),
      counter('seq', optional),
      varchar('type', 32),
      json('payload'),
      instant('at'),
      varchar('request_id', 128, optional),
    ],
    { indices: [index('ix_journal_channel', ['channel_id', 'pos'])] },
  ),
  table('journal_floor', [integer('id', primary), counter('trimmed_to'), counter('compacted_to')]),

  table('agents', [
    key('id'),
    varchar('name'),
    varchar('status', 16),
    json('character'),
    json('secrets', optional),
    varchar('source_hash', 64, optional),
    instant('created_at'),
    instant('updated_at'),
  ]),

  table('message_servers', [
    key('id'),
    varchar('name'),
    varchar('source_type'),
    varchar('source_id', 255, optional),
    json('metadata'),
    instant('created_at'),
    instant('updated_at'),
  ]),
  table(
    'channels',
    [
      key('id'),
      id('server_id'),
      varchar('name'),
      varchar('type', 16),
      varchar('channel_type', 16),
      text('description', optional),
      varchar('source_type', 255, optional),
      varchar('source_id', 255, optional),
      json('metadata'),
      varchar('turn_policy', 16),
      instant('created_at'),
      instant('updated_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('channels', 'server_id', 'message_servers')],
      indices: [index('ix_channels_server', ['server_id', 'created_at'])],
    },
  ),
  table('channel_participants', [id('channel_id', primary), id('entity_id', primary), varchar('kind', 8), instant('joined_at')], {
    foreignKeys: [cascadingForeignKey('channel_participants', 'channel_id', 'channels')],
    indices: [index('ix_channel_participants_entity', ['entity_id'])],
  }),
  table(
    'messages',
    [
      key('id'),
      id('channel_id'),
      counter('seq'),
      counter('pos'),
      id('author_id'),
      varchar('author_kind', 8),
      varchar('author_name', 255, optional),
      text('content'),
      json('raw_message', optional),
      varchar('source_type'),
      varchar('source_id', 255, optional),
      json('metadata'),
      id('in_reply_to', optional),
      varchar('client_message_id', 255, optional),
      instant('created_at'),
      instant('updated_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('messages', 'channel_id', 'channels')],
      indices: [
        index('uq_messages_channel_seq', ['channel_id', 'seq'], { isUnique: true }),
        index('ix_messages_channel_created', ['channel_id', 'created_at', 'seq']),
        index('uq_messages_client', ['channel_id', 'author_id', 'client_message_id'], { isUnique: true }),
      ],
    },
  ),

  table(
    'sessions',
    [
      key('id'),
      id('agent_id'),
      id('channel_id'),
      id('user_id'),
      json('metadata'),
      integer('timeout_minutes'),
      flag('auto_renew'),
      integer('max_duration_minutes'),
      integer('warning_threshold_minutes'),
      instant('created_at'),
      instant('last_activity'),
      instant('renewed_at'),
      instant('expires_at'),
      integer('renewal_count'),
      instant('warned_for', optional),
      varchar('status', 8),
      instant('closed_at', optional),
      integer('revision'),
      instant('next_deadline'),
    ],
    {
      foreignKeys: [cascadingForeignKey('sessions', 'channel_id', 'channels')],
      indices: [
        index('ix_sessions_channel', ['channel_id']),
        index('ix_sessions_deadline', ['status', 'next_deadline']),
        index('ix_sessions_user', ['user_id', 'created_at']),
      ],
    },
  ),

  table(
    'turns',
    [
      id('message_id', primary),
      id('agent_id', primary),
      id('channel_id'),
      counter('seq'),
      varchar('status', 16),
      integer('attempts'),
      id('lease_owner', optional),
      instant('lease_until', optional),
      varchar('request_id', 128, optional),
      id('reply_id', optional),
      json('error', optional),
      instant('created_at'),
      instant('started_at', optional),
      instant('finished_at', optional),
    ],
    {
      foreignKeys: [cascadingForeignKey('turns', 'message_id', 'messages'), cascadingForeignKey('turns', 'channel_id', 'channels')],
      indices: [
        index('ix_turns_owed', ['channel_id', 'seq', 'agent_id'], { where: `"status" IN ('queued', 'running')` }),
        index('ix_turns_channel', ['channel_id', 'seq']),
        index('ix_turns_agent', ['agent_id', 'created_at']),
      ],
    },
  ),
  table(
    'turn_steps',
    [id('message_id', primary), id('agent_id', primary), integer('step', primary), varchar('kind', 32), json('payload'), instant('at')],
    {
      foreignKeys: [
        {
          name: 'fk_turn_steps_turn',
          columnNames: ['message_id', 'agent_id'],
          referencedTableName: 'turns',
          referencedColumnNames: ['message_id', 'agent_id'],
          onDelete: 'CASCADE',
        },
      ],
    },
  ),

  table(
    'worlds',
    [
      key('id'),
      id('agent_id'),
      varchar('name'),
      varchar('source_type', 255, optional),
      varchar('source_id', 255, optional),
      id('message_server_id', optional),
      json('metadata'),
      instant('created_at'),
    ],
    { foreignKeys: [cascadingForeignKey('worlds', 'agent_id', 'agents')], indices: [index('ix_worlds_agent', ['agent_id'])] },
  ),
  table(
    'rooms',
    [
      key('id'),
      id('agent_id'),
      varchar('name'),
      varchar('source'),
      varchar('type', 16),
      id('world_id', optional),
      id('channel_id', optional),
      id('message_server_id', optional),
      json('metadata'),
      counter('remembered_seq'),
      instant('created_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('rooms', 'agent_id', 'agents')],
      indices: [index('ix_rooms_agent', ['agent_id']), index('ix_rooms_channel', ['channel_id'])],
    },
  ),
  table('entities', [id('id', primary), id('agent_id', primary), json('names'), json('metadata'), instant('created_at')], {
    foreignKeys: [cascadingForeignKey('entities', 'agent_id', 'agents')],
  }),
  table(
    'participants',
    [id('room_id', primary), id('entity_id', primary), id('agent_id'), varchar('state', 16, optional), instant('created_at')],
    { foreignKeys: [cascadingForeignKey('participants', 'room_id', 'rooms')], indices: [index('ix_participants_entity', ['entity_id'])] },
  ),
  table(
    'memories',
    [
      key('id'),
      id('agent_id'),
      id('room_id'),
      id('entity_id'),
      id('world_id', optional),
      varchar('type', 64),
      json('content'),
      json('metadata'),
      flag('is_unique'),
      counter('seq', optional),
      varchar('embedded_by', 255, optional),
      instant('created_at'),
    ],
    {
      foreignKeys: [cascadingForeignKey('memories', 'agent_id', 'agents')],
      indices: [
        index('ix_memories_room', ['agent_id', 'room_id', 'type', 'created_at']),
        index('ix_memories_agent', ['agent_id', 'created_at']),
        index('ix_memories_unembedded', ['created_at'], { where: '"embedded_by" IS NULL' }),
      ],
    },
  ),
  table('memory_embeddings', [id('memory_id', primary), id('agent_id'), varchar('model'), integer('dimension'), text('vector')], {
    foreignKeys: [cascadingForeignKey('memory_embeddings', 'memory_id', 'memories')],
  }),
];

export class FirstSchema1763000000000 implements MigrationInterface {
  name = 'FirstSchema1763000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const definition of TABLES) await runner.createTable(definition.clone());
    await runner.query('INSERT INTO journal_floor (id, trimmed_to, compacted_to) VALUES (1, 0, 0)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const definition of [...TABLES].reverse()) await runner.dropTable(definition.name);
  }
}
