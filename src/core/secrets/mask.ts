/** Stands for a secret wherever it would be shown. Whoever sends it back leaves the secret as it is. */
export const MASK = '********';

const SECRET_NAME = /(key|token|secrets?|passw(or)?d|passphrase|credentials?|salt|mnemonic|dsn)$/i;
const PASSWORD_IN_URL = /^[a-z][\w+.-]*:\/\/[^/\s:]*:[^/\s]+@/i;

/** Whether a value is one that nobody should see, by its name or because it is an address with a password in it. */
export function looksSecret(name: string, value?: unknown): boolean {
  return SECRET_NAME.test(name) || (typeof value === 'string' && PASSWORD_IN_URL.test(value));
}

export function isMask(value: unknown): boolean {
  return value === MASK;
}

/** The names of secrets, each with the mask for its value. */
export function masked(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, MASK]));
}
