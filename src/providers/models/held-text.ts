import type { ChatEvent } from './chat-model.js';

/** Beyond, the text is given out, UTF-16 units. */
const MAX_HELD = 200_000;
/** That the model goes on, while nothing of it can be shown. */
const SIGN_OF_LIFE: ChatEvent = { type: 'reasoning', text: '' };

/**
 * Holds the text of a model whose thoughts begin in its prompt, so that only their end tells them from the response. Without it they would be
 * shown, and spoken, until the end comes.
 */
export class HeldText {
  private held: ChatEvent[] = [];
  private length = 0;
  private isOver = false;

  /** @returns the events that can be given out, in order */
  take(event: ChatEvent): ChatEvent[] {
    if (this.isOver) return [event];
    if (event.type === 'delta') {
      this.held.push(event);
      this.length += event.text.length;
      return this.length > MAX_HELD ? this.end() : [SIGN_OF_LIFE];
    }
    if (event.type === 'reset') {
      this.isOver = true;
      this.held = [];
      return [];
    }
    return [...this.end(), event];
  }

  /** Gives out what is held: it was no thought. */
  end(): ChatEvent[] {
    this.isOver = true;
    return this.held.splice(0);
  }
}
