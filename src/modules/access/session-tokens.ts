import { Injectable } from '@nestjs/common';
import { Vault } from '../../core/vault/index.js';

/** Prefix of session tokens. */
export const SESSION_TOKEN_PREFIX = 'parley_session_';
const ID_BYTES = 16;
const PURPOSE = 'session token';

/**
 * Session tokens, which are valid for one session only and end with it. A token is the signed id of its session; it is not stored.
 */
@Injectable()
export class SessionTokens {
  constructor(private readonly vault: Vault) {}

  /** Deterministic: a session always has the same token. */
  tokenOf(sessionId: string): string {
    const id = sessionId.toLowerCase();
    const bytes = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), this.vault.sign(PURPOSE, id)]);
    return SESSION_TOKEN_PREFIX + bytes.toString('base64url');
  }

  /** @returns the session id of a genuine token; undefined for any other text */
  sessionOf(token: string): string | undefined {
    const text = token.slice(SESSION_TOKEN_PREFIX.length);
    const bytes = Buffer.from(text, 'base64url');
    // Buffer ignores characters outside base64url, so accept only the canonical encoding.
    if (!token.startsWith(SESSION_TOKEN_PREFIX) || bytes.length <= ID_BYTES || bytes.toString('base64url') !== text) return undefined;
    const hex = bytes.subarray(0, ID_BYTES).toString('hex');
    const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    return this.vault.verify(PURPOSE, id, bytes.subarray(ID_BYTES)) ? id : undefined;
  }
}
