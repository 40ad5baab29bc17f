export { CONFIG, ConfigModule } from './config.module.js';
export {
  coreSettings,
  isLoopback,
  loadConfig,
  publicSettings,
  registeredSettings,
  registerSettings,
  secretsOf,
  type Config,
} from './config.js';
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
  parseS3Location,
  s3Location,
  secret,
  secretList,
  secretPairs,
  shippedFolder,
  text,
  type S3Location,
  type Settings,
  type SettingValues,
} from './settings.js';
