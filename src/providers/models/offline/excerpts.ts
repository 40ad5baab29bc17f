import { coverage } from './guide-terms.js';
import { sentences } from './message-parts.js';

/** Characters of an answer from a long text. */
const MAX_LENGTH = 500;
// A fact may be a whole document.
const MAX_READ = 20_000;

/** A text of up to 500 characters as it is; of a longer one, the consecutive sentences that share the most words with the question. */
export function excerpt(question: string, text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const all = sentences(text.slice(0, MAX_READ));
  let best = { shared: -1, leading: -1, text: '' };
  for (const [index, first] of all.entries()) {
    const window = windowFrom(all, index);
    const shared = coverage(question, window);
    const leading = coverage(question, first);
    if (shared > best.shared || (shared === best.shared && leading > best.leading)) best = { shared, leading, text: window };
  }
  return best.text.length <= MAX_LENGTH ? best.text : `${best.text.slice(0, MAX_LENGTH).replace(/\s+\S*$/, '')} …`;
}

/** As many sentences from this one on as fit, and at least one. */
function windowFrom(all: readonly string[], start: number): string {
  let window = all[start] ?? '';
  for (const next of all.slice(start + 1)) {
    if (window.length + 1 + next.length > MAX_LENGTH) break;
    window = `${window} ${next}`;
  }
  return window;
}
