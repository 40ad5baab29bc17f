import { cutText, endOfText } from '../../core/text/index.js';

/** Chunk limits of an embedding engine. */
export interface ChunkLimits {
  readonly maxWords: number;
  /** Also limits the length of a word, which may be a whole base64 file. */
  readonly maxCharacters: number;
  /** Text beyond this number of chunks is not embedded. */
  readonly maxChunks: number;
}

/** The limits without that of the number of chunks. */
export function unlimited(limits: ChunkLimits): ChunkLimits {
  return { ...limits, maxChunks: Infinity };
}

/** Splits a text into chunks; none for a blank text. */
export function splitIntoChunks(text: string, limits: ChunkLimits): string[] {
  const pieces: string[] = [];
  let words: string[] = [];
  let length = 0;
  const close = (): void => {
    if (words.length > 0) pieces.push(words.join(' '));
    words = [];
    length = 0;
  };
  // Only the part of the text that can be used is scanned.
  for (const match of cutText(text, limits.maxChunks * limits.maxCharacters * 2).matchAll(
    new RegExp(`\\S{1,${limits.maxCharacters}}`, 'gu'),
  )) {
    const word = match[0];
    if (words.length === limits.maxWords || length + word.length > limits.maxCharacters) close();
    if (pieces.length === limits.maxChunks) break;
    words.push(word);
    length += word.length + 1;
  }
  close();
  return pieces.slice(0, limits.maxChunks);
}

/** Truncates a question to `longest` characters, keeping its beginning and its end. */
export function truncateQuestion(text: string, longest: number): string {
  const asked = text.trim();
  if (asked.length <= longest) return asked;
  const half = Math.floor((longest - 1) / 2);
  return `${cutText(asked, half)} ${endOfText(asked, half)}`;
}

/** The normalized mean of the vectors. */
export function meanVector(vectors: readonly Float32Array[], dimension = vectors[0]?.length ?? 0): Float32Array {
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
 * Embeds texts with an engine that accepts only short, non-blank texts.
 *
 * @param engine called once with the chunks of all texts in order; not called when all texts are blank
 * @param dimension read after the engine was called, which may have detected it
 */
export async function embedInChunks(
  texts: readonly string[],
  limits: ChunkLimits,
  engine: (pieces: string[]) => Promise<readonly Float32Array[]>,
  dimension: () => number | undefined,
): Promise<Float32Array[]> {
  const pieces = texts.map((text) => splitIntoChunks(text, limits));
  const all = pieces.flat();
  const vectors = all.length === 0 ? [] : await engine(all);
  let next = 0;
  return pieces.map(({ length }) => meanVector(vectors.slice(next, (next += length)), dimension() ?? 0));
}

/** Cosine similarity of two unit vectors: 1 for the same direction, 0 for a zero vector. */
export function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
