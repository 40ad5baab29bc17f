// Beyond this a voice gets a piece of a sentence: nobody waits longer than for such a piece, and work can be stopped
// between two of them.
const LONGEST = 240;
// A shorter sentence is said together with the next one: a voice that begins anew for "Yes." sounds breathless.
const SHORTEST = 16;
const ABBREVIATION =
  /(?:^|[\s("'])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Mt|vs|etc|e\.g|i\.e|cf|No|Nos|Fig|Vol|approx|Inc|Ltd|Co|Corp|Dept|Gen|Col|Capt|Lt|Rev|Hon|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.\s*$/;
const FENCE = /^[ \t]*(```|~~~)/m;
const FENCED = /^[ \t]*(```|~~~)[\s\S]*?^[ \t]*\1[^\n]*(?:\n|$)/gm;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Cuts a text that arrives in pieces into what a voice says in one go: sentences, with very short ones joined to the
 * next and very long ones cut at a comma or a space. Blocks of code are left out.
 */
export class SentenceSplitter {
  private rest = '';

  /** What is complete now. */
  push(text: string): string[] {
    this.rest = (this.rest + text).replace(FENCED, '\n');
    // What follows an open fence is code for as long as nothing closes it.
    const fence = this.rest.search(FENCE);
    const open = fence === -1 ? '' : this.rest.slice(fence);
    const segments = [...segmenter.segment(fence === -1 ? this.rest : this.rest.slice(0, fence))].map(({ segment }) => segment);
    const last = open === '' ? (segments.pop() ?? '') : '';
    const sentences: string[] = [];
    let sentence = '';
    for (const segment of segments) {
      sentence += segment;
      if (sentence.trim().length < SHORTEST || ABBREVIATION.test(sentence)) continue;
      sentences.push(sentence);
      sentence = '';
    }
    let rest = sentence + last;
    while (rest.length > 2 * LONGEST) {
      const cut = cutPosition(rest);
      sentences.push(rest.slice(0, cut));
      rest = rest.slice(cut);
    }
    this.rest = rest + open;
    return sentences.flatMap(pieces);
  }

  /** What is left at the end of the text. */
  end(): string[] {
    const fence = this.rest.search(FENCE);
    const rest = fence === -1 ? this.rest : this.rest.slice(0, fence);
    this.rest = '';
    return pieces(rest);
  }
}

function pieces(sentence: string): string[] {
  const found: string[] = [];
  let rest = sentence.trim();
  while (rest.length > LONGEST) {
    const cut = cutPosition(rest);
    found.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return [...found, rest].filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/** After the last pause, else the last space, within the longest piece; never inside a surrogate pair. */
function cutPosition(text: string): number {
  const head = text.slice(0, LONGEST);
  const pause = /^[\s\S]*[,;:)–—](?=\s)/.exec(head)?.[0].length ?? 0;
  if (pause > LONGEST / 3) return pause;
  const space = head.lastIndexOf(' ');
  if (space > 0) return space;
  return /[\uD800-\uDBFF]$/.test(head) ? LONGEST - 1 : LONGEST;
}
