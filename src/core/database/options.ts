import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import sqlite3 from 'sqlite3';
import { applicationName } from './server-versions.js';

export type Engine = 'sqlite' | 'postgres';

export function engineOf(databaseUrl: string): Engine {
  return databaseUrl.startsWith('sqlite:') ? 'sqlite' : 'postgres';
}

/** File path of a `sqlite:` address. */
export function sqlitePath(databaseUrl: string): string {
  return databaseUrl.slice('sqlite:'.length);
}

/** The address of a database for messages. */
export function withoutPassword(databaseUrl: string): string {
  return engineOf(databaseUrl) === 'sqlite' ? sqlitePath(databaseUrl) : databaseUrl.replace(/:[^:@/]*@/, ':***@');
}

// TypeORM enables the tracing of sqlite3, which records a stack for each call and puts statements with their values into error messages.
const quietDriver: unknown = Object.assign(Object.create(sqlite3), { verbose: () => sqlite3 });

/** The entities and migrations of all modules. */
export interface Schema {
  readonly entities: readonly (new () => object)[];
  /** In any order; they run by the timestamps in their names. */
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** Columns that refer to stored files. */
  readonly fileHashes: readonly FileHashColumn[];
}

/** A column with hashes of stored files (`FileStorage`). Names are constants. */
export interface FileHashColumn {
  readonly table: string;
  readonly column: string;
}

interface OptionsInput {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly schema: Schema;
  /** `read` opens SQLite read-only, so that queries see committed rows only. */
  readonly access: 'read' | 'write';
  /** Of a server, by which others know what its connections to PostgreSQL expect of the schema. */
  readonly version?: string;
}

// The driver's default of 10 s has each burst plan every statement again on new connections. Networks drop connections that are idle for
// some minutes.
const IDLE_CONNECTION_MS = 120_000;

/** Options of a data source, for the application, the migration command and the tests. */
export function dataSourceOptions(input: OptionsInput): DataSourceOptions {
  const shared = {
    entities: [...input.schema.entities],
    migrations: [...input.schema.migrations],
    // A failed upgrade changes nothing, so the backup before the next attempt is again one of the old version.
    migrationsTransactionMode: 'all' as const,
    synchronize: false,
    logging: false,
    // The default logger prints failed migrations to the console although logging is off.
    logger: 'debug' as const,
  };
  if (engineOf(input.databaseUrl) === 'postgres') {
    // The statements of a unit are sent without waiting for each.
    const extra = {
      pipeline: true,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
      ...(input.version === undefined ? {} : { application_name: applicationName(input.version) }),
    };
    return { ...shared, type: 'postgres', url: input.databaseUrl, poolSize: input.poolSize, parseInt8: true, extra };
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
