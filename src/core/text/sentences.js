// Plain JavaScript, because worker threads load this file both from src (in tests) and from dist.

// `Intl.Segmenter` copies the whole text for each of its segments: 100,000 characters of short sentences take six seconds.
const WINDOW = 1000;
// Whether a sentence ends depends on what follows it.
const LOOKAHEAD = 100;
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * The sentences of a text with the spaces behind them, in time proportional to its length.
 *
 * @returns {Generator<{ segment: string, index: number }>} `index` is the offset in the text
 */
export function* sentencesIn(text) {
  let size = WINDOW;
  for (let start = 0; start < text.length;) {
    const isEnd = start + size >= text.length;
    let next = start;
    for (const { segment, index } of segmenter.segment(text.slice(start, start + size))) {
      if (!isEnd && index + segment.length > size - LOOKAHEAD) break;
      yield { segment, index: start + index };
      next = start + index + segment.length;
    }
    // A sentence that is longer than the window is looked at in a larger one.
    size = next === start ? 2 * size : WINDOW;
    start = next;
  }
}
