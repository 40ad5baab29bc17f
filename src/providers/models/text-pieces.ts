/** How a text is cut for an engine that sees only so much of it. */
export interface Pieces {
  readonly words: number;
  /** A "word" may be a whole base64 file: it is cut as well. */
  readonly characters: number;
  /** What is behind so many pieces is not embedded. */
  readonly most: number;
}

/** The parts of a text that are embedded one by one; none for a blank text. */
export function piecesOf(text: string, limits: Pieces): string[] {
  const pieces: string[] = [];
  let words: string[] = [];
  let length = 0;
  const close = (): void => {
    if (words.length > 0) pieces.push(words.join(' '));
    words = [];
    length = 0;
  };
  // No more of the text is looked at than can be used.
  for (const match of text.slice(0, limits.most * limits.characters * 2).matchAll(new RegExp(`\\S{1,${limits.characters}}`, 'gu'))) {
    const word = match[0];
    if (words.length === limits.words || length + word.length > limits.characters) close();
    if (pieces.length === limits.most) break;
    words.push(word);
    length += word.length + 1;
  }
  close();
  return pieces.slice(0, limits.most);
}

/** A question of at most so many characters: a longer one keeps its beginning and its end, where people say what they want. */
export function questionOf(text: string, longest: number): string {
  const asked = text.trim();
  if (asked.length <= longest) return asked;
  const half = Math.floor((longest - 1) / 2);
  return `${asked.slice(0, half)} ${asked.slice(-half)}`;
}

/** The mean of the vectors, of length 1; a single vector is only normalised. */
function meanVector(vectors: readonly Float32Array[], dimension: number): Float32Array {
  const mean = new Float32Array(dimension);
  for (const vector of vectors) {
    for (let i = 0; i < dimension; i += 1) mean[i] = (mean[i] ?? 0) + (vector[i] ?? 0);
  }
  let squares = 0;
  for (const value of mean) squares += value * value;
  const length = Math.sqrt(squares);
  if (length > 0) {
    for (let i = 0; i < dimension; i += 1) mean[i] = (mean[i] ?? 0) / length;
  }
  return mean;
}

/**
 * Embeds texts through an engine that only takes short, non-blank ones.
 *
 * @param engine    asked once, with the pieces of all texts in order; not at all when every text is blank
 * @param dimension asked after the engine, which may have learnt it from the answer
 */
export async function embedByPieces(
  texts: readonly string[],
  limits: Pieces,
  engine: (pieces: string[]) => Promise<readonly Float32Array[]>,
  dimension: () => number | undefined,
): Promise<Float32Array[]> {
  const pieces = texts.map((text) => piecesOf(text, limits));
  const all = pieces.flat();
  const vectors = all.length === 0 ? [] : await engine(all);
  let next = 0;
  return pieces.map(({ length }) => meanVector(vectors.slice(next, (next += length)), dimension() ?? 0));
}

/** How near two vectors of length 1 are: 1 for the same direction, 0 when one of them is a zero vector. */
export function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
