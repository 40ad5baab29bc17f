import type { FinishReason } from '../chat-model.js';

// Services prefix, spell and write them differently, such as `content_filter: SAFETY`.
const REASONS: readonly (readonly [FinishReason, RegExp])[] = [
  ['content-filter', /filter|safety|recitation|blocklist|prohibited|spii|refus|moderation|flagged|sensitive/i],
  ['length', /length|max_?tokens|token_?limit|context_window/i],
  ['tool-calls', /tool|function/i],
  ['error', /error|insufficient|abort|cancel|fail/i],
  ['stop', /stop|eos|end_turn|complete|done|finish/i],
];

/** The reason for the end of a response; undefined while there is none. */
export function finishReason(said: unknown): FinishReason | undefined {
  if (typeof said !== 'string' || said === '') return undefined;
  return REASONS.find(([, pattern]) => pattern.test(said))?.[0] ?? 'other';
}
