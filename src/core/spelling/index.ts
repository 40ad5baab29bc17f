/** Edit distance: insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const exchanged = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, exchanged));
    }
  }
  return at(from.length, to.length);
}

const SHORTEST_PART = 4;

/** A known name with the same letters but one (two, or three, in long names), or one that contains the given name. */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');
  const written = plain(name);
  return known
    .map((candidate) => {
      const part = written.length >= SHORTEST_PART && plain(candidate).includes(written);
      return { candidate, far: part ? 0 : editDistance(written, plain(candidate)) };
    })
    .filter(({ candidate: { length }, far }) => far <= (length < 4 ? 0 : length < 6 ? 1 : length < 9 ? 2 : 3))
    .sort((one, other) => one.far - other.far)[0]?.candidate;
}
