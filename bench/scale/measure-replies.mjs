// What running replies cost the database: the unit that stores the text of several, and the extension of their leases.
import pg from 'pg';
import { preciseMs } from './processor.mjs';

// The build is there when a bench runs, and need not be when imports are checked.
const DIST = new URL('../../dist/', import.meta.url);

const REPLIES = [1, 10, 50];
const EXTENDED = [10, 500];
/** What a model writes in 250 ms. */
const TEXT = 'x'.repeat(60);
const OWNER = 'scale';
// From the third use on, a text is prepared; from the sixth on, its plan may stay.
const UNCOUNTED = 8;

/** Processor time and bytes of the log, on the turns that a database has. @returns for each number of replies */
export async function measureReplies(port, database, small) {
  const load = (path) => import(new URL(path, DIST).href);
  const { PostgresUnit } = await load('core/database/postgres-unit.js');
  const { sendTogether } = await load('core/database/postgres-pipeline.js');
  const { append } = await load('core/journal/append.js');
  await load('modules/messaging/messaging.events.js');
  const { TurnsRepository } = await load('modules/turns/turns.repository.js');
  const { table } = new TurnsRepository();
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database });
  await client.connect();
  const measured = async (statements, rounds) => {
    const unit = new PostgresUnit(statements);
    const send = async () => unit.outcomes(await sendTogether(client, unit.queries, true));
    for (let round = 0; round < UNCOUNTED; round += 1) await send();
    const [before, at] = [await lsnOf(client), await preciseMs([client.processID])];
    for (let round = 0; round < rounds; round += 1) await send();
    const ms = ((await preciseMs([client.processID])) - at) / rounds;
    return { queries: unit.queries.length, ms, walBytes: ((await lsnOf(client)) - before) / rounds };
  };
  try {
    await client.query('SET synchronous_commit = off');
    // A bench has few rows, which would be read one by one.
    await client.query('SET enable_seqscan = off');
    await client.query('SET jit = off');
    const turns = await runningTurns(client, Math.max(...EXTENDED));
    const stored = [];
    for (const replies of REPLIES) {
      const statements = turns
        .slice(0, replies)
        .flatMap(({ message_id: messageId, agent_id: agentId, channel_id: channelId }) => [
          table.assertHeld([messageId, agentId], OWNER),
          append(
            'message.chunk',
            channelId,
            { messageId, agentId, replyId: messageId, text: TEXT, index: 1, attempt: 1, restart: 0, start: 0 },
            0,
          ),
        ]);
      stored.push({ replies, ...(await measured(statements, Math.ceil((600 * small) / replies))) });
    }
    const extended = [];
    for (const count of EXTENDED) {
      const owner = `${OWNER} ${count}`;
      await client.query(`UPDATE turns SET lease_owner = $1 WHERE message_id = ANY ($2)`, [
        owner,
        turns.slice(0, count).map(({ message_id: id }) => id),
      ]);
      extended.push({ turns: count, ...(await measured([table.extend(owner, 9_000_000_000_000)], Math.ceil(60 * small))) });
    }
    return { stored, extended };
  } finally {
    await client.end();
  }
}

/** Turns of different channels, which no process looks for. */
async function runningTurns(client, count) {
  const { rows } = await client.query(
    `UPDATE turns SET status = 'running', lease_owner = $1, lease_until = 9000000000000
      WHERE message_id IN (SELECT min(message_id) FROM turns GROUP BY channel_id LIMIT ${count})
      RETURNING message_id, agent_id, channel_id`,
    [OWNER],
  );
  return rows;
}

async function lsnOf(client) {
  return Number((await client.query(`SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bytes`)).rows[0].bytes);
}
