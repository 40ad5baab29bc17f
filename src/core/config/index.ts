export { CONFIG, ConfigModule } from './config.module.js';
export { isLoopback, loadConfig, secretsOf, SETTINGS, type Config } from './config.js';
export { faultOf, isEditable, isGuarded } from './editable.js';
export { AGENT_SERVICES, type OwnService, type OwnServices } from './agent-services.js';
