import { cutText } from '../../../core/text/index.js';
import { askedTerms, terms } from './guide-terms.js';
import { sentences } from './message-parts.js';
import { withoutMarkdown } from './plain-text.js';

/** Characters of an answer from a long text. */
const MAX_LENGTH = 500;
// A fact may be a whole document.
const MAX_READ = 20_000;

/** A text of up to 500 characters, without Markdown; of a longer one, the consecutive sentences that share the most words with the question. */
export function excerpt(question: string, source: string): string {
  const text = withoutMarkdown(cutText(source, MAX_READ));
  if (text.length <= MAX_LENGTH) return text;
  const all = sentences(text);
  const asked = askedTerms(question);
  // Each sentence is read once, and is in many windows.
  const shared = all.map((sentence) => {
    const known = new Set(terms(sentence));
    return asked.filter((term) => known.has(term));
  });
  let best = { shared: -1, leading: -1, start: 0, end: 1 };
  for (const start of all.keys()) {
    const end = endOfWindow(all, start);
    const found = { shared: new Set(shared.slice(start, end).flat()).size, leading: shared[start]!.length };
    if (found.shared > best.shared || (found.shared === best.shared && found.leading > best.leading)) best = { ...found, start, end };
  }
  return shortened(all.slice(best.start, best.end).join(' '));
}

/** A text up to a complete word near 500 characters. */
function shortened(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${cutText(text, MAX_LENGTH).replace(/\s+\S*$/, '')} …`;
}

/** The place behind the last sentence of those from this one on that fit, which are at least one. */
function endOfWindow(all: readonly string[], start: number): number {
  let end = start + 1;
  let length = all[start]?.length ?? 0;
  while (end < all.length && length + 1 + all[end]!.length <= MAX_LENGTH) {
    length += 1 + all[end]!.length;
    end += 1;
  }
  return end;
}
