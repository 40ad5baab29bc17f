import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { auditEntry } from '../../../core/audit/index.js';
import { Clock } from '../../../core/clock/index.js';
import { UnitOfWork, type Transaction } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { newId } from '../../../core/ids/index.js';
import { append } from '../../../core/journal/index.js';
import { Log } from '../../../core/logging/index.js';
import { KeysRepository } from './keys.repository.js';
import type { ApiKey, CreateKey } from './keys.types.js';

/** Prefix of all keys, by which secret scanners recognise a leaked key. */
export const KEY_PREFIX = 'parley_';
const KEY_BYTES = 32;
const USE_RECORD_INTERVAL_MS = 60_000;

/** API keys. Each use reads the key from the database, so that a revocation takes effect everywhere at once. */
@Injectable()
export class KeysService {
  private readonly log = new Log('access');
  private readonly lastRecorded = new Map<string, number>();

  constructor(
    private readonly repository: KeysRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @returns the key and its text, which cannot be shown again because only its hash is stored */
  async create({ id = newId(), name, scope, agents, users, expiresAt }: CreateKey): Promise<{ key: ApiKey; token: string }> {
    const now = this.clock.now();
    if (expiresAt !== null && expiresAt <= now) throw new AppError('VALIDATION_ERROR', 'expiresAt must lie in the future');
    const key: ApiKey = {
      id,
      name: name.trim(),
      scope,
      agents: agents && distinct(agents),
      users: users === null || users === 'all' ? users : distinct(users),
      createdAt: now,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    };
    // A key of 256 random bits cannot be guessed, so an unsalted hash is sufficient.
    const token = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
    await this.unitOfWork.commit([
      this.repository.insert(key, hashOf(token)),
      auditEntry('key.created', { target: ['key', id], summary: `Created the key "${key.name}" with the scope ${scope}.` }, now),
    ]);
    this.log.info('key created', { keyId: key.id, scope });
    return { key, token };
  }

  list(): Promise<ApiKey[]> {
    return this.repository.all();
  }

  /** Revokes a key permanently; has no effect on a revoked key. @throws AppError KEY_NOT_FOUND */
  async revoke(id: string): Promise<ApiKey> {
    await this.unitOfWork.run('revoke key', async (tx) => {
      const { name } = await this.require(tx, id);
      const now = this.clock.now();
      const [outcome] = await tx.apply([this.repository.revoke(id, now)]);
      if (outcome?.changed !== 1) return;
      const audited = auditEntry('key.revoked', { target: ['key', id], summary: `Revoked the key "${name}".` }, now);
      await tx.apply([audited, append('key.revoked', null, { keyId: id.toLowerCase() }, now)]);
    });
    this.log.info('key revoked', { keyId: id });
    const revoked = await this.repository.find(id);
    if (!revoked) throw new Error(`key ${id} is gone`);
    return revoked;
  }

  /** The key with this text, even if it is no longer valid. Records the use of a valid key. */
  async findByToken(token: string): Promise<ApiKey | undefined> {
    const key = await this.repository.findByHash(hashOf(token));
    if (key && invalidReason(key, this.clock.now()) === undefined) this.recordUse(key.id);
    return key;
  }

  /** The key as it is now; undefined when it may no longer be used. */
  async findValid(id: string): Promise<ApiKey | undefined> {
    const key = await this.repository.find(id);
    return key && invalidReason(key, this.clock.now()) === undefined ? key : undefined;
  }

  private async require(tx: Transaction, id: string): Promise<ApiKey> {
    const key = await this.repository.findIn(tx, id);
    if (!key) throw new AppError('KEY_NOT_FOUND', `Key ${id} not found`, 'GET /api/keys lists the keys and their ids.');
    return key;
  }

  private recordUse(id: string): void {
    const now = this.clock.now();
    if (now - (this.lastRecorded.get(id) ?? -Infinity) < USE_RECORD_INTERVAL_MS) return;
    this.lastRecorded.set(id, now);
    this.unitOfWork.commit([this.repository.recordUse(id, now)]).catch((error: unknown) => {
      this.log.warn('the last use of a key could not be recorded', { keyId: id, reason: (error as Error).message });
    });
  }
}

/** Why a key is refused; undefined for a valid one. */
export function invalidReason({ revokedAt, expiresAt }: ApiKey, now: number): string | undefined {
  if (revokedAt !== null) return 'The API key was revoked';
  return expiresAt !== null && expiresAt <= now ? 'The API key has expired' : undefined;
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
