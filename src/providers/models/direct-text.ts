const sinks = new WeakMap<AbortSignal, TextSink>();
const END_OF_EVENT = /\r?\n\r?\n/g;
const PREFIX = 'data: ';
// Events with text are far shorter. Searching a long event again with each chunk would take the square of its length.
const MAX_EVENT_CHARACTERS = 65_536;

/** Receives the text of an answer that did not pass through the AI SDK. */
export class TextSink {
  private text = '';
  private arrived: (() => void) | undefined;

  /** @param signal that of the call, by which `fetch` finds the sink */
  constructor(signal: AbortSignal) {
    sinks.set(signal, this);
  }

  add(text: string): void {
    this.text += text;
    this.arrived?.();
    this.arrived = undefined;
  }

  /** The text that has arrived since the last call; empty for none. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  /** Resolves when there is text to take. */
  async next(): Promise<void> {
    if (this.text === '') await new Promise<void>((resolve) => (this.arrived = resolve));
  }
}

/**
 * A `fetch` for the streams of OpenAI's chat completions that hands plain text to the call's `TextSink`. All other events, such as tool
 * calls, reasoning, usage, errors and the finish, reach the AI SDK, in which each event passes through four streams
 * (docs/decisions/0032).
 */
export function withDirectText(ask: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await ask(input, init);
    const sink = init?.signal ? sinks.get(init.signal) : undefined;
    const { body, status, statusText, headers } = response;
    if (!sink || !body || !response.ok || headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
    return new Response(withoutText(body.getReader(), sink), { status, statusText, headers: [...headers] });
  };
}

function withoutText(reader: ReadableStreamDefaultReader<Uint8Array>, sink: TextSink): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  /** After an event of excessive length, the stream goes to the SDK as it is. */
  let isDirect = true;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        for (;;) {
          const { done, value } = await reader.read();
          let left = '';
          rest += decoder.decode(value, { stream: !done });
          const [events, incomplete] = isDirect ? split(rest) : [[], rest];
          rest = incomplete;
          for (const event of events) {
            const text = textOf(event);
            if (text === undefined) left += event;
            else sink.add(text);
          }
          isDirect &&= rest.length <= MAX_EVENT_CHARACTERS;
          if (done || !isDirect) {
            left += rest;
            rest = '';
          }
          if (left !== '') controller.enqueue(encoder.encode(left));
          if (done) controller.close();
          if (done || left !== '') return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // No read-ahead buffer.
    { highWaterMark: 0 },
  );
}

/** The whole events with their ends, and what follows them. */
function split(text: string): [events: string[], rest: string] {
  const events: string[] = [];
  let from = 0;
  for (const { index, 0: end } of text.matchAll(END_OF_EVENT)) {
    events.push(text.slice(from, index + end.length));
    from = index + end.length;
  }
  return [events, text.slice(from)];
}

/** The text of an event that says nothing else. */
function textOf(event: string): string | undefined {
  const data = event.trimEnd();
  if (!data.startsWith(PREFIX) || data.includes('\n')) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(data.slice(PREFIX.length));
  } catch {
    return undefined;
  }
  if (!isFields(parsed) || !Array.isArray(parsed['choices']) || parsed['choices'].length !== 1) return undefined;
  if (isGiven(parsed['error']) || isGiven(parsed['usage'])) return undefined;
  const choice: unknown = parsed['choices'][0];
  if (!isFields(choice) || !isFields(choice['delta']) || isGiven(choice['finish_reason'])) return undefined;
  const { content, role, ...others } = choice['delta'];
  if (typeof content !== 'string' || content === '' || (isGiven(role) && typeof role !== 'string')) return undefined;
  return Object.values(others).some(isGiven) ? undefined : content;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
