const HIDDEN = '[hidden]';
// Under a shorter text than this a secret's value would be found in words that have nothing to do with it.
const SHORTEST_SECRET = 8;
const DEEPEST = 8;
const TELLING_KEY = /(api[-_]?key|secret|passw|token|authorization|cookie|credential|private[-_]?key|signature)/i;
const CREDENTIAL = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
// The scheme has a bound: without one a long word is read again from each of its characters.
const PASSWORD_IN_URL = /([a-z][\w+.-]{0,30}:\/\/[^\s:/@]*:)[^\s:/@]+@/gi;

// The longest first: one may be the beginning of another.
let secrets: readonly string[] = [];

/** Values that are blotted out of every log line from now on, whatever they stand in. */
export function keepSecret(values: Iterable<unknown>): void {
  const found = [...values].filter((value) => typeof value === 'string' && value.length >= SHORTEST_SECRET) as string[];
  if (found.every((value) => secrets.includes(value))) return;
  secrets = [...new Set([...secrets, ...found])].sort((a, b) => b.length - a.length);
}

/** As `keepSecret` for the values that stand under names of secrets, at every depth. */
export function keepSecretsIn(settings: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value === 'object' && value !== null) keepSecretsIn(value as Readonly<Record<string, unknown>>);
    else if (TELLING_KEY.test(name)) keepSecret([value]);
  }
}

/** A text without known secrets, and without what looks like a credential. */
export function redactText(text: string): string {
  let clean = text;
  for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, HIDDEN);
  return clean.replace(CREDENTIAL, `$1 ${HIDDEN}`).replace(PASSWORD_IN_URL, `$1${HIDDEN}@`);
}

/** A value as it may stand in a log: texts redacted, and those under names of secrets hidden whole. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '[deeper]';
  if (value instanceof Error) return redact(describe(value), depth);
  if (Array.isArray(value)) return value.map((each) => redact(each, depth + 1));
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return redactText(JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, typeof each === 'string' && TELLING_KEY.test(key) ? HIDDEN : redact(each, depth + 1)]),
  );
}

function describe(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { type: name, message, ...(code === undefined ? {} : { code }), stack, ...(cause === undefined ? {} : { cause }) };
}
