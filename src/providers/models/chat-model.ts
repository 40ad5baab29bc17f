/** A tool that the model may call. */
export interface ChatTool {
  /** Letters, digits, `_` and `-`, at most 64 of them. */
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ChatToolCall {
  /** The model's own name for this call; the result refers to it. */
  readonly id: string;
  readonly name: string;
  /** What the model gave as JSON; the text as it stands when that is no JSON. */
  readonly input: unknown;
}

/** A picture or a document that is part of a message. */
export interface ChatFile {
  /** One of image/jpeg, image/png, image/gif, image/webp and application/pdf. */
  readonly mediaType: string;
  readonly data: Uint8Array;
  readonly name: string;
}

/** Behind an assistant message with tool calls stands one `tool` message for each of them, with its result. */
export type ChatMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string; readonly files?: readonly ChatFile[] }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ChatToolCall[] }
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string; readonly toolName: string };

/**
 * The character's own text and memory as data. Language models get it rendered into the system message
 * by the caller and ignore this; the offline responder answers from it.
 */
export interface Grounding {
  readonly agentName: string;
  /** Sentences that are true of the character or known to it, the most telling first. */
  readonly facts: readonly string[];
  /** What the character was shown to answer. */
  readonly examples: readonly { question: string; answer: string }[];
  /** Texts that were recalled for this conversation, best first. */
  readonly memories: readonly string[];
}

export interface ChatRequest {
  /** The conversation in order; system messages first, the message to answer last. */
  readonly messages: readonly ChatMessage[];
  readonly grounding: Grounding;
  /** Whose message is answered: a model of our own lets those who ask take turns (`EmbedOptions.caller`). */
  readonly caller?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** What the model may call instead of answering; a model that cannot call tools answers. */
  readonly tools?: readonly ChatTool[];
  /** `none` when the conversation has tool calls in it and no more are wanted. */
  readonly toolChoice?: 'auto' | 'none';
}

/** Tokens as the service counted them; a service that does not count leaves them out. */
export interface ChatUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** `reason` is why the model stopped: `stop`, `length`, `content-filter`, `tool-calls`, `error` or `other`. */
export type ChatEvent =
  { type: 'delta'; text: string } | ({ type: 'tool-call' } & ChatToolCall) | { type: 'finish'; reason: string; usage: ChatUsage };

/**
 * Something that writes the next message of a conversation.
 *
 * What every adapter promises (`test/support/describe-chat-model.ts` holds each of them to it):
 * - The `delta` texts put together are the reply, and exactly one `finish` comes last. The reply may be
 *   empty; that is an answer, not an error. Each tool that the model calls is one `tool-call`, whole, before the finish.
 * - When `signal` is aborted the iteration ends at once by throwing the signal's reason, and the
 *   connection behind it is closed. It is closed too when the caller leaves the loop early.
 * - Every other failure is an AppError: `MODEL_UNAVAILABLE` when the model cannot be reached, answers 429
 *   or 5xx, breaks off in the middle or takes longer than `MODEL_TIMEOUT_MS` altogether; `MODEL_REJECTED` when
 *   it answers another 4xx. The message names provider, model and status, never a key.
 * - What may be tried again is tried again (`MODEL_RETRIES`), but never once a delta or a tool call has been given out.
 * - Calls do not share state: any number may run at the same time.
 */
export abstract class ChatModel {
  /** Which adapter answers, as in `MODEL_PROVIDER`. */
  abstract readonly provider: string;
  /** The model's name as its service knows it. */
  abstract readonly modelId: string;
  /** Whether it takes the images of messages; they are not sent to one that does not. */
  readonly supportsImages: boolean = false;
  /** Whether it takes PDF documents, likewise. */
  readonly supportsDocuments: boolean = false;

  abstract stream(request: ChatRequest, options: { signal: AbortSignal }): AsyncIterable<ChatEvent>;
}
