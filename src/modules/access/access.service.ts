import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../core/config/index.js';

/** Headers, or a socket's handshake, as far as credentials are looked for in them. */
export interface Credentials {
  readonly apiKey?: unknown;
  readonly authorization?: unknown;
}

/** Decides whether a caller may come in. Without an API key everybody on this machine may. */
@Injectable()
export class AccessService {
  private readonly expected: Buffer | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.expected = config.apiKey === undefined ? undefined : digest(config.apiKey);
  }

  /** Whether an API key is configured at all. */
  get required(): boolean {
    return this.expected !== undefined;
  }

  get sessionStartIsOpen(): boolean {
    return !this.config.sessionsRequireAuth;
  }

  /** True when no key is needed or the right one was given. Takes the same time for every wrong key. */
  allows({ apiKey, authorization }: Credentials): boolean {
    if (this.expected === undefined) return true;
    const bearer = typeof authorization === 'string' ? /^Bearer (.+)$/i.exec(authorization)?.[1] : undefined;
    const given = typeof apiKey === 'string' ? apiKey : bearer;
    return given !== undefined && timingSafeEqual(digest(given), this.expected);
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
