import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock/index.js';
import type { Reader, UnitOfWork } from '../database/index.js';
import { InstallationIds } from '../ids/index.js';
import type { Vault } from './vault.js';

const PURPOSE = 'installation key';
const KEY_BYTES = 32;
const INSERT = 'INSERT INTO installation_key (id, sealed, created_at) VALUES (1, ?, ?) ON CONFLICT (id) DO NOTHING';
const RESEAL = 'UPDATE installation_key SET sealed = ? WHERE id = 1 AND sealed = ?';

interface Stored {
  readonly sealed: string;
}

/**
 * Loads or creates the installation key. Of several processes that start at once, the first creates it. A rotation of SECRET_KEY re-seals
 * the key without changing it.
 */
export async function installationIds(vault: Vault, reader: Reader, unitOfWork: UnitOfWork, clock: Clock): Promise<InstallationIds> {
  if (!(await stored(reader))) {
    await unitOfWork.commit([{ sql: INSERT, params: [vault.seal(PURPOSE, randomBytes(KEY_BYTES).toString('hex')), clock.now()] }]);
  }
  const row = await stored(reader);
  if (!row) throw new Error('the installation key was not found after it was written');
  const key = vault.open(PURPOSE, row.sealed);
  if (!vault.usesCurrentKey(row.sealed)) await unitOfWork.commit([{ sql: RESEAL, params: [vault.seal(PURPOSE, key), row.sealed] }]);
  return new InstallationIds(Buffer.from(key, 'hex'));
}

async function stored(reader: Reader): Promise<Stored | undefined> {
  const [row] = await reader.rows<Stored>('SELECT sealed FROM installation_key WHERE id = 1');
  return row;
}
