import { cutText, endOfText, sentencesIn } from '../../core/text/index.js';

// Sentences that take longer to say are split, which bounds the wait for the first audio and for cancellation.
const MAX_LENGTH = 240;
const SHORT = /[\p{L}\p{M}\p{Cs}\s.,;:!?'"()…–—-]/u;
// "7" is said as "seven", "%" as "percent".
const LETTERS_OF_A_SIGN = 6;
// Shorter sentences are joined with the next one: separate utterances for "Yes." sound breathless.
const MIN_LENGTH = 16;
const ABBREVIATION =
  /(?:^|[\s("'])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Mt|vs|etc|e\.g|i\.e|cf|No|Nos|Fig|Vol|approx|Inc|Ltd|Co|Corp|Dept|Gen|Col|Capt|Lt|Rev|Hon|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s*$/;
// An abbreviation with the spaces behind it.
const LONGEST_END = 40;
const FENCE = /^[ \t]*(```|~~~)/m;
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?^[ \t]*\1[^\n]*(?:\n|$)/gm;

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
    const segments = Array.from(sentencesIn(fence === -1 ? this.buffer : this.buffer.slice(0, fence)), ({ segment }) => segment);
    const last = open === '' ? (segments.pop() ?? '') : '';
    const sentences: string[] = [];
    let sentence = '';
    for (const segment of segments) {
      sentence += segment;
      const goesOn = sentence.length < MAX_LENGTH && ABBREVIATION.test(endOfText(sentence, LONGEST_END));
      if (goesOn || sentence.trim().length < MIN_LENGTH) continue;
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
  for (let cut = cutPosition(rest); cut < rest.length; cut = cutPosition(rest)) {
    found.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return [...found, rest].filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/**
 * The position after the last pause within the limit, else at the last space; never inside a surrogate pair. The length of a text that is
 * within it.
 */
function cutPosition(text: string): number {
  const limit = positionOfLimit(text);
  if (limit === text.length) return limit;
  const head = cutText(text, limit);
  const pause = /^[\s\S]*[,;:)–—](?=\s)/.exec(head)?.[0].length ?? 0;
  if (pause > limit / 3) return pause;
  const space = head.lastIndexOf(' ');
  if (space > 0) return space;
  return /[\uD800-\uDBFF]$/.test(head) ? limit - 1 : limit;
}

/** How much of a text is as long to say as 240 letters. */
function positionOfLimit(text: string): number {
  let said = 0;
  for (let at = 0; at < text.length; at += 1) {
    said += SHORT.test(text.charAt(at)) ? 1 : LETTERS_OF_A_SIGN;
    if (said > MAX_LENGTH) return at;
  }
  return text.length;
}
