import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares a value from a request with a secret, such as a key in a header with a setting. The time that it takes tells nothing about the
 * secret. False when one of them is not a text or is empty, so that a setting without a value refuses every caller.
 */
export function sameSecret(given: unknown, secret: unknown): boolean {
  if (typeof given !== 'string' || typeof secret !== 'string' || given === '' || secret === '') return false;
  return timingSafeEqual(digest(given), digest(secret));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
