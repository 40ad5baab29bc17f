// `npm run move:check`: an installation with MOVE_MESSAGES (100,000) messages and MOVE_FILES (2,000) uploads is moved to PostgreSQL and back
// by the built command, which is killed on both ways. It fails unless every row and every file is the same afterwards, and prints the
// throughput and the peak of the resident memory. The databases are compared by SQLite, not by the command. PostgreSQL: POSTGRES_URL.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import sqlite3 from 'sqlite3';
import ensureBuild from '../scripts/ensure-build.mjs';

const MESSAGES = Number(process.env.MOVE_MESSAGES ?? '100000');
const FILES = Number(process.env.MOVE_FILES ?? '2000');
const POSTGRES = process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test';
const MAIN = join(import.meta.dirname, '../dist/main.js');
const PER_CHANNEL = 100;
const SAMPLE_MS = 100;

const id = (kind, n) => `printf('%08x-0000-4000-8000-%012x', ${kind}, ${n})`;
const AGENT = id(1, 1);
const WORDS = `substr('the quick brown fox jumps over a lazy dog while it rains in Lisbon and nobody has an umbrella ', 1 + i % 40, 50)`;
const count = (n) => `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${n})`;
const channel = `((i - 1) / ${PER_CHANNEL} + 1)`;
const seq = `((i - 1) % ${PER_CHANNEL} + 1)`;

/** An installation as conversations leave it: each message has two journal entries, and each second one a turn, a step and a memory. */
const SEED = [
  `INSERT INTO agents (id, name, status, character, created_at, updated_at) VALUES (${AGENT}, 'Vera', 'active', '{"name":"Vera"}', 1, 1)`,
  `${count(Math.ceil(MESSAGES / PER_CHANNEL))} INSERT INTO channels (id, server_id, name, type, channel_type, metadata, turn_policy, created_at, updated_at, vouched)
    SELECT ${id(2, 'i')}, (SELECT id FROM message_servers LIMIT 1), 'Channel ' || i, 'group', 'GROUP', '{}', 'queue', i, i, 1 FROM n`,
  `${count(MESSAGES)} INSERT INTO messages (id, channel_id, seq, pos, author_id, author_kind, author_name, content, source_type, metadata, created_at, updated_at, vouched)
    SELECT ${id(3, 'i')}, ${id(2, channel)}, ${seq}, 1000 + 2 * i, ${id(4, channel)}, 'user', 'User ' || i, ${WORDS} || i || ' é漢😀', 'client_chat', '{"n":' || i || '}', i, i, i % 2 FROM n`,
  `${count(2 * MESSAGES)} INSERT INTO journal (pos, channel_id, seq, type, payload, at)
    SELECT 1000 + i, ${id(2, '(((i - 1) / 2) / ' + PER_CHANNEL + ' + 1)')}, ((i - 1) / 2) % ${PER_CHANNEL} + 1, CASE i % 2 WHEN 0 THEN 'message.created' ELSE 'turn.finished' END,
      json_object('content', ${WORDS}, 'n', i), 1700000000000 + i FROM n`,
  `${count(MESSAGES / 2)} INSERT INTO turns (message_id, agent_id, channel_id, seq, status, attempts, created_at)
    SELECT ${id(3, 'i')}, ${AGENT}, ${id(2, channel)}, ${seq}, 'succeeded', 1, i FROM n`,
  `${count(MESSAGES / 2)} INSERT INTO turn_steps (message_id, agent_id, step, kind, payload, at)
    SELECT ${id(3, 'i')}, ${AGENT}, 1, 'model', json_object('text', ${WORDS}), i FROM n`,
  `${count(MESSAGES / 2)} INSERT INTO memories (id, agent_id, room_id, entity_id, type, content, metadata, is_unique, created_at, vouched)
    SELECT ${id(5, 'i')}, ${AGENT}, ${id(2, channel)}, ${id(4, channel)}, 'messages', json_object('text', ${WORDS} || i), '{}', 0, i, 1 FROM n`,
  `${count(MESSAGES / 2)} INSERT INTO memory_vectors (memory_id, piece, agent_id, model, dimension, audience, created_at, signature, vector)
    SELECT ${id(5, 'i')}, 0, ${AGENT}, 'model', 384, ${id(2, channel)}, i, hex(randomblob(24)), hex(randomblob(700)) FROM n`,
];

