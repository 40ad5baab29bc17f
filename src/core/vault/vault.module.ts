import { Module } from '@nestjs/common';
import { Clock } from '../clock/index.js';
import { CONFIG, type Config } from '../config/index.js';
import { Reader, UnitOfWork } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { InstallationIds } from '../ids/index.js';
import { installationIds } from './installation-key.js';
import { SessionTokens } from './session-tokens.js';
import { Vault } from './vault.js';

const PURPOSE = 'check';

/** The installation's key, held against the database before anything is read: with another key every secret would be lost. */
@Module({
  providers: [
    SessionTokens,
    {
      provide: Vault,
      inject: [CONFIG, Reader, UnitOfWork],
      useFactory: async (config: Config, reader: Reader, unitOfWork: UnitOfWork): Promise<Vault> => {
        const vault = await Vault.open(config);
        await check(vault, reader, unitOfWork);
        return vault;
      },
    },
    // The vault has been held against the database by then.
    { provide: InstallationIds, inject: [Vault, Reader, UnitOfWork, Clock], useFactory: installationIds },
  ],
  exports: [Vault, SessionTokens, InstallationIds],
})
export class VaultModule {}

async function check(vault: Vault, reader: Reader, unitOfWork: UnitOfWork): Promise<void> {
  const stored = await sealedCheck(reader);
  if (stored !== undefined && vault.isPresent(stored)) return;
  if (stored !== undefined) openOrRefuse(vault, stored);
  // The first of several processes that start together writes it; the others hold their key against that.
  await unitOfWork.commit([
    stored === undefined
      ? { sql: 'INSERT INTO vault_check (id, sealed) VALUES (1, ?) ON CONFLICT (id) DO NOTHING', params: [vault.seal(PURPOSE, PURPOSE)] }
      : { sql: 'UPDATE vault_check SET sealed = ? WHERE id = 1 AND sealed = ?', params: [vault.seal(PURPOSE, PURPOSE), stored] },
  ]);
  const written = await sealedCheck(reader);
  if (written !== undefined) openOrRefuse(vault, written);
}

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
      'The secrets of this database were sealed with another key.',
      'Set SECRET_KEY (or restore secret.key in DATA_DIR) to what it was; to change it, name the old key in SECRET_KEY_PREVIOUS.',
      error,
    );
  }
}
