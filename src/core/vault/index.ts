export { InstallationKeyRow } from './installation-key.entity.js';
export { VaultCheckRow } from './vault-check.entity.js';
export { SESSION_TOKEN_PREFIX, SessionTokens } from './session-tokens.js';
export { Vault } from './vault.js';
export { VaultModule } from './vault.module.js';