const say = (text) => process.stdout.write(`${text}\n`);

function open(path) {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path, (error) => (error ? reject(error) : resolve(database)));
  });
}

function all(database, sql, params = []) {
  return new Promise((resolve, reject) => database.all(sql, params, (error, rows) => (error ? reject(error) : resolve(rows))));
}

/** Runs the built program. @param killAt ends it with SIGKILL when its standard error matches @returns its output, seconds, and peak memory */
async function parley(args, env, killAt) {
  const begun = performance.now();
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: env.DATA_DIR, env: { PATH: process.env.PATH, ...env } });
  let [out, err, peakMb] = ['', '', 0];
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
    if (killAt?.test(err)) child.kill('SIGKILL');
  });
  const sampling = setInterval(async () => {
    const text = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
  }, SAMPLE_MS);
  const [code] = await once(child, 'close');
  clearInterval(sampling);
  if (code !== 0 && !killAt) throw new Error(`parley ${args[0]} ended with ${code}\n${err}`);
  return { code, out, err, seconds: (performance.now() - begun) / 1000, peakMb };
}

/** Lets the server make the tables, and what an installation has from its first start. */
async function firstStart(env) {
  const child = spawn(process.execPath, [MAIN], {
    cwd: env.DATA_DIR,
    env: { PATH: process.env.PATH, SERVER_PORT: '0', EMBEDDING_PROVIDER: 'none', ...env },
  });
  for await (const text of child.stdout.setEncoding('utf8')) if (/listens on/.test(text)) child.kill('SIGTERM');
}

async function seed(dataDir) {
  const database = await open(join(dataDir, 'parley.sqlite'));
  for (const sql of ['PRAGMA foreign_keys=ON', 'BEGIN', ...SEED]) await all(database, sql);
  for (let n = 1; n <= FILES; n += 1) {
    const content = randomBytes(2000 + ((n * 7919) % 60_000));
    const hash = createHash('sha256').update(content).digest('hex');
    await mkdir(join(dataDir, 'media', hash.slice(0, 2)), { recursive: true });
    await writeFile(join(dataDir, 'media', hash.slice(0, 2), hash), content);
    const [media, message] = [`${id(6, n)}`, `${id(3, n)}`];
    await all(
      database,
      `INSERT INTO media_files (id, hash, area, channel_id, name, original_name, mime_type, size, attached, created_at)
        VALUES (${media}, ?, 'channels', ${id(2, 1)}, ?, 'a picture.png', 'image/png', ?, 1, 1)`,
      [hash, `${n}.png`, content.length],
    );
    await all(database, `INSERT INTO message_attachments (message_id, media_id) VALUES (${message}, ${media})`);
  }
  await all(database, 'COMMIT');
  await new Promise((resolve) => database.close(resolve));
}

/** Rows of every table that one database has and the other has not, and the finds of the full-text indexes. */
async function differences(one, other) {
  const database = await open(one);
  await all(database, `ATTACH '${other}' AS other`);
  const found = [];
  let rows = 0;
  const tables = await all(
    database,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
    AND name NOT LIKE '%\\_words\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT IN ('migrations', 'memory_places')`,
  );
  for (const { name } of tables) {
    for (const [a, b] of [
      ['main', 'other'],
      ['other', 'main'],
    ]) {
      const [{ n }] = await all(database, `SELECT count(*) AS n FROM (SELECT * FROM ${a}."${name}" EXCEPT SELECT * FROM ${b}."${name}")`);
      if (n > 0) found.push(`${name}: ${n} rows only in ${a}`);
    }
    const [{ n, m }] = await all(
      database,
      `SELECT (SELECT count(*) FROM main."${name}") AS n, (SELECT count(*) FROM other."${name}") AS m`,
    );
    if (n !== m) found.push(`${name}: ${n} and ${m} rows`);
    rows += n;
  }
  for (const index of ['message_words', 'memory_words']) {
    const hits = (schema) => all(database, `SELECT count(*) AS n FROM ${schema}.${index} WHERE ${index} MATCH 'lisbon'`);
    const [[{ n }], [{ n: m }]] = [await hits('main'), await hits('other')];
    if (n !== m || n === 0) found.push(`${index}: ${n} and ${m} finds`);
  }
  await new Promise((resolve) => database.close(resolve));
  return { found, rows };
}

