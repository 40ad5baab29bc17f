/** Replaces secrets in responses. A client that sends it back leaves the secret unchanged. */
export const MASK = '********';

const SECRET_NAME = /(key|token|secrets?|passw(or)?d|passphrase|credentials?|salt|mnemonic|dsn)$/i;
const PASSWORD_IN_URL = /^[a-z][\w+.-]*:\/\/[^/\s:]*:[^/\s]+@/i;

/** Whether a value is a secret, by its name or because it is a URL with a password. */
export function looksSecret(name: string, value?: unknown): boolean {
  return SECRET_NAME.test(name) || (typeof value === 'string' && PASSWORD_IN_URL.test(value));
}

export function isMask(value: unknown): boolean {
  return value === MASK;
}

/** An object with the names of secrets and the mask as each value. */
export function masked(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, MASK]));
}
