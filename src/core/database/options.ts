import type { DataSourceOptions, MixedList } from 'typeorm';
import sqlite3 from 'sqlite3';
import { MIGRATIONS } from './migrations/index.js';

export type Engine = 'sqlite' | 'postgres';

export function engineOf(databaseUrl: string): Engine {
  return databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres';
}

/** Path of the SQLite file that a `sqlite:` address names. */
export function sqlitePath(databaseUrl: string): string {
  return databaseUrl.slice('sqlite:'.length);
}

// TypeORM switches sqlite3's tracing on, which records a stack for each call and puts whole statements, values included,
// into error texts.
const quietDriver: unknown = Object.assign(Object.create(sqlite3), { verbose: () => sqlite3 });

interface OptionsInput {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly entities: MixedList<new () => object>;
  /** `read` opens SQLite read-only, so that a query never sees rows that are not committed. */
  readonly access: 'read' | 'write';
}

/** The options of a data source, for the application, the migration command and the tests alike. */
export function dataSourceOptions(input: OptionsInput): DataSourceOptions {
  const shared = {
    entities: input.entities as never,
    migrations: MIGRATIONS,
    // An upgrade that does not come to its end leaves nothing behind: the copy that the next one makes is of the old version again.
    migrationsTransactionMode: 'all' as const,
    synchronize: false,
    logging: false,
    // The default one prints a failed migration to the console in spite of it; the error says the same.
    logger: 'debug' as const,
  };
  if (engineOf(input.databaseUrl) === 'postgres') {
    return { ...shared, type: 'postgres', url: input.databaseUrl, poolSize: input.poolSize, parseInt8: true };
  }
  return {
    ...shared,
    type: 'sqlite',
    database: sqlitePath(input.databaseUrl),
    driver: quietDriver,
    busyTimeout: 5000,
    ...(input.access === 'read' ? { flags: sqlite3.OPEN_READONLY } : {}),
  };
}
