import { AppError } from '../../core/errors/index.js';
import { characterCount } from '../../core/text/index.js';
import type { ChatEvent } from './chat-model.js';

/** Characters of the text, and of the reasoning, of one response. */
const MAX_LENGTH = 1_000_000;
const MAX_CALLS = 100;

/** Ends a response that would not end by itself: some models repeat themselves for ever. */
export class ResponseLimit {
  private text = 0;
  private reasoning = 0;
  private calls = 0;

  /** Counts the next event. @throws AppError MODEL_UNAVAILABLE when the response is too long */
  count(event: ChatEvent): void {
    if (event.type === 'delta') this.text += characterCount(event.text);
    else if (event.type === 'reasoning') this.reasoning += characterCount(event.text);
    else if (event.type === 'reset') this.text = 0;
    else if (event.type === 'tool-call') this.calls += 1;
    if (this.text > MAX_LENGTH) throw exceeded(`a response of more than ${MAX_LENGTH} characters`);
    if (this.reasoning > MAX_LENGTH) throw exceeded(`reasoning of more than ${MAX_LENGTH} characters`);
    if (this.calls > MAX_CALLS) throw exceeded(`more than ${MAX_CALLS} calls of actions at once`);
  }
}

function exceeded(what: string): AppError {
  return new AppError('MODEL_UNAVAILABLE', `The model produced ${what}.`, 'Check the settings of the model, or use another model.');
}
