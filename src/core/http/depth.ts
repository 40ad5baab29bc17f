// What walks through a value recurses; this is far from where that fails, and farther from what anybody means.
export const DEEPEST = 200;

/** Whether a value out of JSON has more levels of objects and lists than anybody means. */
export function isTooDeep(value: unknown): boolean {
  return faultIn(value, { binary: true }, DEEPEST) !== undefined;
}

/** Why a payload is not looked into: it is nested too deeply, or holds binary data. One walk, which ends at the first fault. */
export function payloadFault(value: unknown): 'deep' | 'binary' | undefined {
  return faultIn(value, { binary: false }, DEEPEST);
}

/** Whether a value is binary data: something to hand on, not an object to look into. */
export function isBinary(value: unknown): value is ArrayBuffer | ArrayBufferView {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

function faultIn(value: unknown, allowed: { readonly binary: boolean }, levels: number): 'deep' | 'binary' | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isBinary(value)) return allowed.binary ? undefined : 'binary';
  if (levels === 0) return 'deep';
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const part of parts) {
    // Most parts are no objects, and a call costs more than a look.
    const fault = typeof part === 'object' ? faultIn(part, allowed, levels - 1) : undefined;
    if (fault !== undefined) return fault;
  }
  return undefined;
}
