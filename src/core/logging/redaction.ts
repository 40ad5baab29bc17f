import { SecretIndex } from './secret-index.js';

const HIDDEN = '[hidden]';
const MAX_DEPTH = 8;
const SECRET_KEY_NAME = /(api[-_]?key|secret|passw|token|authorization|cookie|credential|private[-_]?key|signature)/i;
// API keys, session tokens and user tokens of this server are not stored, so their values are unknown. The second part must not start
// within a word; otherwise matching takes quadratic time.
const OWN_TOKEN = /\bparley_[\w-]{20,}|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}/g;
const CREDENTIAL = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi;
// The length of the scheme is bounded; otherwise matching a long word takes quadratic time.
const PASSWORD_IN_URL = /([a-z][\w+.-]{0,30}:\/\/[^\s:/@]*:)[^\s:/@]+@/gi;
// Services take keys in the query of a URL, under names of their own. The length of a name is bounded, for linear time.
const QUERY_VALUE = /([?&][^=\s&?#"'<>]{1,100}=)[^\s&#"'<>]+/g;

const ofServer = new Set<string>();
const ofOwners = new Map<string, readonly string[]>();
/** Undefined after a change, until the next text. */
let index: SecretIndex | undefined;

/** Redacts these values in all further log lines. Values that are not text, or shorter than 8 characters, are left out. */
export function redactSecrets(values: Iterable<unknown>): void {
  for (const value of values) {
    if (typeof value !== 'string' || ofServer.has(value)) continue;
    ofServer.add(value);
    index = undefined;
  }
}

/** As `redactSecrets`, in place of the values of this owner before. */
export function redactSecretsOf(owner: string, values: Iterable<unknown>): void {
  const texts = [...values].filter((value): value is string => typeof value === 'string');
  if (texts.length === 0 && !ofOwners.has(owner)) return;
  if (texts.length === 0) ofOwners.delete(owner);
  else ofOwners.set(owner, texts);
  index = undefined;
}

/** The values of fields with names of secrets, at every depth. */
export function secretsIn(settings: Readonly<Record<string, unknown>>): unknown[] {
  const found: unknown[] = [];
  const waiting = [settings];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [name, value] of Object.entries(next)) {
      if (typeof value === 'object' && value !== null) waiting.push(value as Readonly<Record<string, unknown>>);
      else if (SECRET_KEY_NAME.test(name)) found.push(value);
    }
  }
  return found;
}

/** Redacts known secrets, and text that looks like a credential. */
export function redactText(text: string): string {
  index ??= new SecretIndex([...ofServer, ...[...ofOwners.values()].flat()]);
  return index
    .hide(text)
    .replace(OWN_TOKEN, HIDDEN)
    .replace(CREDENTIAL, `$1 ${HIDDEN}`)
    .replace(PASSWORD_IN_URL, `$1${HIDDEN}@`)
    .replace(QUERY_VALUE, `$1${HIDDEN}`);
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
