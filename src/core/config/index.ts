export { CONFIG, ConfigModule } from './config.module.js';
export { coreSettings, isLoopback, loadConfig, registeredSettings, registerSettings, secretsOf, type Config } from './config.js';
export { settingError, isEditable, isProtected } from './editable.js';
export {
  address,
  choice,
  dataFolder,
  flag,
  integer,
  json,
  list,
  networks,
  parseS3Location,
  path,
  s3Location,
  secret,
  secretList,
  text,
  type S3Location,
  type Settings,
  type SettingValues,
} from './settings.js';
