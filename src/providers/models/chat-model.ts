import { flatten, takeAll, type Polled } from '../../core/iteration/index.js';
import { StopTexts } from './stop-texts.js';

/** A tool for the model. */
export interface ChatTool {
  /** Up to 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, which is an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatToolCall {
  /** Id that the model assigned to the call; the result refers to it. */
  readonly id: string;
  readonly name: string;
  /** The parsed JSON input; the raw text when it is not valid JSON. */
  readonly input: unknown;
  /** Fields that the service sent with the call and expects back with it, such as `extra_content` of Gemini. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What a model thought before it responded or called tools. It is no part of the response. */
export interface ChatReasoning {
  readonly text: string;
  /**
   * Fields of the service's message that it expects back with the tool calls, as it sent them: `reasoning_content`, `reasoning`,
   * `reasoning_details`, or `content` with the parts that precede the text.
   */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** An image or a document in a message. */
export interface ChatFile {
  /** One of image/jpeg, image/png, image/gif, image/webp and application/pdf. */
  readonly mediaType: string;
  readonly data: Uint8Array;
  readonly name: string;
}

/** An assistant message with tool calls is followed by one `tool` message with the result of each call. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly files?: readonly ChatFile[] }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly ChatToolCall[];
      readonly reasoning?: ChatReasoning;
    }
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string; readonly toolName: string };

/**
 * The character and its memories as data, for the offline responder. Language models ignore it: the caller renders it into the system
 * message.
 */
export interface Grounding {
  readonly agentName: string;
  /** Sentences about the character and its knowledge, most important first. */
  readonly facts: readonly string[];
  /** Example questions and answers of the character. */
  readonly examples: readonly { question: string; answer: string }[];
  /** The author's own messages, recalled and of this conversation, oldest first. */
  readonly memories: readonly GroundedMemory[];
}

/** A message that the author of the last message wrote before. */
export interface GroundedMemory {
  readonly text: string;
  /** Epoch ms. */
  readonly at: number;
}

/** How long a model thinks before it responds; `none` for not at all. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh';

/** The form of a response: any JSON object, or JSON that is valid against a schema. */
export type ResponseFormat =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      /** Up to 64 letters, digits, `_` and `-`. */
      readonly name: string;
      /** JSON Schema of the response. */
      readonly schema: object;
      /** What the response is for. */
      readonly description?: string;
      /** Whether a schema that the service cannot hold exactly is an error. Otherwise the model is asked in words to hold it. */
      readonly strict?: boolean;
    };

export interface ChatRequest {
  /** The conversation in order: system messages first, the message to reply to last. */
  readonly messages: readonly ChatMessage[];
  readonly grounding: Grounding;
  /** Id of the author, for fair scheduling in built-in models (`EmbedOptions.caller`). */
  readonly caller?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Share of the most likely tokens that the model chooses from, 0 to 1. A model that does not take it responds without it. */
  readonly topP?: number;
  /** Up to 16 texts. The response ends before the first of them, with every model. */
  readonly stop?: readonly string[];
  /** A model that does not take it responds without it. */
  readonly reasoningEffort?: ReasoningEffort;
  /**
   * A service that does not take it is asked in words, which no model is certain to obey: check the response. See
   * `ChatModel.supportsFormats`.
   */
  readonly responseFormat?: ResponseFormat;
  /** Tools that the model may call; a model without tool support ignores them, unless it has to call one. */
  readonly tools?: readonly ChatTool[];
  /**
   * `none` forbids further tool calls in a conversation that contains some. `required` asks for a call of any tool, a name for one of that
   * tool; a service that does not take this is asked in words, so check that the call comes.
   */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  /** False asks for one call at a time. A service that does not take it may send several. */
  readonly parallelToolCalls?: boolean;
}

/** Tokens as reported by the service; absent when it does not report them. */
export interface ChatUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** Why a model stopped. */
export type FinishReason = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';

/** The end of a response. */
export interface ChatFinish {
  readonly type: 'finish';
  readonly reason: FinishReason;
  readonly usage: ChatUsage;
  /** The model that responded, as the service names it. */
  readonly model?: string;
  /** Why the model declines, in its own words; they are no part of the response. */
  readonly refusal?: string;
  /** The whole of the reasoning; absent without any. */
  readonly reasoning?: ChatReasoning;
}

/** `reset`: the deltas so far turned out to be reasoning, and are no part of the response. */
export type ChatEvent =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'reset' }
  | ({ readonly type: 'tool-call' } & ChatToolCall)
  | ChatFinish;

