import { AppError } from '../../../core/errors/index.js';
import { shortened } from '../../../core/text/index.js';
import { oneLine } from '../../memory/index.js';
import { replyText, type ModelResult } from './reply.step.js';
import type { Turn } from '../turns.types.js';

/** Channels in which an agent is spoken to: silence is no reply there. */
const DIRECT: ReadonlySet<string> = new Set(['DM', 'VOICE_DM', 'SELF', 'API']);
const MAX_REFUSAL = 500;

/** What a reply without words means. */
export type Emptiness =
  /** The agent chose not to reply. */
  | 'silence'
  /** The model ended without a word where a reply is expected. */
  | 'nothing'
  /** The model was stopped before the first word, or declines. */
  | 'stopped';

/** Undefined for a reply with words. After an action, the model may have nothing to add. */
export function emptinessOf({ text, reason, refusal, actions }: ModelResult, { channel }: Turn): Emptiness | undefined {
  if (replyText(text) !== '') return undefined;
  if (reason === 'length' || reason === 'content-filter' || refusal !== undefined) return 'stopped';
  return actions.length === 0 && DIRECT.has(channel.channelType) ? 'nothing' : 'silence';
}

/** The failure of a reply without words. */
export function emptyReply({ reason, refusal, reasoning }: ModelResult, model: string): AppError {
  const fail = (message: string, details: string): AppError => new AppError('EMPTY_REPLY', message, details);
  if (refusal !== undefined) {
    return fail(`The model ${model} declines to reply: ${quoted(refusal)}`, 'Say it in other words, or use another model.');
  }
  if (reason === 'content-filter') {
    return fail(`A content filter stopped the model ${model} before the first word.`, 'Say it in other words, or use another model.');
  }
  if (reason === 'length') {
    const spent = reasoning === undefined ? '' : ', while it was thinking';
    return fail(
      `The model ${model} reached its limit of output tokens before the first word${spent}.`,
      "Raise maxTokens in the agent's settings or the context of the model, or use a model that thinks less. Then send the message again.",
    );
  }
  return fail(`The model ${model} ended its reply without a word, twice.`, 'Send the message again, or use another model.');
}

function quoted(refusal: string): string {
  const text = shortened(oneLine(refusal), MAX_REFUSAL);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
