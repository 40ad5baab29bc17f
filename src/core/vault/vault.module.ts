import { Module } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { Reader, UnitOfWork } from '../database/index.js';
import { InstallationIds } from '../ids/index.js';
import { installationIds } from './installation-key.js';
import { openVault } from './open-vault.js';
import { Vault } from './vault.js';
import { defineModule } from '../modules/index.js';
import { InstallationKeyRow } from './installation-key.entity.js';
import { VaultCheckRow } from './vault-check.entity.js';
import { VAULT_SETTINGS } from './vault.settings.js';
import { VAULT_ERRORS } from './vault.error-codes.js';
import { Vault1795824003000 } from './migrations/1795824003000-vault.js';

/** Provides the vault. */
@Module({
  providers: [
    {
      provide: Vault,
      inject: [CONFIG, Reader, UnitOfWork],
      useFactory: (config: Config, reader: Reader, unitOfWork: UnitOfWork): Promise<Vault> => openVault(config, reader, unitOfWork),
    },
    // The injected vault has been verified already.
    { provide: InstallationIds, inject: [Vault, Reader, UnitOfWork, Clock], useFactory: installationIds },
  ],
  exports: [Vault, InstallationIds],
})
export class VaultModule {}

export const descriptor = defineModule({
  name: 'vault',
  about: 'The installation key, and the secrets encrypted with it.',
  module: VaultModule,
  entities: [VaultCheckRow, InstallationKeyRow],
  migrations: [Vault1795824003000],
  settings: VAULT_SETTINGS,
  errors: VAULT_ERRORS,
});
