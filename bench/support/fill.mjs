// Many rows of every list within seconds, in the store of a server that is not running.
import sqlite3 from 'sqlite3';
import { join } from 'node:path';

const COUNT = 'WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < $count)';
const ID = `printf('%08x', n) || substr`;

/**
 * Adds message servers, channels of the default one, messages of one channel, runs that answered them, and memories and logs of an agent:
 * as many of each. Each message has a word that all have, one in ten, one in a hundred and one in a thousand of them has, and a number of
 * its own. Nine in ten memories are of the room. Ten rows are of the same instant.
 */
export async function fill(data, { channelId, agentId, roomId }, count) {
  const all = { $count: count, $channelId: channelId };
  const ofAgent = { $count: count, $agentId: agentId };
  await write(data, [
    [
      `INSERT INTO message_servers (id, name, source_type, source_id, metadata, created_at, updated_at)
        ${COUNT} SELECT ${ID}(s.id, 9), 'server ' || n, 'bench', NULL, '{}', s.created_at + n / 10, s.created_at + n / 10
        FROM count, message_servers s JOIN channels c ON c.server_id = s.id WHERE c.id = $channelId`,
      all,
    ],
    [
      `INSERT INTO channels (id, server_id, name, type, channel_type, description, source_type, source_id, metadata, turn_policy, created_at, updated_at)
        ${COUNT} SELECT ${ID}(id, 9), server_id, 'channel ' || n, type, channel_type, NULL, NULL, NULL, '{}', turn_policy,
        created_at + n / 10, created_at + n / 10 FROM count, channels WHERE id = $channelId`,
      all,
    ],
    [
      `INSERT INTO messages (id, channel_id, seq, pos, author_id, author_kind, author_name, content, raw_message, source_type, source_id, metadata,
        in_reply_to, client_message_id, created_at, updated_at)
        ${COUNT} SELECT ${ID}(c.id, 9), c.id, 1000000 + n, 1000000 + n, c.id, 'user', NULL,
        'all of ten' || (n % 10) || ' and hundred' || (n % 100) || ' in thousand' || (n % 1000) || ' with number' || n, NULL, 'bench', NULL, '{}',
        NULL, NULL, c.created_at + n / 10, c.created_at + n / 10 FROM count, channels c WHERE c.id = $channelId`,
      all,
    ],
    [
      `INSERT INTO turns (message_id, agent_id, channel_id, seq, status, attempts, reply_id, created_at, started_at, finished_at)
        SELECT id, $agentId, channel_id, seq, 'done', 1, 'f' || substr(id, 2), created_at, created_at, created_at + 9 FROM messages
        WHERE source_type = 'bench'`,
      { $agentId: agentId },
    ],
    [
      `INSERT INTO turn_steps (message_id, agent_id, step, kind, payload, at)
        SELECT message_id, agent_id, 0, 'model', '{"model":"bench","text":"An answer.","durationMs":8}', created_at + 8 FROM turns`,
      {},
    ],
    [
      `INSERT INTO memories (id, agent_id, room_id, entity_id, world_id, type, content, metadata, is_unique, seq, embedded_by, created_at)
        ${COUNT} SELECT ${ID}(id, 9), id, CASE n % 10 WHEN 0 THEN id ELSE $roomId END, id, NULL, 'messages', '{"text":"memory ' || n || '"}', '{}',
        0, NULL, 'bench', created_at + n / 10 FROM count, agents WHERE id = $agentId`,
      { ...ofAgent, $roomId: roomId },
    ],
    [
      `INSERT INTO agent_logs (id, agent_id, room_id, type, level, body, created_at)
        ${COUNT} SELECT ${ID}(id, 9), id, NULL, 'log', 30, '{"message":"line ' || n || '"}', created_at + n / 10
        FROM count, agents WHERE id = $agentId`,
      ofAgent,
    ],
  ]);
}

/** Adds facts of an agent that wait for their vectors. */
export async function fillFacts(data, agentId, count, text) {
  await write(data, [
    [
      `INSERT INTO memories (id, agent_id, room_id, entity_id, world_id, type, content, metadata, is_unique, seq, embedded_by, created_at)
        ${COUNT} SELECT ${ID}(id, 9), id, id, id, NULL, 'facts', json_object('text', 'Fact ' || n || '. ' || $text), '{}',
        0, NULL, NULL, created_at + n FROM count, agents WHERE id = $agentId`,
      { $count: count, $agentId: agentId, $text: text },
    ],
  ]);
}

