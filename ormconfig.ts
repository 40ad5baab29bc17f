import { DataSource } from 'typeorm';
import { loadConfig } from './src/core/config/index.js';
import { dataSourceOptions } from './src/core/database/index.js';
import { ENTITIES } from './src/schema.js';

const config = loadConfig(process.env, '0.0.0');

/** The TypeORM command line's door to the program's own database options. */
export default new DataSource(
  dataSourceOptions({ databaseUrl: config.databaseUrl, poolSize: config.databasePoolSize, entities: ENTITIES, access: 'write' }),
);
