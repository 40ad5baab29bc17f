import { ChatModel, type ChatEvent, type ChatRequest, type ChatToolCall, type ChatUsage } from '../../src/providers/models/index.js';

type Step = (request: ChatRequest, signal: AbortSignal) => AsyncIterable<ChatEvent>;

/** Lets the deltas of a step through one by one. A release before the wait counts. */
export class Gate {
  private credit = 0;
  private wake: () => void = () => undefined;

  release(deltas = 1): void {
    this.credit += deltas;
    this.wake();
  }

  /** Lets through all that are left. */
  open(): void {
    this.release(Number.POSITIVE_INFINITY);
  }

  /** Waits for one release; rejects with the signal's reason when it is aborted. */
  async pass(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.credit < 1) {
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => reject(signal.reason as Error);
        signal.addEventListener('abort', onAbort, { once: true });
        this.wake = () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
      });
    }
    this.credit -= 1;
  }
}

/**
 * A model that says what a test wrote down, call by call, in the order of the steps. It is strict: a call without a
 * step fails, and `assertDone` fails when steps are left.
 */
export class ScriptedModel extends ChatModel {
  override readonly provider = 'scripted';
  override readonly modelId = 'scripted';
  /** What the next requests find. */
  override supportsImages = false;
  override supportsDocuments = false;
  /** What the next answers report that they cost. */
  usage: ChatUsage = {};
  /** Every request so far, oldest first. */
  readonly requests: ChatRequest[] = [];
  private readonly steps: Step[] = [];
  private readonly waiting: { calls: number; resolve: () => void }[] = [];
  private otherwise: Step | undefined;
  private unexpected = 0;

  /** Answers with this text, in one delta. */
  reply(text: string): this {
    return this.replyWith(() => text);
  }

  /** Answers with what the function makes of the request, in one delta. */
  replyWith(make: (request: ChatRequest) => string): this {
    return this.step((request) => speak([make(request)]));
  }

  /** Answers in these deltas. With a gate each of them, and then the finish, waits for a release. */
  deltas(texts: readonly string[], { gate }: { gate?: Gate } = {}): this {
    return this.step((_request, signal) => speak(texts, () => gate?.pass(signal)));
  }

  /** Calls tools, after an optional text; ids are made up where none is given. */
  calls(calls: readonly (Omit<ChatToolCall, 'id'> & { id?: string })[], text = ''): this {
    return this.step(async function* call(): AsyncGenerator<ChatEvent, void, undefined> {
      await Promise.resolve();
      if (text !== '') yield { type: 'delta', text };
      for (const [index, { id = `call-${index}`, name, input }] of calls.entries()) yield { type: 'tool-call', id, name, input };
      yield { type: 'finish', reason: 'tool-calls', usage: {} };
    });
  }

  /** Answers with these events, and ends with a finish of its own if none is among them. */
  events(events: Iterable<ChatEvent> | AsyncIterable<ChatEvent>): this {
    return this.step(async function* say(): AsyncGenerator<ChatEvent, void, undefined> {
      let last: ChatEvent | undefined;
      for await (const event of events) {
        last = event;
        yield event;
      }
      if (last?.type !== 'finish') yield { type: 'finish', reason: 'stop', usage: {} };
    });
  }

  /** Fails with this error, at once or after these deltas. */
  fail(error: Error, { after = [] }: { after?: readonly string[] } = {}): this {
    return this.step(() =>
      speak(after, (step) => {
        if (step === after.length) throw error;
      }),
    );
  }

  /** Never answers; ends when it is aborted. */
  stall(): this {
    return this.step((_request, signal) => speak([], () => new Gate().pass(signal)));
  }

  /** What every call gets for which there is no step. @param ready what the answers wait for */
  always(make: (request: ChatRequest) => string, ready?: Promise<void>): this {
    this.otherwise = (request) => speak([make(request)], () => ready);
    return this;
  }

  /** Settles when the model has been called so many times altogether. */
  called(calls = 1): Promise<void> {
    if (this.requests.length >= calls) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push({ calls, resolve }));
  }

  /** @throws Error when steps are left, or calls came for which there was none */
  assertDone(): void {
    const faults = [
      ...(this.steps.length > 0 ? [`${this.steps.length} of its steps were not used`] : []),
      ...(this.unexpected > 0 ? [`${this.unexpected} calls came for which there was no step`] : []),
    ];
    if (faults.length > 0) throw new Error(`The scripted model is not done: ${faults.join(', ')}.`);
  }

  protected override async *respond(request: ChatRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ChatEvent, void, undefined> {
    this.requests.push(request);
    for (const { calls, resolve } of this.waiting) {
      if (calls <= this.requests.length) resolve();
    }
    const step = this.steps.shift() ?? this.otherwise;
    if (step === undefined) {
      this.unexpected += 1;
      throw new Error(`The scripted model has no step for call ${this.requests.length}.`);
    }
    for await (const event of step(request, signal)) {
      signal.throwIfAborted();
      yield event.type === 'finish' ? { ...event, usage: this.usage } : event;
    }
  }

  private step(step: Step): this {
    this.steps.push(step);
    return this;
  }
}

/** @param before waited for before each delta, and once more before the finish */
async function* speak(
  texts: readonly string[],
  before?: (step: number) => Promise<void> | void,
): AsyncGenerator<ChatEvent, void, undefined> {
  for (const [index, text] of texts.entries()) {
    await before?.(index);
    if (text !== '') yield { type: 'delta', text };
  }
  await before?.(texts.length);
  yield { type: 'finish', reason: 'stop', usage: {} };
}