/** Adds stopped agents like one that is there. */
export async function fillAgents(data, agentId, count) {
  await write(data, [
    [
      `INSERT INTO agents (id, name, status, character, secrets, source_hash, created_at, updated_at)
        ${COUNT} SELECT ${ID}(id, 9), 'Copy ' || n, 'inactive', character, NULL, NULL, created_at, updated_at FROM count, agents WHERE id = $agentId`,
      { $count: count, $agentId: agentId },
    ],
  ]);
}

/**
 * Adds stopped agents like one that is there, channels with one of them each, and sessions in these channels. Half of the sessions have
 * expired. @returns the ids of the agents that it added
 */
export async function fillLarge(data, agentId, { channels, agents, sessions }) {
  await fillAgents(data, agentId, agents);
  const now = Date.now();
  const part = (n) => `printf('%08x', ${n})`;
  const ofChannel = `'-0000-4000-8000-000000000000'`;
  const ofAgent = 'substr($agentId, 9)';
  await write(data, [
    [
      `INSERT INTO channels (id, server_id, name, type, channel_type, metadata, turn_policy, created_at, updated_at)
        ${COUNT} SELECT ${part('n')} || ${ofChannel}, '00000000-0000-0000-0000-000000000000', 'channel ' || n, 'text', 'GROUP',
        '{"topic":"a channel of the benches"}', 'enqueue', $now + n / 10, $now FROM count`,
      { $count: channels, $now: now - 90_000_000 },
    ],
    [
      `INSERT INTO channel_participants (channel_id, entity_id, kind, joined_at)
        ${COUNT} SELECT ${part('n')} || ${ofChannel}, ${part('1 + n % $agents')} || ${ofAgent}, 'agent', 0 FROM count`,
      { $count: channels, $agents: agents, $agentId: agentId },
    ],
    [
      `INSERT INTO sessions (id, agent_id, channel_id, user_id, metadata, timeout_minutes, auto_renew, max_duration_minutes,
        warning_threshold_minutes, created_at, last_activity, renewed_at, expires_at, renewal_count, warned_for, status, revision, next_deadline)
        ${COUNT} SELECT ${part('n')} || ${ofChannel}, ${part('1 + n % $agents')} || ${ofAgent}, ${part('1 + n % $channels')} || ${ofChannel},
        'a0000000-0000-4000-8000-000000000000', '{"platform":"bench"}', 1440, 1, 100000, 5, $now - n, $now - n, $now - n,
        $now + (n % 2) * 80000000 - n, 0, NULL, 'live', 1, $now + (n % 2) * 80000000 - n - 300000 FROM count`,
      { $count: sessions, $agents: agents, $channels: channels, $agentId: agentId, $now: now },
    ],
  ]);
  return Array.from({ length: agents }, (_, index) => (index + 1).toString(16).padStart(8, '0') + agentId.slice(8));
}

/** How many sessions have expired and were not announced, at a running server. */
export async function overdueSessions(data) {
  const database = await opened(data, sqlite3.OPEN_READONLY);
  try {
    return await new Promise((resolve, reject) =>
      database.get(`SELECT count(*) AS overdue FROM sessions WHERE status = 'live' AND next_deadline <= ?`, [Date.now()], (error, row) =>
        error ? reject(error) : resolve(row.overdue),
      ),
    );
  } finally {
    await new Promise((resolve) => database.close(resolve));
  }
}

function opened(data, mode) {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(join(data, 'parley.sqlite'), mode, (error) => (error ? reject(error) : resolve(database)));
  });
}

async function write(data, statements) {
  const database = await opened(data, sqlite3.OPEN_READWRITE);
  const run = (sql, params = {}) =>
    new Promise((resolve, reject) => database.run(sql, params, (error) => (error ? reject(error) : resolve())));
  try {
    await run('BEGIN');
    for (const [sql, params] of statements) await run(sql, params);
    await run('COMMIT');
  } finally {
    await new Promise((resolve) => database.close(resolve));
  }
}
