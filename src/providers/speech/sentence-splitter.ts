// Longer sentences are split, which bounds the wait for the first audio and for cancellation.
const MAX_LENGTH = 240;
// Shorter sentences are joined with the next one: separate utterances for "Yes." sound breathless.
const MIN_LENGTH = 16;
const ABBREVIATION =
  /(?:^|[\s("'])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Mt|vs|etc|e\.g|i\.e|cf|No|Nos|Fig|Vol|approx|Inc|Ltd|Co|Corp|Dept|Gen|Col|Capt|Lt|Rev|Hon|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s*$/;
const FENCE = /^[ \t]*(```|~~~)/m;
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?^[ \t]*\1[^\n]*(?:\n|$)/gm;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Splits streamed text into utterances: sentences, with very short ones joined to the next and very long ones split at a comma or a space.
 * Code blocks are omitted.
 */
export class SentenceSplitter {
  private buffer = '';

  /** Adds text. @returns the utterances that are now complete */
  push(text: string): string[] {
    this.buffer = (this.buffer + text).replace(FENCED, '\n');
    // Text after an open fence is code until the fence is closed.
    const fence = this.buffer.search(FENCE);
    const open = fence === -1 ? '' : this.buffer.slice(fence);
    const segments = [...segmenter.segment(fence === -1 ? this.buffer : this.buffer.slice(0, fence))].map(({ segment }) => segment);
    const last = open === '' ? (segments.pop() ?? '') : '';
    const sentences: string[] = [];
    let sentence = '';
    for (const segment of segments) {
      sentence += segment;
      if (sentence.trim().length < MIN_LENGTH || ABBREVIATION.test(sentence)) continue;
      sentences.push(sentence);
      sentence = '';
    }
    let rest = sentence + last;
    while (rest.length > 2 * MAX_LENGTH) {
      const cut = cutPosition(rest);
      sentences.push(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    this.buffer = rest + open;
    return sentences.flatMap(splitLong);
  }

  /** Ends the text. @returns the remaining utterances */
  end(): string[] {
    const fence = this.buffer.search(FENCE);
    const rest = fence === -1 ? this.buffer : this.buffer.slice(0, fence);
    this.buffer = '';
    return splitLong(rest);
  }
}

function splitLong(sentence: string): string[] {
  const found: string[] = [];
  let rest = sentence.trim();
  while (rest.length > MAX_LENGTH) {
    const cut = cutPosition(rest);
    found.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return [...found, rest].filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** The position after the last pause within the limit, else at the last space; never inside a surrogate pair. */
function cutPosition(text: string): number {
  const head = text.slice(0, MAX_LENGTH);
  const pause = /^[\s\S]*[,;:)–—](?=\s)/.exec(head)?.[0].length ?? 0;
  if (pause > MAX_LENGTH / 3) return pause;
  const space = head.lastIndexOf(' ');
  if (space > 0) return space;
  return /[\uD800-\uDBFF]$/.test(head) ? MAX_LENGTH - 1 : MAX_LENGTH;
}
