import { MAX_VALUES } from './json-values.js';

// Validation and serialization recurse. This limit is far below a stack overflow and far above any legitimate value.
export const MAX_DEPTH = 200;

/** Whether a JSON value has more than `MAX_DEPTH` levels of objects and arrays. */
export function isTooDeep(value: unknown): boolean {
  return faultIn(value, { binary: true, values: Infinity }, MAX_DEPTH) !== undefined;
}

type Fault = 'deep' | 'binary' | 'many';

/** Why a payload is rejected before it is read: it is nested too deeply, contains binary data, or has more than `MAX_VALUES` values and keys. */
export function payloadError(value: unknown): Fault | undefined {
  return faultIn(value, { binary: false, values: MAX_VALUES }, MAX_DEPTH);
}

/** Whether a value is binary data, which is passed on and not inspected. */
export function isBinary(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** @param allowed `values` becomes what is left of them */
function faultIn(value: unknown, allowed: { readonly binary: boolean; values: number }, levels: number): Fault | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isBinary(value)) return allowed.binary ? undefined : 'binary';
  if (levels === 0) return 'deep';
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  allowed.values -= Array.isArray(value) ? parts.length : 2 * parts.length;
  if (allowed.values < 0) return 'many';
  for (const part of parts) {
    // Most values are primitives; the check here saves a call for each.
    const fault = typeof part === 'object' ? faultIn(part, allowed, levels - 1) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}
