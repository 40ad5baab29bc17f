/** Whether a version is before another, by their numbers: pre-releases of a version count as that version. */
export function isOlder(version: string, other: string): boolean {
  const [numbers, others] = [numbersOf(version), numbersOf(other)];
  const at = others.findIndex((number, index) => number !== (numbers[index] ?? 0));
  return at >= 0 && (numbers[at] ?? 0) < (others[at] ?? 0);
}

function numbersOf(version: string): number[] {
  return (/^\d+(\.\d+)*/.exec(version)?.[0] ?? '0').split('.').map(Number);
}