async function hashes(folder) {
  const found = {};
  for (const shard of await readdir(folder)) {
    for (const name of await readdir(join(folder, shard))) {
      found[name] = createHash('sha256')
        .update(await readFile(join(folder, shard, name)))
        .digest('hex');
    }
  }
  return found;
}

async function administer(sql) {
  const client = new pg.Client({ connectionString: POSTGRES });
  await client.connect();
  await client.query(sql);
  await client.end();
}

const figures = ({ seconds, peakMb }, rows) =>
  `${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s, peak ${Math.round(peakMb)} MB`;

await ensureBuild(() => process.stderr.write('Building Parley ...\n'));
const folder = await mkdtemp(join(tmpdir(), 'parley-move-check-'));
const name = `parley_move_${randomBytes(4).toString('hex')}`;
const target = Object.assign(new URL(POSTGRES), { pathname: `/${name}` }).href;
const [dataDir, back] = [join(folder, 'data'), join(folder, 'back')];
await mkdir(dataDir);
await administer(`CREATE DATABASE ${name}`);
try {
  await firstStart({ DATA_DIR: dataDir });
  await seed(dataDir);
  const { size } = await stat(join(dataDir, 'parley.sqlite'));
  say(`${MESSAGES} messages, ${FILES} uploads, a file of ${(size / 1024 ** 2).toFixed(0)} MB`);

  const first = await parley(['move', target], { DATA_DIR: dataDir }, /copied [\d,]+ of [\d,]+ rows of messages/);
  say(`killed on the way there after ${first.seconds.toFixed(1)} s`);
  const there = await parley(['move', target], { DATA_DIR: dataDir });
  if (!there.err.includes('continued')) throw new Error('the interrupted move was not continued');
  say(there.out);

  const env = { DATA_DIR: dataDir, DATABASE_URL: target };
  const second = await parley(['move', `sqlite:${back}`], env, /copied [\d,]+ of [\d,]+ rows of messages/);
  say(`killed on the way back after ${second.seconds.toFixed(1)} s`);
  const again = await parley(['move', `sqlite:${back}`], env);
  if (!again.err.includes('continued')) throw new Error('the interrupted move was not continued');
  say(again.out);

  const { found, rows } = await differences(join(dataDir, 'parley.sqlite'), join(back, 'parley.sqlite'));
  const [before, after] = [await hashes(join(dataDir, 'media')), await hashes(join(back, 'media'))];
  const lost = Object.keys(before).filter((hash) => before[hash] !== hash || after[hash] !== hash);
  say(`there: ${figures({ ...there, seconds: first.seconds + there.seconds, peakMb: Math.max(first.peakMb, there.peakMb) }, rows)}`);
  say(`back: ${figures({ ...again, seconds: second.seconds + again.seconds, peakMb: Math.max(second.peakMb, again.peakMb) }, rows)}`);
  say(`${rows} rows and ${Object.keys(after).length} files compared: ${found.length + lost.length} differences`);
  if (found.length + lost.length > 0 || Object.keys(after).length !== FILES) throw new Error([...found, ...lost].join('\n'));
} finally {
  await administer(`DROP DATABASE ${name} WITH (FORCE)`);
  await rm(folder, { recursive: true, force: true });
}
