import type { Config } from '../config/index.js';
import type { Reader, UnitOfWork } from '../database/index.js';
import { AppError } from '../errors/index.js';
import { Vault } from './vault.js';

const PURPOSE = 'check';

/**
 * Opens the vault, and verifies its key against the database: with a wrong key, no stored secret could be read.
 *
 * @throws AppError CONFIG_INVALID when the key is another one
 */
export async function openVault(
  config: Pick<Config, 'dataDir' | 'secretKey' | 'secretKeyPrevious'>,
  reader: Reader,
  unitOfWork: UnitOfWork,
): Promise<Vault> {
  const vault = await Vault.open(config);
  await check(vault, reader, unitOfWork);
  return vault;
}

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
