import type { AgentRuntime, WebhookOptions } from '../../../plugin-sdk/index.js';

// A part this short is no secret but a piece of one that has a comma in it.
const SHORTEST_PART = 8;

/** Names of the settings that a webhook's secrets stand in. */
export function secretNames({ secret = [] }: WebhookOptions): readonly string[] {
  return [secret].flat();
}

/** Everything that the settings of a webhook hold. During rotation one may hold several, apart by commas or line breaks. */
export function secretsOf(options: WebhookOptions, runtime: AgentRuntime): string[] {
  return secretNames(options).flatMap((name) => {
    const value = runtime.getSetting(name);
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const whole = String(value).trim();
    const parts = whole.split(/[,\n]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
    return parts.some((part) => part.length < SHORTEST_PART) ? [whole] : parts;
  });
}
