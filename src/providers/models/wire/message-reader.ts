import type { ChatEvent, ChatReasoning, ChatTool, ChatUsage, FinishReason } from '../chat-model.js';
import { ResponseText } from './response-text.js';
import { ToolCalls } from './tool-calls.js';
import { WholeCharacters } from './whole-characters.js';

/** An event, or the failure that ends the response. */
export type ReadEvent = ChatEvent | { readonly type: 'failure'; readonly error: Error };

/** What both families of APIs have in common: collects the events of one message in their order. */
export abstract class MessageReader {
  protected readonly calls: ToolCalls;
  protected reason: FinishReason | undefined;
  protected usage: ChatUsage = {};
  protected model: string | undefined;
  protected refusal = '';
  private events: ReadEvent[] = [];
  private readonly said: ResponseText;
  private readonly texts = new WholeCharacters();
  private readonly thoughts = new WholeCharacters();
  private reasoning = '';
  private ended = false;

  constructor(tools: readonly ChatTool[]) {
    this.said = new ResponseText(tools);
    this.calls = new ToolCalls();
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  abstract read(payload: unknown): void;

  /** What the service expects back with the calls. */
  protected abstract fields(): ChatReasoning['fields'];

  /** The events since the last call. */
  take(): ReadEvent[] {
    const { events } = this;
    if (events.length > 0) this.events = [];
    return events;
  }

  /** The service announced the end. */
  done(): void {
    this.finish(this.reason ?? 'stop');
  }

  /** The body has ended. @param unfinished the failure of a response without a reason for its end */
  end(unfinished: Error): ReadEvent[] {
    if (this.reason === undefined) this.fail(unfinished);
    else this.finish(this.reason);
    return this.take();
  }

  /** Ends the response after what was said. */
  fail(error: Error): void {
    if (this.ended) return;
    this.releaseText();
    this.ended = true;
    this.events.push({ type: 'failure', error });
  }

  protected addText(text: string): void {
    const whole = this.texts.add(text);
    if (whole !== '') this.push(this.said.add(whole));
  }

  protected addReasoning(text: string): void {
    const whole = this.thoughts.add(text);
    if (whole !== '') this.push([{ type: 'reasoning', text: whole }]);
  }

  private finish(reason: FinishReason): void {
    if (this.ended) return;
    this.releaseText();
    const calls = this.calls.all();
    for (const call of calls) this.events.push({ type: 'tool-call', ...call });
    this.ended = true;
    const fields = this.fields();
    const isThinking = this.reasoning !== '' || fields !== undefined;
    this.events.push({
      type: 'finish',
      reason: reason === 'stop' && (calls.length > 0 || this.said.hasCalled) ? 'tool-calls' : reason,
      usage: this.usage,
      ...(this.model === undefined ? {} : { model: this.model }),
      ...(this.refusal === '' ? {} : { refusal: this.refusal.toWellFormed() }),
      ...(isThinking ? { reasoning: { text: this.reasoning, ...(fields === undefined ? {} : { fields }) } } : {}),
    });
  }

  private releaseText(): void {
    const thought = this.thoughts.end();
    if (thought !== '') this.push([{ type: 'reasoning', text: thought }]);
    const rest = this.texts.end();
    if (rest !== '') this.push(this.said.add(rest));
    this.push(this.said.end());
  }

  /** Joins neighbouring texts. */
  private push(events: readonly ChatEvent[]): void {
    for (const event of events) {
      if (event.type === 'reasoning') this.reasoning += event.text;
      const last = this.events.at(-1);
      if ((event.type === 'delta' || event.type === 'reasoning') && last?.type === event.type) {
        this.events[this.events.length - 1] = { type: event.type, text: last.text + event.text };
      } else this.events.push(event);
    }
  }
}
