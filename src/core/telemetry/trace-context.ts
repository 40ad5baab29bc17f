import type { TraceContext } from '../context/request-context.js';

/** Version, trace id, parent id and flags. Later versions may append fields. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_STATE_LENGTH = 512;
const MAX_STATE_MEMBERS = 32;
const STATE_KEY = '[a-z][\\w*/-]{0,255}|[a-z0-9][\\w*/-]{0,240}@[a-z][\\w*/-]{0,13}';
const STATE_MEMBER = new RegExp(`^(${STATE_KEY})=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e]$`);

/**
 * Reads the headers `traceparent` and `tracestate`. A caller's `tracestate` that breaks the rules is left out.
 *
 * @returns undefined when `traceparent` is missing or invalid: the receiver then starts a trace of its own
 */
export function parseTraceContext(traceparent: unknown, tracestate?: unknown): TraceContext | undefined {
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (!found) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', rest] = found;
  if (version === '00' && rest !== undefined) return undefined;
  const state = validState(tracestate);
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1, ...(state === undefined ? {} : { state }) };
}

/** The value of the header `traceparent`. */
export function traceparentOf({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/** One text for a column: `traceparent`, and after a space `tracestate`, if any. */
export function storedTraceContext(context: TraceContext): string {
  return context.state === undefined ? traceparentOf(context) : `${traceparentOf(context)} ${context.state}`;
}

/** Reads what `storedTraceContext` wrote; undefined for null and for a text that it did not write. */
export function readTraceContext(stored: string | null | undefined): TraceContext | undefined {
  if (!stored) return undefined;
  const end = stored.indexOf(' ');
  return end === -1 ? parseTraceContext(stored) : parseTraceContext(stored.slice(0, end), stored.slice(end + 1));
}

function validState(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > MAX_STATE_LENGTH) return undefined;
  const members = given
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const isValid = members.length > 0 && members.length <= MAX_STATE_MEMBERS && members.every((member) => STATE_MEMBER.test(member));
  return isValid ? members.join(',') : undefined;
}
