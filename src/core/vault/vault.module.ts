import { Module } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { Reader, UnitOfWork } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { InstallationIds } from '../ids/index.js';
import { installationIds } from './installation-key.js';
import { Vault } from './vault.js';
import { defineModule } from '../modules/index.js';
import { InstallationKeyRow } from './installation-key.entity.js';
import { VaultCheckRow } from './vault-check.entity.js';
import { VAULT_SETTINGS } from './vault.settings.js';
import { VAULT_ERRORS } from './vault.error-codes.js';

const PURPOSE = 'check';

/** Provides the vault. Its key is verified against the database at start: with a wrong key, no stored secret could be read. */
@Module({
  providers: [
    {
      provide: Vault,
      inject: [CONFIG, Reader, UnitOfWork],
      useFactory: async (config: Config, reader: Reader, unitOfWork: UnitOfWork): Promise<Vault> => {
        const vault = await Vault.open(config);
        await check(vault, reader, unitOfWork);
        return vault;
      },
    },
    // The injected vault has been verified already.
    { provide: InstallationIds, inject: [Vault, Reader, UnitOfWork, Clock], useFactory: installationIds },
  ],
  exports: [Vault, InstallationIds],
})
export class VaultModule {}

async function check(vault: Vault, reader: Reader, unitOfWork: UnitOfWork): Promise<void> {
  const stored = await sealedCheck(reader);
  if (stored !== undefined && vault.usesCurrentKey(stored)) return;
  if (stored !== undefined) openOrRefuse(vault, stored);
  // Of several processes that start at once, the first writes the row; the others verify their key against it.
  await unitOfWork.commit([
    stored === undefined
      ? { sql: 'INSERT INTO vault_check (id, sealed) VALUES (1, ?) ON CONFLICT (id) DO NOTHING', params: [vault.seal(PURPOSE, PURPOSE)] }
      : { sql: 'UPDATE vault_check SET sealed = ? WHERE id = 1 AND sealed = ?', params: [vault.seal(PURPOSE, PURPOSE), stored] },
  ]);
  const written = await sealedCheck(reader);
  if (written !== undefined) openOrRefuse(vault, written);
}

export const descriptor = defineModule({
  name: 'vault',
  about: 'The installation key, and the secrets encrypted with it.',
  module: VaultModule,
  entities: [VaultCheckRow, InstallationKeyRow],
  settings: VAULT_SETTINGS,
  errors: VAULT_ERRORS,
});

async function sealedCheck(reader: Reader): Promise<string | undefined> {
  const [row] = await reader.rows<{ sealed: string }>('SELECT sealed FROM vault_check WHERE id = 1');
  return row?.sealed;
}

function openOrRefuse(vault: Vault, sealed: string): void {
  try {
    vault.open(PURPOSE, sealed);
  } catch (error) {
    throw new AppError(
      'CONFIG_INVALID',
      'The secrets of this database were encrypted with a different key.',
      'Set SECRET_KEY (or restore secret.key in DATA_DIR) to the previous key. To rotate it, add the old key to SECRET_KEY_PREVIOUS.',
      error,
    );
  }
}
