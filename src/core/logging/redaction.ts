const HIDDEN = '[hidden]';
// Shorter values would match unrelated text.
const MIN_SECRET_LENGTH = 8;
const MAX_DEPTH = 8;
const SECRET_KEY_NAME = /(api[-_]?key|secret|passw|token|authorization|cookie|credential|private[-_]?key|signature)/i;
// API keys, session tokens and user tokens of this server are not stored, so their values are unknown. The second part must not start
// within a word; otherwise matching takes quadratic time.
const OWN_TOKEN = /\bparley_[\w-]{20,}|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}/g;
const CREDENTIAL = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
// The length of the scheme is bounded; otherwise matching a long word takes quadratic time.
const PASSWORD_IN_URL = /([a-z][\w+.-]{0,30}:\/\/[^\s:/@]*:)[^\s:/@]+@/gi;

// Longest first, because one secret may be a prefix of another.
let secrets: readonly string[] = [];

/** Redacts these values in all further log lines. */
export function redactSecrets(values: Iterable<unknown>): void {
  const found = [...values].filter((value) => typeof value === 'string' && value.length >= MIN_SECRET_LENGTH) as string[];
  if (found.every((value) => secrets.includes(value))) return;
  secrets = [...new Set([...secrets, ...found])].sort((a, b) => b.length - a.length);
}

/** As `redactSecrets`, for the values of fields with names of secrets, at every depth. */
export function redactSecretsIn(settings: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value === 'object' && value !== null) redactSecretsIn(value as Readonly<Record<string, unknown>>);
    else if (SECRET_KEY_NAME.test(name)) redactSecrets([value]);
  }
}

/** Redacts known secrets, and text that looks like a credential. */
export function redactText(text: string): string {
  let clean = text;
  for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, HIDDEN);
  return clean.replace(OWN_TOKEN, HIDDEN).replace(CREDENTIAL, `$1 ${HIDDEN}`).replace(PASSWORD_IN_URL, `$1${HIDDEN}@`);
}

/** A copy of a value for the log: text is redacted, and text in fields with names of secrets is hidden. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return '[deeper]';
  if (value instanceof Error) return redact(describe(value), depth);
  if (Array.isArray(value)) return value.map((each) => redact(each, depth + 1));
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return redactText(JSON.stringify(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'string' && SECRET_KEY_NAME.test(key) ? HIDDEN : redact(each, depth + 1),
    ]),
  );
}

function describe(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return { type: name, message, ...(code === undefined ? {} : { code }), stack, ...(cause === undefined ? {} : { cause }) };
}
