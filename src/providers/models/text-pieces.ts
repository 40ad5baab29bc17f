const WORDS_PER_PIECE = 100;
// A "word" may be a whole base64 file, and the encoder's time grows with the square of the characters.
const CHARACTERS_PER_PIECE = 1000;
const MOST_PIECES = 32;

/** The parts of a text that are embedded one by one; none for a blank text. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let words: string[] = [];
  let length = 0;
  const close = (): void => {
    if (words.length > 0) pieces.push(words.join(' '));
    words = [];
    length = 0;
  };
  // No more of the text is looked at than can be used.
  for (const match of text.slice(0, MOST_PIECES * CHARACTERS_PER_PIECE * 2).matchAll(/\S{1,1000}/gu)) {
    const word = match[0];
    if (words.length === WORDS_PER_PIECE || length + word.length > CHARACTERS_PER_PIECE) close();
    if (pieces.length === MOST_PIECES) break;
    words.push(word);
    length += word.length + 1;
  }
  close();
  return pieces.slice(0, MOST_PIECES);
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
  engine: (pieces: string[]) => Promise<readonly Float32Array[]>,
  dimension: () => number | undefined,
): Promise<Float32Array[]> {
  const pieces = texts.map(piecesOf);
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
