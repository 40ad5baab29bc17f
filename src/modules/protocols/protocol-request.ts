import type { Caller } from '../../core/http/index.js';
import type { Agent } from '../agents/index.js';
import type { SentCall, TurnRequest } from '../turns/index.js';
import type { Protocol } from './protocol.js';

/** A file in a message that a caller sent. */
export interface SentFile {
  /** A `data:` URL. */
  readonly url: string;
  readonly name?: string;
}

/** A message of a conversation as a caller sent it, in any protocol. */
export type ProtocolMessage =
  | { readonly role: 'user'; readonly text: string; readonly files?: readonly SentFile[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly SentCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly text: string; readonly isError?: boolean };

/** What a caller asks over a protocol. */
export interface ProtocolRequest {
  readonly protocol: Protocol;
  readonly caller: Caller;
  readonly agent: Agent;
  /** A user as the caller names it: a claim, which keeps conversations apart and vouches for no one. */
  readonly user?: string | undefined;
  /** A name or id of the conversation; it is recognised by its messages when absent. */
  readonly conversation?: string | undefined;
  /** The message whose reply the request goes on from, in its conversation or, when that has gone on already, in a branch. Its caller's alone. */
  readonly continues?: string | undefined;
  /** Whether all messages are new in the conversation; by default, one that is named may get what it has already. */
  readonly addsOnly?: boolean;
  /** The conversation, or what is new in it when it is named. At least one message. */
  readonly messages: readonly ProtocolMessage[];
  /** Whether `messages` is the whole conversation though it is named: only its last message is new, and the prompt is what the caller sent. */
  readonly isWhole?: boolean;
  /** For the model, beside the conversation. */
  readonly turn: Omit<TurnRequest, 'messages' | 'forgets'>;
  /** Whether the conversation is kept. */
  readonly isStored: boolean;
  /** Whether the caller hears what the model thinks. */
  readonly hearsReasoning?: boolean;
  /** Whether events of actions have arguments and results. Only for callers who may read runs. */
  readonly seesActions?: boolean;
  /** Names and values that the caller wants stored with the message. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly repetition: Repetition;
}

/** Size of a body that may contain a conversation with pictures, bytes. */
export const CONVERSATION_BYTES = 20 * 1024 * 1024;

/** By what a repeated request is recognised. */
export interface Repetition {
  /** Id for the message, the same for each request with one Idempotency-Key; undefined without a key. */
  readonly createdId?: string | undefined;
  /** Whether the client says that it repeats a request: an equal one of the last minutes is meant. */
  readonly isRetry: boolean;
  /** The body as it came. */
  readonly body: string | Uint8Array;
}
