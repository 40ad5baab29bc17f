import { isUuid } from '../ids/index.js';
import { FORGOTTEN_USER_ID } from '../personal-data/index.js';

/** Texts that say what kind of entry it is, or come from the operator. Any other text is removed, so that a new field is safe by itself. */
const KEPT = new Set([
  'action',
  'agentName',
  'authorKind',
  'channelType',
  'code',
  'kind',
  'sourceType',
  'status',
  'turnPolicy',
  'type',
  'createdAt',
  'updatedAt',
]);
const EMPTIED: Readonly<Record<string, unknown>> = { metadata: {}, rawMessage: null };

/**
 * The payload of an entry about a forgotten user: ids, numbers and the shape stay; texts are empty, names null, and the user's id is
 * replaced. A text of `null` stays null.
 */
export function redactedPayload(payload: unknown, userId: string): unknown {
  const redacted = redactValue(payload, '', userId);
  return typeof redacted === 'object' && redacted !== null && !Array.isArray(redacted) ? { ...redacted, redacted: true } : redacted;
}

function redactValue(value: unknown, key: string, userId: string): unknown {
  if (typeof value === 'string') {
    if (value.toLowerCase() === userId) return FORGOTTEN_USER_ID;
    if (isUuid(value) || KEPT.has(key)) return value;
    return key.endsWith('Name') || key === 'clientMessageId' || key === 'sourceId' ? null : '';
  }
  if (Array.isArray(value)) return value.map((each) => redactValue(each, key, userId));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, each !== null && name in EMPTIED ? EMPTIED[name] : redactValue(each, name, userId)]),
  );
}
