/** See sentences.js. */
export function sentencesIn(text: string): Generator<{ readonly segment: string; readonly index: number }, void, undefined>;
