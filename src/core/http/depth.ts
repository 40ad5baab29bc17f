// What walks through a value recurses; this is far from where that fails, and farther from what anybody means.
export const DEEPEST = 200;

/** Whether a value out of JSON has more levels of objects and lists than anybody means. */
export function isTooDeep(value: unknown, levels = DEEPEST): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return levels === 0 || Object.values(value).some((part) => isTooDeep(part, levels - 1));
}
