// Memories by the thousand, in the store of a server that is not running. All that the bench knows of the schema is here.
import { join } from 'node:path';
import sqlite3 from 'sqlite3';
import { filler } from './chatter.mjs';
import { Random } from './random.mjs';

const DIST = new URL('../../dist/', import.meta.url);
// One memory in five is the user's own.
const OTHERS_FOR_ONE = 4;
const BATCH = 1000;
const COPY = `INSERT INTO memories (id, agent_id, room_id, entity_id, world_id, type, content, words, metadata, is_unique, seq, embedded_by, vouched, created_at)
  SELECT $id, agent_id, room_id, entity_id, world_id, type, json_set(content, '$.text', $text), $words, metadata, is_unique, NULL, embedded_by, vouched,
  created_at + $later FROM memories WHERE id = $original`;
const VECTOR = `INSERT INTO memory_vectors (memory_id, piece, agent_id, model, dimension, audience, created_at, signature, vector)
  SELECT $id, 0, agent_id, model, dimension, audience, created_at + $later, $signature, $vector
  FROM memory_vectors WHERE memory_id = $original LIMIT 1`;
// What users have said and has a vector: filler is said by the same users in the same rooms.
const ORIGINALS = `SELECT DISTINCT m.id, m.entity_id AS author FROM memories m JOIN memory_vectors e ON e.memory_id = m.id WHERE m.type = 'messages'`;

/** Different sentences with their vectors, by the encoder of the build. */
export async function embeddedFiller({ seed, speech }, count) {
  const [{ EmbeddedEncoder }, { SystemClock }, { indexedWords }, { signatureOf }, { toSignatureText, toVectorText }] = await Promise.all(
    [
      'providers/models/embedded-encoder.js',
      'core/clock/index.js',
      'core/search/index.js',
      'modules/memory/vectors/vector-index.js',
      'modules/memory/vectors/vector-text.js',
    ].map((file) => import(new URL(file, DIST))),
  );
  const texts = filler(seed, count, speech);
  const encoder = new EmbeddedEncoder(new SystemClock());
  try {
    const vectors = await encoder.embed(texts);
    return texts.map((text, index) => ({
      text,
      words: indexedWords(text),
      signature: toSignatureText(signatureOf(vectors[index])),
      vector: toVectorText(vectors[index]),
    }));
  } finally {
    await encoder.close();
  }
}

/** Adds memories until the directory has so many: one in five of the user, the rest of others. @returns how many it added */
export async function fillMemories(data, { seed, userId }, wanted, sentences) {
  const database = await new Promise((resolve, reject) => {
    const opened = new sqlite3.Database(join(data, 'parley.sqlite'), (error) => (error ? reject(error) : resolve(opened)));
  });
  const run = (sql, params = {}) =>
    new Promise((resolve, reject) => database.run(sql, params, (error) => (error ? reject(error) : resolve())));
  const all = (sql) => new Promise((resolve, reject) => database.all(sql, (error, rows) => (error ? reject(error) : resolve(rows))));
  try {
    const [{ there }] = await all('SELECT count(*) AS there FROM memories');
    const originals = await all(ORIGINALS);
    const own = originals.filter(({ author }) => author === userId);
    const foreign = originals.filter(({ author }) => author !== userId);
    const random = new Random(seed);
    const count = Math.max(0, wanted - there);
    await run('PRAGMA foreign_keys = ON');
    for (let done = 0; done < count; done += BATCH) {
      await run('BEGIN');
      for (let index = done; index < Math.min(done + BATCH, count); index++) {
        const { text, words, signature, vector } = random.pick(sentences);
        const original = random.pick(index % (OTHERS_FOR_ONE + 1) === 0 ? own : foreign).id;
        const id = index.toString(16).padStart(8, '0') + original.slice(8);
        await run(COPY, { $id: id, $original: original, $text: text, $words: words, $later: 60_000 + index });
        await run(VECTOR, {
          ...{ $id: id, $original: original, $later: 60_000 + index },
          ...{ $signature: signature, $vector: vector },
        });
      }
      await run('COMMIT');
    }
    await run('ANALYZE');
    return count;
  } finally {
    await new Promise((resolve) => database.close(resolve));
  }
}
