import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/index.js';
import { AppError } from '../errors/index.js';
import { redactSecrets } from '../logging/index.js';

const KEY_FILE = 'secret.key';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = 'sealed:1:';

/** The keys derived from one secret key, and its name in sealed texts. */
interface KeySet {
  readonly name: string;
  readonly sealing: Buffer;
  readonly signing: Buffer;
}

/**
 * Encrypts ("seals") secrets in the database with AES-256-GCM and signs tokens. New texts use the current key; texts and signatures of
 * previous keys (SECRET_KEY_PREVIOUS) are still accepted.
 */
export class Vault {
  private constructor(
    private readonly current: KeySet,
    private readonly previous: readonly KeySet[],
  ) {}

  /** Uses SECRET_KEY or the key file in the data directory, which is created if missing. */
  static async open(config: Pick<Config, 'dataDir' | 'secretKey' | 'secretKeyPrevious'>): Promise<Vault> {
    const present = config.secretKey === undefined ? await keyFile(config.dataDir) : Buffer.from(config.secretKey);
    return new Vault(
      keySetOf(present),
      config.secretKeyPrevious.map((key) => keySetOf(Buffer.from(key))),
    );
  }

  static isSealed(text: string): boolean {
    return text.startsWith(PREFIX);
  }

  /** @param purpose kind of the text; it can only be opened for the same purpose */
  seal(purpose: string, text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.current.sealing, iv).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${PREFIX}${this.current.name}:${sealed.toString('base64')}`;
  }

  /** @throws AppError SECRET_UNREADABLE when the text was sealed with an unknown key or for another purpose, or was modified */
  open(purpose: string, sealed: string): string {
    const [name, data = ''] = sealed.slice(PREFIX.length).split(':');
    const ring = [this.current, ...this.previous].find((one) => one.name === name);
    const bytes = Buffer.from(data, 'base64');
    if (!Vault.isSealed(sealed) || !ring || bytes.length < IV_BYTES + TAG_BYTES) throw unreadable();
    const decipher = createDecipheriv('aes-256-gcm', ring.sealing, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch (error) {
      throw unreadable(error);
    }
  }

  /** Whether a text is sealed with the current key. Other texts have to be re-sealed while the previous key is known. */
  usesCurrentKey(sealed: string): boolean {
    return sealed.startsWith(`${PREFIX}${this.current.name}:`);
  }

  /** HMAC-SHA256 signature, 32 bytes. */
  sign(purpose: string, text: string): Buffer {
    return signature(this.current, purpose, text);
  }

  verify(purpose: string, text: string, mark: Buffer): boolean {
    return [this.current, ...this.previous].some((ring) => {
      const expected = signature(ring, purpose, text);
      return mark.length === expected.length && timingSafeEqual(mark, expected);
    });
  }
}

function signature(ring: KeySet, purpose: string, text: string): Buffer {
  return createHmac('sha256', ring.signing).update(`${purpose}\0${text}`).digest();
}

function keySetOf(key: Buffer): KeySet {
  const derive = (use: string, bytes: number): Buffer => Buffer.from(hkdfSync('sha256', key, '', `parley ${use}`, bytes));
  return { name: derive('name', 4).toString('hex'), sealing: derive('sealing', KEY_BYTES), signing: derive('signing', KEY_BYTES) };
}

async function keyFile(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, KEY_FILE);
  await mkdir(dataDir, { recursive: true });
  try {
    if (!existsSync(path)) await createKeyFile(path);
    const text = (await readFile(path, 'utf8')).trim();
    if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('it must contain 64 hexadecimal digits');
    redactSecrets([text]);
    // Copying the folder may have changed the mode.
    await chmod(path, 0o600);
    // The key is the text itself, so that it can be moved to SECRET_KEY or SECRET_KEY_PREVIOUS.
    return Buffer.from(text);
  } catch (error) {
    throw keyFileError(path, error);
  }
}

/** Writes the file atomically, so that a crash leaves no partial key. */
async function createKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  await rename(draft, path);
}

function keyFileError(path: string, cause: unknown): AppError {
  return new AppError(
    'CONFIG_INVALID',
    `The key file ${path} cannot be used: ${(cause as Error).message}`,
    'Restore the file from a backup of the data directory, or set SECRET_KEY.',
    cause,
  );
}

function unreadable(cause?: unknown): AppError {
  return new AppError(
    'SECRET_UNREADABLE',
    'A stored secret cannot be decrypted with the current key.',
    'Set SECRET_KEY (or restore secret.key in DATA_DIR) to the previous key, or add the old key to SECRET_KEY_PREVIOUS.',
    cause,
  );
}
