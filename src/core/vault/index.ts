export { InstallationKeyRow } from './installation-key.entity.js';
export { VaultCheckRow } from './vault-check.entity.js';
export { openVault } from './open-vault.js';
export { Vault } from './vault.js';
export { descriptor, VaultModule } from './vault.module.js';
