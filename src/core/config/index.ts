export { CONFIG, ConfigModule } from './config.module.js';
export { coreSettings, isLoopback, loadConfig, registeredSettings, registerSettings, secretsOf, type Config } from './config.js';
export { settingError, isEditable, isProtected } from './editable.js';
export {
  address,
  choice,
  dataFolder,
  flag,
  fraction,
  integer,
  json,
  list,
  networks,
  pairs,
  path,
  secret,
  secretList,
  secretPairs,
  text,
  type Settings,
  type SettingValues,
} from './settings.js';
