import { DataSource } from 'typeorm';
import { loadConfig } from './src/core/config/index.js';
import { dataSourceOptions } from './src/core/database/index.js';
import { SCHEMA } from './src/app.module.js';

const config = loadConfig(process.env, '0.0.0');

/** The TypeORM command line's door to the program's own database options: `npm run typeorm -- migration:show`. */
export default new DataSource({
  ...dataSourceOptions({ databaseUrl: config.databaseUrl, poolSize: config.databasePoolSize, schema: SCHEMA, access: 'write' }),
  // Its commands answer through the log.
  logger: 'advanced-console',
  logging: ['schema', 'migration', 'log', 'info', 'warn', 'error'],
});