/**
 * A model that generates the next message of a conversation.
 *
 * The contract of every adapter (tested by `test/support/describe-chat-model.ts`):
 * - The concatenated `delta` texts since the last `reset` are the reply, and exactly one `finish` comes last. An empty reply is not an
 * error. Each tool call is one complete `tool-call` event before the finish. Events come in the order of the service's.
 * - When `signal` is aborted, the iteration throws the signal's reason immediately and closes the connection. It also closes the connection
 * when the caller leaves the loop early.
 * - Every other failure is an AppError: `MODEL_UNAVAILABLE` when the model cannot be reached, returns 429 or 5xx, breaks off, sends
 * nothing for `MODEL_TIMEOUT_MS` or exceeds `MODEL_TOTAL_TIMEOUT_MS`; `MODEL_REJECTED` when it returns another 4xx. The message names the provider, the model and the status,
 * never a key; the details tell the operator what to do.
 * - Retryable failures are retried (`MODEL_RETRIES`), but not after a delta or a tool call was yielded, nor when the quota is used up.
 * - Calls do not share state: any number may run concurrently.
 */
export abstract class ChatModel {
  /** Name of the adapter, as in `MODEL_PROVIDER`. */
  abstract readonly provider: string;
  /** Model id of the service. */
  abstract readonly modelId: string;
  /** Whether the model accepts images. */
  readonly supportsImages: boolean = false;
  /** Whether the model accepts PDF documents. */
  readonly supportsDocuments: boolean = false;
  /** Whether the model can write in a given format (`ChatRequest.responseFormat`). */
  readonly supportsFormats: boolean = true;

  /** Tells operators of something about the model that is no failure. @param details what they can do */
  note(_message: string, _details: string): void {
    // Only models of services are watched.
  }

  stream(request: ChatRequest, options: { signal: AbortSignal }): AsyncGenerator<ChatEvent, void> {
    return flatten(this.respondUpToStop(request, options));
  }

  /** As `stream`; calls `take` with each event. @throws also the errors of `take` */
  read(request: ChatRequest, options: { signal: AbortSignal }, take: (event: ChatEvent) => void): Promise<void> {
    return takeAll(this.respondUpToStop(request, options), take);
  }

  /** The events, or sources of them. */
  protected abstract respond(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent | Polled<ChatEvent>>;

  private respondUpToStop(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent | Polled<ChatEvent>> {
    const events = this.respond(request, options);
    return request.stop === undefined || request.stop.length === 0 ? events : upToStop(flatten(events), request.stop, options.signal);
  }
}

/** The events before a stop text. A service that goes on behind it is left, so its usage is not known. */
async function* upToStop(events: AsyncIterable<ChatEvent>, stop: readonly string[], signal: AbortSignal): AsyncGenerator<ChatEvent, void> {
  const texts = new StopTexts(stop);
  const deltas = (text: string): ChatEvent[] => (text === '' ? [] : [{ type: 'delta', text }]);
  try {
    for await (const event of events) {
      if (event.type === 'delta') yield* deltas(texts.add(event.text));
      else if (event.type === 'reset') texts.reset();
      else if (event.type !== 'reasoning') yield* deltas(texts.end());
      if (texts.hasStopped) {
        yield { type: 'finish', reason: 'stop', usage: {} };
        return;
      }
      if (event.type !== 'delta') yield event;
    }
  } catch (error) {
    if (!signal.aborted) yield* deltas(texts.end());
    throw error;
  }
}
