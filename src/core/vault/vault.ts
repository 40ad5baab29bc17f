import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/index.js';
import { AppError } from '../errors/index.js';

const KEY_FILE = 'secret.key';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const PREFIX = 'sealed:1:';

/** One key: what it is known by in sealed texts, and the keys that are made of it. */
interface Ring {
  readonly name: string;
  readonly sealing: Buffer;
  readonly signing: Buffer;
}

/**
 * Keeps what must not be read in the database file: seals texts with AES-256-GCM and signs what is handed out. New texts
 * are sealed with the present key; what the previous one (SECRET_KEY_PREVIOUS) sealed or signed is still understood.
 */
export class Vault {
  private constructor(
    private readonly present: Ring,
    private readonly previous: readonly Ring[],
  ) {}

  /** With SECRET_KEY, or else with the key in the data directory, which is made when there is none. */
  static async open(config: Pick<Config, 'dataDir' | 'secretKey' | 'secretKeyPrevious'>): Promise<Vault> {
    const present = config.secretKey === undefined ? await keyFile(config.dataDir) : Buffer.from(config.secretKey);
    return new Vault(
      ringOf(present),
      config.secretKeyPrevious.map((key) => ringOf(Buffer.from(key))),
    );
  }

  static isSealed(text: string): boolean {
    return text.startsWith(PREFIX);
  }

  /** @param purpose what the text is; it opens only for the same purpose */
  seal(purpose: string, text: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.present.sealing, iv).setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${PREFIX}${this.present.name}:${sealed.toString('base64')}`;
  }

  /** @throws AppError SECRET_UNREADABLE when it was sealed with another key, for another purpose, or changed since */
  open(purpose: string, sealed: string): string {
    const [name, data = ''] = sealed.slice(PREFIX.length).split(':');
    const ring = [this.present, ...this.previous].find((one) => one.name === name);
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

  /** Whether it was sealed with the present key; what was not is to be sealed anew while the previous key is known. */
  isPresent(sealed: string): boolean {
    return sealed.startsWith(`${PREFIX}${this.present.name}:`);
  }

  /** A mark that only this installation can make, 32 bytes. */
  sign(purpose: string, text: string): Buffer {
    return signature(this.present, purpose, text);
  }

  verify(purpose: string, text: string, mark: Buffer): boolean {
    return [this.present, ...this.previous].some((ring) => {
      const expected = signature(ring, purpose, text);
      return mark.length === expected.length && timingSafeEqual(mark, expected);
    });
  }
}

function signature(ring: Ring, purpose: string, text: string): Buffer {
  return createHmac('sha256', ring.signing).update(`${purpose}\0${text}`).digest();
}

function ringOf(key: Buffer): Ring {
  const derive = (use: string, bytes: number): Buffer => Buffer.from(hkdfSync('sha256', key, '', `parley ${use}`, bytes));
  return { name: derive('name', 4).toString('hex'), sealing: derive('sealing', KEY_BYTES), signing: derive('signing', KEY_BYTES) };
}

async function keyFile(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, KEY_FILE);
  await mkdir(dataDir, { recursive: true });
  try {
    if (!existsSync(path)) await createKeyFile(path);
    const text = (await readFile(path, 'utf8')).trim();
    if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('it does not hold 64 hexadecimal digits');
    // A copy of the folder may have lost the mode.
    await chmod(path, 0o600);
    // As text, so that it can be moved into SECRET_KEY or SECRET_KEY_PREVIOUS as it stands.
    return Buffer.from(text);
  } catch (error) {
    throw keyFileFault(path, error);
  }
}

/** Whole or not at all: a start that is cut off here leaves no half key behind. */
async function createKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  await rename(draft, path);
}

function keyFileFault(path: string, cause: unknown): AppError {
  return new AppError(
    'CONFIG_INVALID',
    `The key file ${path} cannot be used: ${(cause as Error).message}`,
    'Restore the file from the copy of the data directory, or set SECRET_KEY.',
    cause,
  );
}

function unreadable(cause?: unknown): AppError {
  return new AppError(
    'SECRET_UNREADABLE',
    'A stored secret cannot be read with the present key.',
    'Set SECRET_KEY (or restore secret.key in the data directory) to what it was, or name the old key in SECRET_KEY_PREVIOUS.',
    cause,
  );
}
