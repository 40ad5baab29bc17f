import type { FinishReason } from '../../../src/providers/models/index.js';

/** An answer of a service as it comes over the wire, and what has to become of it. */
export interface DialectCase {
  /** The peculiarity, as the end of a title. */
  readonly quirk: string;
  readonly body: string;
  /** Defaults to text/event-stream. */
  readonly type?: string;
  /** Defaults to 200. */
  readonly status?: number;
  /** What the person reads. */
  readonly reads: string;
  /** What the model thought. */
  readonly thinks?: string;
  readonly calls?: readonly { readonly name: string; readonly input: unknown; readonly extra?: unknown }[];
  /** Defaults to `stop`, or to `tool-calls` with calls. */
  readonly reason?: FinishReason;
  readonly refusal?: string;
  /** `ModelErrorReason` of the failure that ends the answer after `reads`. */
  readonly fault?: string;
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  /** What the service expects back with the calls. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface DialectService {
  readonly name: string;
  readonly provider: 'openai' | 'anthropic' | 'ollama';
  readonly model: string;
  readonly cases: readonly DialectCase[];
}

/** The tool that every request offers. */
export const WEATHER = {
  name: 'GET_WEATHER',
  description: 'Tells the weather in a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

/** Server-sent events; a string is sent as it stands. */
export function events(...payloads: readonly unknown[]): string {
  return payloads.map((payload) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`).join('');
}

export const DONE = '[DONE]';

type Fields = Readonly<Record<string, unknown>>;

/** Makes the chunks of chat completions of a service. @param always fields of each chunk */
export function completions(model: string, always: Fields = {}) {
  const chunk = (choices: readonly unknown[], more: Fields = {}): Fields => ({
    ...{ id: 'chatcmpl-7', object: 'chat.completion.chunk', created: 1_795_800_000, model, ...always, choices },
    ...more,
  });
  const delta = (fields: Fields, finish: string | null = null, more: Fields = {}): Fields =>
    chunk([{ index: 0, delta: fields, logprobs: null, finish_reason: finish }], more);
  return {
    chunk,
    delta,
    text: (content: string): Fields => delta({ content }),
    end: (reason = 'stop', more: Fields = {}): Fields => delta({}, reason, more),
    usage: (input: number, output: number, more: Fields = {}): Fields =>
      chunk([], { usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, ...more } }),
    whole: (message: Fields, reason: string | null = 'stop', more: Fields = {}): Fields => ({
      ...{ id: 'chatcmpl-7', object: 'chat.completion', created: 1_795_800_000, model, ...always },
      choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
      ...more,
    }),
  };
}

/** A piece of a tool call in a delta. */
export function callPiece(index: number | undefined, fields: Fields): Fields {
  return { tool_calls: [{ ...(index === undefined ? {} : { index }), ...fields }] };
}
