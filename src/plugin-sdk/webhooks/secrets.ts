import type { AgentRuntime } from '../runtime.js';
import type { WebhookOptions } from '../webhooks.js';

// A shorter part is not a secret but a fragment of one that contains a comma.
const SHORTEST_PART = 8;

/** Names of the settings that hold a webhook's secrets. */
export function webhookSecretNames({ secret = [] }: WebhookOptions): readonly string[] {
  return [secret].flat();
}

/** The secrets of a webhook. During rotation a setting may hold several, separated by commas or line breaks. */
export function webhookSecrets(options: WebhookOptions, runtime: AgentRuntime): string[] {
  return webhookSecretNames(options).flatMap((name) => {
    const value = runtime.getSetting(name);
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const whole = String(value).trim();
    const parts = whole.split(/[,\n]/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
    return parts.some((part) => part.length < SHORTEST_PART) ? [whole] : parts;
  });
}
