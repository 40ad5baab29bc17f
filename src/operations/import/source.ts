import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { errorMessage } from '../../core/errors/index.js';

/** A row of a query; JSON columns are parsed. */
export type SourceRow = Readonly<Record<string, unknown>>;

/** A read-only view of an elizaOS database at one moment. */
export interface Source {
  rows(sql: string, params?: readonly unknown[]): Promise<SourceRow[]>;
  close(): Promise<void>;
}

// What the import reads of elizaOS 1.7.
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  agents: ['id', 'enabled', 'name', 'username', 'system', 'bio', 'message_examples', 'post_examples', 'topics', 'adjectives'],
  worlds: ['id', 'agent_id', 'name', 'metadata', 'message_server_id', 'created_at'],
  rooms: ['id', 'agent_id', 'source', 'type', 'message_server_id', 'world_id', 'name', 'metadata', 'channel_id', 'created_at'],
  entities: ['id', 'agent_id', 'names', 'metadata', 'created_at'],
  participants: ['room_id', 'entity_id', 'agent_id'],
  memories: ['id', 'type', 'content', 'entity_id', 'agent_id', 'room_id', 'world_id', 'unique', 'metadata', 'created_at'],
  message_servers: ['id', 'name', 'source_type', 'source_id', 'metadata', 'created_at', 'updated_at'],
  message_server_agents: ['message_server_id', 'agent_id'],
  channels: ['id', 'message_server_id', 'name', 'type', 'source_type', 'source_id', 'topic', 'metadata', 'created_at', 'updated_at'],
  channel_participants: ['channel_id', 'entity_id'],
  central_messages: ['id', 'channel_id', 'author_id', 'content', 'raw_message', 'in_reply_to_root_message_id', 'metadata', 'created_at'],
};
const COPY_ATTEMPTS = 5;

/**
 * Opens an elizaOS database, which may be in use: a PostgreSQL address is read in one read-only transaction; of a PGlite folder a copy is
 * read.
 *
 * @throws Error when it cannot be opened or is not a database of elizaOS 1.7
 */
export async function openSource(address: string): Promise<Source> {
  const source = /^postgres(ql)?:\/\//.test(address) ? await openPostgres(address) : await openPglite(resolve(address));
  try {
    await assertSchema(source);
    return source;
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function openPostgres(connectionString: string): Promise<Source> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString, application_name: 'parley import' });
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new Error(`The database of elizaOS cannot be read: ${errorMessage(error)}`, { cause: error });
  }
  return {
    rows: async (sql, params = []) => (await client.query<SourceRow>(sql, [...params])).rows,
    close: () => client.end(),
  };
}

async function openPglite(folder: string): Promise<Source> {
  if (!existsSync(join(folder, 'PG_VERSION'))) {
    throw new Error(`${folder} is no PGlite database. Name the folder .elizadb of an elizaOS project, or a postgres:// address.`);
  }
  const { PGlite } = await import('@electric-sql/pglite').catch((error: unknown) => {
    throw new Error('Databases of PGlite need a package: npm install @electric-sql/pglite@0.3', { cause: error });
  });
  const scratch = await mkdtemp(join(tmpdir(), 'parley-elizaos-'));
  const remove = (): Promise<void> => rm(scratch, { recursive: true, force: true });
  try {
    const copy = join(scratch, 'database');
    await copyAtRest(folder, copy);
    const database = await PGlite.create(copy);
    return {
      rows: async (sql, params = []) => (await database.query<SourceRow>(sql, [...params])).rows,
      close: async () => {
        await database.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw new Error(`${folder} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
}

/** Copies a folder whose files did not change meanwhile. @throws Error when they change in each attempt */
async function copyAtRest(folder: string, copy: string): Promise<void> {
  for (let attempt = 1; attempt <= COPY_ATTEMPTS; attempt += 1) {
    const before = await stateOf(folder);
    await cp(folder, copy, { recursive: true });
    if ((await stateOf(folder)) === before) return;
    await rm(copy, { recursive: true, force: true });
  }
  throw new Error('elizaOS writes to it all the time. Stop elizaOS, and run the command again.');
}

async function stateOf(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).sort();
  const states = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name)).catch(() => undefined);
      return found?.isFile() === true ? `${name} ${found.size} ${found.mtimeMs}` : name;
    }),
  );
  return states.join('\n');
}

async function assertSchema(source: Source): Promise<void> {
  const found = new Set(
    (await source.rows(`SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()`)).map(
      ({ table_name, column_name }) => `${String(table_name)}.${String(column_name)}`,
    ),
  );
  const missing = Object.entries(COLUMNS).flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`).filter((name) => !found.has(name)),
  );
  if (missing.length === 0) return;
  throw new Error(
    `This is no database of elizaOS 1.7: it lacks ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ` and ${missing.length - 5} more` : ''}. Start elizaOS 1.7 on it once, which upgrades it.`,
  );
}
