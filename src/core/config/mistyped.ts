/** A variable that Parley does not read, and the setting that it is probably meant to be. */
export interface Mistyped {
  readonly name: string;
  readonly meant: string;
}

const SHORTEST = 7;
const LONG = 9;
// Known elsewhere by the same letters but one.
const OF_OTHERS = new Set(['APP_KEY', 'OLLAMA_MODELS', 'LOG_LEVELS']);

/**
 * Names that are nearly those of settings: two letters exchanged, one missing, doubled or wrong (in a longer name, two), or in small
 * letters. One whose setting is set too is taken for a variable of something else.
 *
 * @param names every variable that is set; values are not looked at
 * @param known names that are read
 * @param given settings that are set
 */
export function mistypedOf(names: readonly string[], known: ReadonlySet<string>, given: ReadonlySet<string>): Mistyped[] {
  const targets = [...known].filter((target) => target.length >= SHORTEST && !given.has(target));
  return names.flatMap((name) => {
    if (known.has(name) || OF_OTHERS.has(name)) return [];
    const written = name.toUpperCase().replaceAll('-', '_');
    const found = targets
      .filter((target) => Math.abs(target.length - written.length) <= 2)
      .map((meant) => ({ name, meant, far: distance(written, meant) }))
      .filter(({ meant, far }) => far <= (meant.length < LONG ? 1 : 2))
      .sort((one, other) => one.far - other.far)[0];
    return found === undefined ? [] : [{ name, meant: found.meant }];
  });
}

/** How many letters must be put in, taken out, replaced or exchanged with their neighbour. */
function distance(from: string, to: string): number {
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
