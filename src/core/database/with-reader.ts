import { DataSource } from 'typeorm';
import type { Config } from '../config/index.js';
import { dataSourceOptions } from './options.js';
import { Reader } from './reader.js';

const NO_SCHEMA = { entities: [], migrations: [], fileHashes: [] };

/**
 * Reads the database of a server that may run, without a lock and without an upgrade.
 *
 * @throws Error of the driver when there is no database
 */
export async function withReader<T>({ databaseUrl }: Pick<Config, 'databaseUrl'>, work: (reader: Reader) => Promise<T>): Promise<T> {
  const options = dataSourceOptions({ databaseUrl, poolSize: 1, schema: NO_SCHEMA, access: 'read' });
  const source = await new DataSource(options).initialize();
  try {
    // Prepared statements would not work behind a pooler.
    const reader = new Reader(source, false);
    try {
      return await work(reader);
    } finally {
      await reader.close();
    }
  } finally {
    await source.destroy();
  }
}
