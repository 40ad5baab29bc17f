import type { ChatRequest, ChatTool } from '../../../providers/models/index.js';

/** A message of the conversation as a caller sent it. */
export type SentMessage =
  | {
      readonly role: 'user';
      readonly text: string;
      /** Its stored message, when it has files. */
      readonly messageId?: string;
    }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly SentCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly text: string };

/** A call of a tool in a message of the assistant. */
export interface SentCall {
  readonly id: string;
  readonly name: string;
  /** The parsed JSON input; the raw text when it is not valid JSON. */
  readonly input: unknown;
}

/** How the caller wants the model to respond. */
export type ResponseOptions = Pick<
  ChatRequest,
  'temperature' | 'topP' | 'maxOutputTokens' | 'stop' | 'reasoningEffort' | 'responseFormat' | 'parallelToolCalls'
>;

/** What the caller of a protocol asks of a turn, beside the message. It is kept until the turn ends, and never remembered. */
export interface TurnRequest {
  /** Instructions of the caller. They follow the agent's. */
  readonly instructions?: string;
  /** The conversation as the caller sent it, with the message to reply to. In the prompt, it replaces what the agent remembers of the channel. */
  readonly messages?: readonly SentMessage[];
  /** Tools that the caller runs. The turn waits for their results. */
  readonly tools?: readonly ChatTool[];
  readonly toolChoice?: ChatRequest['toolChoice'];
  readonly options: ResponseOptions;
  /** Whether nothing of the conversation is remembered. */
  readonly forgets?: boolean;
}
