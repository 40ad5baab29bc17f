import { Injectable } from '@nestjs/common';
import { Vault } from './vault.js';

/** How a session's token begins. */
export const SESSION_TOKEN_PREFIX = 'parley_session_';
const ID_BYTES = 16;
const PURPOSE = 'session token';

/**
 * What a session's creator is given so that it can read and speak in that session and nowhere else. Nothing of it is stored:
 * it is the session's id, signed. It ends with its session.
 */
@Injectable()
export class SessionTokens {
  constructor(private readonly vault: Vault) {}

  /** The same token every time. */
  tokenOf(sessionId: string): string {
    const id = sessionId.toLowerCase();
    const bytes = Buffer.concat([Buffer.from(id.replaceAll('-', ''), 'hex'), this.vault.sign(PURPOSE, id)]);
    return SESSION_TOKEN_PREFIX + bytes.toString('base64url');
  }

  /** @returns the id of the session that a genuine token is for */
  sessionOf(token: string): string | undefined {
    const text = token.slice(SESSION_TOKEN_PREFIX.length);
    const bytes = Buffer.from(text, 'base64url');
    // Decoding passes over what is not base64url: only the one spelling counts.
    if (!token.startsWith(SESSION_TOKEN_PREFIX) || bytes.length <= ID_BYTES || bytes.toString('base64url') !== text) return undefined;
    const hex = bytes.subarray(0, ID_BYTES).toString('hex');
    const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    return this.vault.verify(PURPOSE, id, bytes.subarray(ID_BYTES)) ? id : undefined;
  }
}
