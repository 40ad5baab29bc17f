import { createHmac } from 'node:crypto';
import { isUuid, uuidOf } from './ids.js';

const CUSTOM_VERSION = 0x80;

/**
 * Ids that only this installation can compute: the same for the same things every time, in every process and after a restore, and not to be
 * guessed by anyone who does not have its key. Ids that the contract fixes come from `idFromText` and `idForAgent`.
 */
export class InstallationIds {
  /**
   * @param key   32 bytes, the installation's own
   * @param since when the key was made, epoch ms
   */
  constructor(
    private readonly key: Uint8Array,
    private readonly since: number,
  ) {}

  /**
   * The id of a thing that is known by its parts: HMAC-SHA256, as a UUID of version 8. Upper and lower case count, except in UUIDs.
   *
   * @param purpose what kind of thing it is; the same parts have another id for another purpose
   * @param attempt 0 for the first choice; each further number is another id, for when an earlier one is taken
   */
  of(purpose: string, parts: readonly string[], attempt = 0): string {
    const named = parts.map((part) => (isUuid(part) ? part.toLowerCase() : part));
    const mark = createHmac('sha256', this.key).update(JSON.stringify([purpose, attempt, ...named]));
    return uuidOf(mark.digest(), CUSTOM_VERSION);
  }

  /**
   * Whether something is older than the key: only then may it have an id that earlier versions computed without one. What is younger has
   * occupied such an id.
   *
   * @param createdAt epoch ms
   */
  isOlder(createdAt: number): boolean {
    return createdAt < this.since;
  }

  /** When the key was made, epoch ms. */
  get madeAt(): number {
    return this.since;
  }
}
