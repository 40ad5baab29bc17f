// A database with the columns that elizaOS 1.7 has, and a small conversation.
import { idForAgent } from '../../src/core/ids/index.js';

const SCHEMA = `
CREATE TABLE agents (id uuid PRIMARY KEY, enabled boolean NOT NULL DEFAULT true, server_id uuid, created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(), name text NOT NULL, username text, system text DEFAULT '', bio jsonb DEFAULT '[]',
  message_examples jsonb NOT NULL DEFAULT '[]', post_examples jsonb NOT NULL DEFAULT '[]', topics jsonb NOT NULL DEFAULT '[]',
  adjectives jsonb NOT NULL DEFAULT '[]', knowledge jsonb NOT NULL DEFAULT '[]', plugins jsonb NOT NULL DEFAULT '[]',
  settings jsonb NOT NULL DEFAULT '{}', style jsonb NOT NULL DEFAULT '{}');
CREATE TABLE worlds (id uuid PRIMARY KEY, agent_id uuid NOT NULL, name text NOT NULL, metadata jsonb, message_server_id uuid,
  created_at timestamp NOT NULL DEFAULT now());
CREATE TABLE rooms (id uuid PRIMARY KEY, agent_id uuid, source text NOT NULL, type text NOT NULL, message_server_id uuid, world_id uuid,
  name text, metadata jsonb, channel_id text, created_at timestamp NOT NULL DEFAULT now());
CREATE TABLE entities (id uuid PRIMARY KEY, agent_id uuid NOT NULL, created_at timestamp NOT NULL DEFAULT now(),
  names text[] NOT NULL DEFAULT '{}', metadata jsonb NOT NULL DEFAULT '{}');
CREATE TABLE participants (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), created_at timestamptz NOT NULL DEFAULT now(), entity_id uuid,
  room_id uuid, agent_id uuid, room_state text);
CREATE TABLE memories (id uuid PRIMARY KEY, type text NOT NULL, created_at timestamp NOT NULL DEFAULT now(), content jsonb NOT NULL,
  entity_id uuid, agent_id uuid NOT NULL, room_id uuid, world_id uuid, "unique" boolean NOT NULL DEFAULT true,
  metadata jsonb NOT NULL DEFAULT '{}');
CREATE TABLE message_servers (id uuid PRIMARY KEY, name text NOT NULL, source_type text NOT NULL, source_id text, metadata jsonb,
  created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now());
CREATE TABLE message_server_agents (message_server_id uuid NOT NULL, agent_id uuid NOT NULL);
CREATE TABLE channels (id text PRIMARY KEY, message_server_id uuid NOT NULL, name text NOT NULL, type text NOT NULL, source_type text,
  source_id text, topic text, metadata jsonb, created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now());
CREATE TABLE channel_participants (channel_id text NOT NULL, entity_id text NOT NULL);
CREATE TABLE central_messages (id text PRIMARY KEY, channel_id text NOT NULL, author_id text NOT NULL, content text NOT NULL,
  raw_message jsonb, in_reply_to_root_message_id text, source_type text, source_id text, metadata jsonb,
  created_at timestamp NOT NULL DEFAULT now(), updated_at timestamp NOT NULL DEFAULT now());
`;

export const ELIZA = 'b850bc30-45f8-0041-a00a-83df46d8555d';
export const SILENT = 'c0ffee00-0000-4000-8000-000000000001';
const BROKEN = 'c0ffee00-0000-4000-8000-000000000002';
export const USER = 'a1111111-1111-4111-8111-111111111111';
export const CHANNEL = 'a2222222-2222-4222-8222-222222222222';
export const SERVER = 'a3333333-3333-4333-8333-333333333333';
export const FACT = 'a4444444-4444-4444-8444-444444444444';
const ROOM = idForAgent(ELIZA, CHANNEL);
const DISCORD_ROOM = 'a5555555-5555-4555-8555-555555555555';
const DISCORD_MEMORY = 'a6666666-6666-4666-8666-666666666666';

