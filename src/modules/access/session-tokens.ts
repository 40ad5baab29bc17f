import { Injectable } from '@nestjs/common';
import { Vault } from '../../core/vault/index.js';

/** Prefix of session tokens. */
export const SESSION_TOKEN_PREFIX = 'parley_session_';
const ID_BYTES = 16;
const PURPOSE = 'session token';
const SHAPE = /^parley_session_([\w-]+)(?:\.([1-9]\d{0,15}))?$/;

/** What a genuine token says. */
export interface SessionClaims {
  readonly sessionId: string;
  /** When the token ends at the latest, epoch ms; absent when only its session ends it. */
  readonly endsAt?: number;
}

/**
 * Session tokens, which are valid for one session only and end with it. A token is the signed id of its session, and of its own end, if it has
 * one; it is not stored.
 */
@Injectable()
export class SessionTokens {
  constructor(private readonly vault: Vault) {}

  /**
   * Deterministic: a session always has the same token.
   *
   * @param endsAt end of the credential that the token must not outlive, epoch ms
   */
  tokenOf(sessionId: string, endsAt?: number): string {
    const id = sessionId.toLowerCase();
    const bytes = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), this.vault.sign(PURPOSE, signedText(id, endsAt))]);
    return SESSION_TOKEN_PREFIX + bytes.toString('base64url') + (endsAt === undefined ? '' : `.${endsAt}`);
  }

  /** @returns undefined for any text that is not a genuine token */
  verify(token: string): SessionClaims | undefined {
    const [, text = '', end] = SHAPE.exec(token) ?? [];
    const bytes = Buffer.from(text, 'base64url');
    // Buffer ignores characters outside base64url, so accept only the canonical encoding.
    if (bytes.length <= ID_BYTES || bytes.toString('base64url') !== text) return undefined;
    const hex = bytes.subarray(0, ID_BYTES).toString('hex');
    const sessionId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    const endsAt = end === undefined ? undefined : Number(end);
    if (!this.vault.verify(PURPOSE, signedText(sessionId, endsAt), bytes.subarray(ID_BYTES))) return undefined;
    return { sessionId, ...(endsAt === undefined ? {} : { endsAt }) };
  }
}

function signedText(id: string, endsAt: number | undefined): string {
  return endsAt === undefined ? id : `${id} until ${endsAt}`;
}
