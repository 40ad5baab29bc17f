import type { Polled } from '../../core/iteration/index.js';
import type { ChatEvent, ChatFinish } from './chat-model.js';
import type { ServiceResponse } from './service-response.js';
import type { ModelTraits } from './wire/model-traits.js';

/** The events of a response before its `finish`, and then that, or the failure that came instead. Notes what they say about the model. */
export class EventsBeforeFinish implements Polled<ChatEvent> {
  finish: ChatFinish | undefined;
  failure: unknown;
  hasEnded = false;
  private first: ChatEvent | undefined;
  private hasSaid = false;

  constructor(
    first: ChatEvent,
    private readonly response: ServiceResponse,
    private readonly caller: AbortSignal,
    private readonly traits: ModelTraits,
  ) {
    this.first = first;
  }

  poll(): ChatEvent | undefined {
    if (this.hasEnded) return undefined;
    try {
      this.caller.throwIfAborted();
      const event = this.first ?? this.response.poll();
      this.first = undefined;
      if (event?.type === 'finish') this.end(event);
      else if (event) this.note(event);
      return this.finish ? undefined : event;
    } catch (error) {
      this.failure = error;
      this.hasEnded = true;
      return undefined;
    }
  }

  async wait(): Promise<void> {
    if (!this.hasEnded) await this.response.wait();
  }

  private note({ type }: ChatEvent): void {
    if (type === 'reasoning') this.traits.reasons = true;
    else this.hasSaid = true;
    if (type === 'reset') this.traits.thinksFirst = true;
  }

  private end(finish: ChatFinish): void {
    this.finish = finish;
    this.hasEnded = true;
    // Some services count reasoning that they do not send.
    if (finish.reason === 'length' && !this.hasSaid) this.traits.reasons = true;
  }
}