/** The id of the nth message, from 0. */
export const messageId = (index: number): string => `d0000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

/** The statements that make the database. @param messages their number, alternately of the user and the agent, a second apart */
export function elizaDatabase(messages: number): string {
  return `${SCHEMA}
INSERT INTO agents (id, name, enabled, system, bio, topics, settings, plugins) VALUES
  ('${ELIZA}', 'Eliza', true, 'Be kind.', '["A doctor."]', '["people"]', '{"avatar": "/eliza.png", "secrets": {"OPENAI_API_KEY": "5f1e:77aa"}}', '["@elizaos/plugin-sql"]'),
  ('${SILENT}', 'Silent', false, '', '["Says nothing."]', '[]', '{}', '[]'),
  ('${BROKEN}', 'Broken', true, '', '{"not": "a text"}', '[]', '{}', '[]');
INSERT INTO message_servers (id, name, source_type, created_at) VALUES
  ('00000000-0000-0000-0000-000000000000', 'Default Server', 'eliza_default', '2025-01-01'), ('${SERVER}', 'A place', 'discord', '2025-01-02');
INSERT INTO message_server_agents VALUES ('${SERVER}', '${ELIZA}'), ('${SERVER}', '${BROKEN}');
INSERT INTO channels (id, message_server_id, name, type, topic, created_at) VALUES ('${CHANNEL}', '${SERVER}', 'talk', 'DM', 'Everything', '2025-01-03');
INSERT INTO channel_participants VALUES ('${CHANNEL}', '${USER}');
INSERT INTO worlds (id, agent_id, name, message_server_id, created_at) VALUES ('${idForAgent(ELIZA, SERVER)}', '${ELIZA}', 'A place', '${SERVER}', '2025-01-03');
INSERT INTO rooms (id, agent_id, source, type, message_server_id, world_id, name, channel_id, created_at) VALUES
  ('${ROOM}', '${ELIZA}', 'client_chat', 'DM', '${SERVER}', '${idForAgent(ELIZA, SERVER)}', 'talk', '${CHANNEL}', '2025-01-03'),
  ('${DISCORD_ROOM}', '${ELIZA}', 'discord', 'GROUP', NULL, NULL, 'lobby', NULL, '2025-01-03');
INSERT INTO entities (id, agent_id, names, created_at) VALUES ('${USER}', '${ELIZA}', '{Maya}', '2025-01-03'), ('${ELIZA}', '${ELIZA}', '{Eliza}', '2025-01-03');
INSERT INTO participants (entity_id, room_id, agent_id) VALUES ('${USER}', '${ROOM}', '${ELIZA}'), ('${ELIZA}', '${ROOM}', '${ELIZA}');
INSERT INTO central_messages (id, channel_id, author_id, content, raw_message, created_at)
  SELECT 'd0000000-0000-4000-8000-' || lpad(n::text, 12, '0'), '${CHANNEL}', CASE WHEN n % 2 = 0 THEN '${USER}' ELSE '${ELIZA}' END,
    'message ' || n, CASE WHEN n % 2 = 0 THEN '{"senderName": "Maya"}'::jsonb END, timestamp '2025-02-01' + n * interval '1 second'
  FROM generate_series(0, ${messages - 1}) AS n;
INSERT INTO memories (id, type, content, entity_id, agent_id, room_id, world_id, created_at) VALUES
  ('${FACT}', 'facts', '{"text": "Maya plays the cello."}', '${USER}', '${ELIZA}', '${ROOM}', NULL, '2025-02-02'),
  ('${DISCORD_MEMORY}', 'messages', '{"text": "Hello from the lobby."}', '${USER}', '${ELIZA}', '${DISCORD_ROOM}', NULL, '2025-02-02'),
  (gen_random_uuid(), 'messages', '{"text": "message 0"}', '${USER}', '${ELIZA}', '${ROOM}', NULL, '2025-02-01'),
  (gen_random_uuid(), 'facts', '{"text": "Unknown."}', '${USER}', '${BROKEN}', NULL, NULL, '2025-02-02');
`;
}
