export { CONFIG, ConfigModule } from './config.module.js';
export { loadConfig, SETTINGS, type Config } from './config.js';
