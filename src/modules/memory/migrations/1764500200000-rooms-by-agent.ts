import { TableForeignKey, type MigrationInterface, type QueryRunner } from 'typeorm';
import { index, cascadingForeignKey } from '../../../core/database/table-builders.js';

const BY_ID = new TableForeignKey(cascadingForeignKey('participants', 'room_id', 'rooms'));
const BY_AGENT = new TableForeignKey({
  ...cascadingForeignKey('participants', 'room_id', 'rooms'),
  columnNames: ['room_id', 'agent_id'],
  referencedColumnNames: ['id', 'agent_id'],
});
// Ids derived from a name (version 0), and agents' own ids, are computable, so they are not unique across agents.
const CHOSEN = index('uq_rooms_chosen_id', ['id'], { isUnique: true, where: `"id" <> "agent_id" AND substr("id", 15, 1) <> '0'` });
const PARTICIPANT = ['room_id', 'entity_id'];
const OWN = ['id', 'agent_id'];

// Agents used to share a room row with the same id. Each participating agent gets its own row, named after the channel.
const INSERT_OWN_ROOMS = `INSERT INTO rooms
  (id, agent_id, name, source, type, world_id, channel_id, message_server_id, metadata, remembered_seq, created_at, updated_at)
  SELECT r.id, p.agent_id, coalesce(max(c.name), max(r.name)), 'client_chat', coalesce(max(c.channel_type), max(r.type)),
    (SELECT max(m.world_id) FROM memories m WHERE m.agent_id = p.agent_id AND m.room_id = r.id),
    max(r.channel_id), coalesce(max(c.server_id), max(r.message_server_id)), '{}', max(r.remembered_seq), min(p.created_at), -1
  FROM participants p JOIN rooms r ON r.id = p.room_id LEFT JOIN channels c ON c.id = r.channel_id
  WHERE r.agent_id <> p.agent_id AND EXISTS (SELECT 1 FROM agents a WHERE a.id = p.agent_id) GROUP BY r.id, p.agent_id`;
const UNLINK_SHARED_ROOMS = `UPDATE rooms SET channel_id = NULL, remembered_seq = 0 WHERE (updated_at IS NULL OR updated_at <> -1)
  AND EXISTS (SELECT 1 FROM rooms own WHERE own.id = rooms.id AND own.updated_at = -1)`;
const UNMARK = 'UPDATE rooms SET updated_at = NULL WHERE updated_at = -1';
const DROP_ORPHANS = `DELETE FROM participants
  WHERE NOT EXISTS (SELECT 1 FROM rooms r WHERE r.id = participants.room_id AND r.agent_id = participants.agent_id)`;

const onlyFirst = (table: string): string => `DELETE FROM ${table} WHERE EXISTS (SELECT 1 FROM ${table} first WHERE first.id = ${table}.id
  AND (first.created_at < ${table}.created_at OR (first.created_at = ${table}.created_at AND first.agent_id < ${table}.agent_id)))`;

/** Adds the agent to the primary keys of rooms, worlds and participants, so that agents no longer share them. */
export class RoomsByAgent1764500200000 implements MigrationInterface {
  name = 'RoomsByAgent1764500200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.dropForeignKey('participants', 'fk_participants_room_id');
    await identify(runner, 'worlds', OWN);
    await identify(runner, 'rooms', OWN);
    await runner.query(INSERT_OWN_ROOMS);
    await runner.query(UNLINK_SHARED_ROOMS);
    await runner.query(UNMARK);
    await runner.query(DROP_ORPHANS);
    await runner.createIndex('rooms', CHOSEN.clone());
    await identify(runner, 'participants', [...PARTICIPANT, 'agent_id']);
    await runner.createForeignKey('participants', BY_AGENT.clone());
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropForeignKey('participants', 'fk_participants_room_id');
    await runner.dropIndex('rooms', CHOSEN.clone());
    for (const name of ['worlds', 'rooms']) await runner.query(onlyFirst(name));
    await runner.query(DROP_ORPHANS);
    await identify(runner, 'participants', PARTICIPANT);
    await identify(runner, 'rooms', ['id']);
    await identify(runner, 'worlds', ['id']);
    await runner.createForeignKey('participants', BY_ID.clone());
  }
}

async function identify(runner: QueryRunner, table: string, columns: string[]): Promise<void> {
  await runner.dropPrimaryKey(table);
  await runner.createPrimaryKey(table, columns);
}
