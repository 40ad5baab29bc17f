import { createHmac } from 'node:crypto';
import { isUuid, uuidOf } from './ids.js';

const CUSTOM_VERSION = 8;

/**
 * Deterministic ids that only this installation can compute: the same in every process and after a restore, and unpredictable without the
 * installation key. Ids that the contract defines come from `idFromText` and `idForAgent`.
 */
export class InstallationIds {
  /** @param key the installation key, 32 bytes */
  constructor(private readonly key: Uint8Array) {}

  /**
   * The id of a resource that is identified by parts: HMAC-SHA256 as a UUID of version 8. Case-sensitive, except for UUIDs.
   *
   * @param purpose kind of the resource; the same parts have another id for another purpose
   * @param attempt 0 by default; each further number yields another id, for when an earlier one is taken
   */
  of(purpose: string, parts: readonly string[], attempt = 0): string {
    const named = parts.map((part) => (isUuid(part) ? part.toLowerCase() : part));
    const mark = createHmac('sha256', this.key).update(JSON.stringify([purpose, attempt, ...named]));
    return uuidOf(mark.digest('hex'), CUSTOM_VERSION);
  }
}
