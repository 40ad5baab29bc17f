import { Log } from '../../../core/logging/index.js';
import type { Vault } from '../../../core/vault/index.js';
import { characterCount, cutText } from '../../../core/text/index.js';
import type { ChatReasoning } from '../../../providers/models/index.js';
import type { Turn } from '../turns.types.js';

const PURPOSE = 'reasoning';
/** Of a model's reasoning that is kept, with the fields that a service expects back. */
const MAX_CHARACTERS = 1_000_000;

/** Whether clients hear what the model thinks: `reasoning: true` in the metadata of the message, or else of its channel. */
export function asksForReasoning({ message, channel }: Turn): boolean {
  return (message.metadata['reasoning'] ?? channel.metadata['reasoning']) === true;
}

/** What a model thought, for the step of its call. Fields that are too long are left out, and then a text that is too long is cut. */
export function sealReasoning(vault: Vault, reasoning: ChatReasoning | undefined): string | undefined {
  if (reasoning === undefined) return undefined;
  const { text, fields } = reasoning;
  const whole = JSON.stringify({ text, fields });
  return vault.seal(PURPOSE, whole.length <= MAX_CHARACTERS ? whole : JSON.stringify({ text: cut(text) }));
}

/** Undefined when there is none, or when it was sealed with a key that the server no longer has. */
export function openReasoning(vault: Vault, sealed: unknown): ChatReasoning | undefined {
  if (typeof sealed !== 'string') return undefined;
  try {
    return JSON.parse(vault.open(PURPOSE, sealed)) as ChatReasoning;
  } catch (error) {
    new Log('turns').warn('recorded reasoning cannot be read', { reason: String(error) });
    return undefined;
  }
}

function cut(text: string): string {
  const kept = cutText(text, MAX_CHARACTERS);
  return kept.length === text.length ? text : `${kept}[… ${characterCount(text) - characterCount(kept)} characters omitted]`;
}
