import { cutText } from '../../core/text/index.js';
import { estimateTokenCount } from 'tokenx';

/** Characters that are read of one text. */
const MAX_READ = 50_000;

/** About how many tokens a language model makes of a text. That of more than 50,000 characters is judged by the first of them. */
export function estimateTokens(text: string): number {
  if (text.length <= MAX_READ) return estimateTokenCount(text);
  return Math.ceil((estimateTokenCount(cutText(text, MAX_READ)) * text.length) / MAX_READ);
}
