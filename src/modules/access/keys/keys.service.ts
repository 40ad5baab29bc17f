import { createHash, randomBytes } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../core/clock/index.js';
import { UnitOfWork } from '../../../core/database/index.js';
import { AppError } from '../../../core/errors/index.js';
import { newId } from '../../../core/ids/index.js';
import { Log } from '../../../core/logging/index.js';
import { KeysRepository } from './keys.repository.js';
import type { ApiKey, CreateKey } from './keys.types.js';

/** How a key begins, so that one that leaked is recognised by whoever finds it. */
export const KEY_PREFIX = 'parley_';
const KEY_BYTES = 32;
const USE_NOTED_EVERY_MS = 60_000;

/** Keys that are handed out to programs. Each is looked up anew at every use, so that a revoked one is refused everywhere at once. */
@Injectable()
export class KeysService implements OnModuleInit {
  private readonly log = new Log('access');
  private readonly noted = new Map<string, number>();
  private readonly revocations = new Set<() => void>();

  constructor(
    private readonly repository: KeysRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Says which keys still vouch for all users because they are from before there were grants. */
  async onModuleInit(): Promise<void> {
    const now = this.clock.now();
    const inherited = (await this.repository.all()).filter((key) => key.users === 'inherited' && whyInvalid(key, now) === undefined);
    if (inherited.length === 0) return;
    this.log.warn(
      `${inherited.length} API ${inherited.length === 1 ? 'key' : 'keys'} from before this version may recall for all users. ` +
        'Replace each with a new key that has the grant "users" it needs, and revoke the old one.',
      { keyIds: inherited.map(({ id }) => id) },
    );
  }

  /** @returns the key and its text, which nobody can be shown again: only its hash is kept */
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
    // 256 random bits: there is nothing to guess, so a plain hash protects them.
    const token = KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url');
    await this.unitOfWork.commit([this.repository.insert(key, hashOf(token))]);
    this.log.info('key created', { keyId: key.id, scope });
    return { key, token };
  }

  list(): Promise<ApiKey[]> {
    return this.repository.all();
  }

  /** Ends a key for good; one that was revoked before stays so. @throws AppError KEY_NOT_FOUND */
  async revoke(id: string): Promise<ApiKey> {
    if (!(await this.repository.find(id))) {
      throw new AppError('KEY_NOT_FOUND', `Key ${id} not found`, 'GET /api/keys lists the keys and their ids.');
    }
    await this.unitOfWork.commit([this.repository.revoke(id, this.clock.now())]);
    this.log.info('key revoked', { keyId: id });
    for (const heard of this.revocations) heard();
    const revoked = await this.repository.find(id);
    if (!revoked) throw new Error(`key ${id} is gone`);
    return revoked;
  }

  /** Calls back when a key was revoked in this process. */
  onRevocation(heard: () => void): void {
    this.revocations.add(heard);
  }

  /** The key with this text, also one that is no longer valid. Notes that it was used. */
  async byToken(token: string): Promise<ApiKey | undefined> {
    const key = await this.repository.findByHash(hashOf(token));
    if (key && whyInvalid(key, this.clock.now()) === undefined) this.noteUse(key.id);
    return key;
  }

  /** Whether the key may still be used. */
  async isValid(id: string): Promise<boolean> {
    const key = await this.repository.find(id);
    return key !== undefined && whyInvalid(key, this.clock.now()) === undefined;
  }

  private noteUse(id: string): void {
    const now = this.clock.now();
    if (now - (this.noted.get(id) ?? -Infinity) < USE_NOTED_EVERY_MS) return;
    this.noted.set(id, now);
    this.unitOfWork.commit([this.repository.used(id, now)]).catch((error: unknown) => {
      this.log.warn('the use of a key could not be noted', { keyId: id, reason: (error as Error).message });
    });
  }
}

/** Why a key is refused; undefined for a valid one. */
export function whyInvalid({ revokedAt, expiresAt }: ApiKey, now: number): string | undefined {
  if (revokedAt !== null) return 'The API key was revoked';
  return expiresAt !== null && expiresAt <= now ? 'The API key has expired' : undefined;
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
