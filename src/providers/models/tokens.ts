import { estimateTokenCount } from 'tokenx';

/** About how many tokens a language model makes of a text. */
export function estimateTokens(text: string): number {
  return estimateTokenCount(text);
}
