import { EVENT_STREAM, type AdditionalResponse } from '../../../core/http/index.js';
import type { PendingReplyView } from '../messages/messages.dto.js';

/** The data of one event of a reply (docs/reference/events.md). The event of the user's own message has no `type`, but `replies`. */
export class ReplyStreamEventView {
  [field: string]: unknown;

  type?: 'chunk' | 'reasoning' | 'action.started' | 'action.completed' | 'suspended' | 'resumed' | 'message' | 'complete' | 'error';
  /** Id of the reply's message. @format uuid */
  replyId?: string | null;
  /** Id of the message replied to. @format uuid */
  inReplyTo?: string | null;
  agentId?: string;
  channelId?: string;
  /** Id of the message: of the reply, or of the user's own. @format uuid */
  messageId?: string;
  /** Of a chunk the next part of the reply, of reasoning the next part of it, otherwise the whole text. */
  text?: string;
  /** Position of a chunk, from 0; with 0 the reasoning starts again. */
  index?: number;
  /** True for a chunk that voids all earlier ones of its reply. */
  reset?: boolean;
  /** Name of an action. */
  action?: string;
  /** Number of the action among the steps of the reply. */
  step?: number;
  /** How an action ended. */
  success?: boolean;
  /** Duration of an action, ms. */
  durationMs?: number;
  /** Calls whose results a suspended reply waits for. */
  calls?: { id: string; name: string }[];
  /** How the reply ended. */
  status?: 'completed' | 'failed' | 'cancelled';
  /** False when the agent stays silent. */
  didRespond?: boolean;
  /** Why the reply failed. */
  code?: string;
  message?: string;
  details?: string;
  /** Pending replies to the user's own message. */
  replies?: PendingReplyView[];
}

/** The response of an operation that streams the replies to a message. */
export const REPLY_STREAM: AdditionalResponse = {
  ...EVENT_STREAM,
  body: ReplyStreamEventView,
  about:
    'Server-sent events; the schema is that of the `data` of each. The last one has the type `complete`, or `error`. A reader that lost the stream takes it up again at `Content-Location`, with `Last-Event-ID`.',
  example: { type: 'chunk', index: 0, text: 'Sencha.' },
};
