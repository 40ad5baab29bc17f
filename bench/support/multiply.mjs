// A full database within seconds: what real turns have left behind is copied row by row under new ids.
import sqlite3 from 'sqlite3';
import { join } from 'node:path';

// Columns that get a new id in each copy (its first eight digits are the number of the copy); all others stay.
const TABLES = {
  channels: ['id'],
  channel_participants: ['channel_id'],
  messages: ['id', 'channel_id', 'in_reply_to'],
  turns: ['message_id', 'channel_id', 'reply_id'],
  turn_steps: ['message_id'],
  sessions: ['id', 'channel_id'],
  rooms: ['id', 'channel_id'],
  participants: ['room_id'],
  memories: ['id', 'room_id'],
  journal: ['channel_id'],
};

/** Copies the conversations of a closed database until it has at least `wanted` messages. @returns how many it has */
export async function multiply(data, wanted) {
  const database = await open(join(data, 'parley.sqlite'));
  const run = (sql) => new Promise((resolve, reject) => database.exec(sql, (error) => (error ? reject(error) : resolve())));
  const all = (sql) => new Promise((resolve, reject) => database.all(sql, (error, rows) => (error ? reject(error) : resolve(rows))));
  try {
    const [{ last }] = await all('SELECT max(pos) AS last FROM journal');
    const [{ there }] = await all('SELECT count(*) AS there FROM messages');
    const copies = Math.ceil(wanted / there);
    await run(`PRAGMA foreign_keys=OFF; BEGIN; CREATE TEMP TABLE copy (number integer PRIMARY KEY);
      WITH RECURSIVE count(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM count WHERE number < ${copies})
      INSERT INTO copy SELECT number FROM count;`);
    for (const [table, ids] of Object.entries(TABLES)) {
      const columns = (await all(`PRAGMA table_info(${table})`)).map(({ name }) => name);
      const missing = ids.filter((id) => !columns.includes(id));
      if (missing.length > 0) {
        throw new Error(`the table ${table} no longer has the columns ${missing.join(', ')}; bench/support/multiply.mjs has to follow`);
      }
      const values = columns.map((name) => {
        if (ids.includes(name)) {
          return `CASE WHEN original.${name} IS NULL THEN NULL ELSE printf('%08x', copy.number) || substr(original.${name}, 9) END`;
        }
        if (name === 'pos') return `original.pos + copy.number * ${last}`;
        return `original.${name}`;
      });
      await run(`CREATE TEMP TABLE original AS SELECT * FROM ${table} ${table === 'journal' ? 'WHERE channel_id IS NOT NULL' : ''};
        INSERT INTO main.${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM copy, original ORDER BY copy.number, original.rowid;
        DROP TABLE temp.original;`);
    }
    await run('COMMIT; ANALYZE;');
    const faults = await all('PRAGMA foreign_key_check');
    if (faults.length > 0) throw new Error(`copied rows refer to nothing: ${JSON.stringify(faults.slice(0, 3))}`);
    const [{ messages }] = await all('SELECT count(*) AS messages FROM messages');
    return messages;
  } finally {
    await new Promise((resolve) => database.close(resolve));
  }
}

function open(path) {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path, sqlite3.OPEN_READWRITE, (error) => (error ? reject(error) : resolve(database)));
  });
}
