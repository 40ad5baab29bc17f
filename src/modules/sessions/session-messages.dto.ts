import { AppError } from '../../core/errors/index.js';
import { ApiSchema } from '../../core/http/index.js';
import { hasAtMost } from '../../core/text/index.js';
import {
  attachmentsError,
  iso,
  MAX_KEY_LENGTH,
  pendingReplies,
  presentMessage,
  TRANSPORT_SCHEMA,
  type AgentResponseView,
  type MessageView,
  type PendingReplyView,
} from '../messaging/index.js';
import { MAX_METADATA_LENGTH } from './sessions.dto.js';
import type { SessionMessage } from './sessions.types.js';
import type { SessionPostResult } from './sessions.service.js';

/** Maximum length of a message's text in a session, characters. */
const MAX_CONTENT_LENGTH = 4000;

/**
 * Body of `POST /api/messaging/sessions/{sessionId}/messages/stream`. The contract interleaves its checks with those of the session (2.8), so
 * they are functions instead of decorators.
 */
export class SessionMessageFields {
  /** Text of 1 to 4000 characters. */
  @ApiSchema({ type: 'string', minLength: 1, maxLength: MAX_CONTENT_LENGTH })
  content!: unknown;

  /** A list of objects with type, url and name. */
  @ApiSchema({ type: ['array', 'null'], items: { type: 'object', additionalProperties: true } })
  attachments?: unknown;

  /** An object of at most 10,240 characters of JSON. */
  @ApiSchema({ type: ['object', 'null'], additionalProperties: true })
  metadata?: unknown;

  /** The user's own id for this message; posting it again returns the stored message. */
  @ApiSchema({ type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH })
  clientMessageId?: unknown;
}

/** Body of `POST /api/messaging/sessions/{sessionId}/messages`. */
export class SessionMessageBody extends SessionMessageFields {
  /**
   * How the reply is delivered: `http` and `sync` wait for it, `websocket` (when absent) leaves it to sockets. `sse` and `stream` respond
   * as `POST …/messages/stream` does.
   */
  @ApiSchema(TRANSPORT_SCHEMA)
  transport?: unknown;

  /** Older name of `transport`. */
  @ApiSchema(TRANSPORT_SCHEMA)
  mode?: unknown;
}

/** State of a session after a message. */
export class SessionStatusView {
  /** @format date-time */
  expiresAt!: string;
  renewalCount!: number;
  /** Whether this message renewed the session. */
  wasRenewed!: boolean;
  isNearExpiration!: boolean;
}

/** A user's message in a session; with a transport that waits, also the reply. */
export class SessionPostedView {
  /** Id of the user's message. @format uuid */
  id!: string;
  content!: string;
  /** @format uuid */
  authorId!: string;
  /** @format date-time */
  createdAt!: string;
  metadata!: Record<string, unknown>;
  success!: boolean;
  /** Id of the user's message, to which the reply belongs. @format uuid */
  inReplyTo!: string;
  /** Id of the pending reply; null when no agent will reply. @format uuid */
  replyId!: string | null;
  /** Pending replies. */
  replies!: PendingReplyView[];
  userMessage!: MessageView;
  /** Null when the agent did not reply; absent with a transport that does not wait. */
  agentResponse?: AgentResponseView | null;
  /** All replies, if there are several. */
  agentResponses?: AgentResponseView[];
  sessionStatus!: SessionStatusView;
}

/** The check that comes before the session is read. @throws AppError VALIDATION_ERROR */
export function contentOf({ content }: SessionMessageFields): string {
  if (typeof content !== 'string') {
    throw new AppError('VALIDATION_ERROR', 'Missing required fields: content', 'content must be text of 1 to 4000 characters.');
  }
  return content;
}

/** The checks that come after the session is read. @throws AppError VALIDATION_ERROR */
export function toMessage(content: string, body: SessionMessageFields): Omit<SessionMessage, 'users'> {
  if (content.trim() === '') throw invalid('content', 'Content cannot be empty');
  if (!hasAtMost(content, MAX_CONTENT_LENGTH)) {
    throw invalid('content', `Content exceeds maximum length of ${MAX_CONTENT_LENGTH} characters`);
  }
  const metadata = body.metadata ?? {};
  if (!isObject(metadata)) throw invalid('metadata', 'Metadata must be an object');
  if (!hasAtMost(JSON.stringify(metadata), MAX_METADATA_LENGTH)) {
    throw invalid('metadata', `Metadata exceeds maximum length of ${MAX_METADATA_LENGTH} characters`);
  }
  const attachments = body.attachments ?? undefined;
  if (attachments !== undefined && !(Array.isArray(attachments) && attachments.every(isObject))) {
    throw invalid('attachments', 'Attachments must be a list of objects');
  }
  const fault = attachments === undefined ? undefined : attachmentsError(attachments);
  if (fault !== undefined) throw invalid('attachments', `Attachments ${fault}`);
  const { clientMessageId } = body;
  if (
    clientMessageId !== undefined &&
    !(typeof clientMessageId === 'string' && clientMessageId.trim() !== '' && hasAtMost(clientMessageId, MAX_KEY_LENGTH))
  ) {
    throw invalid('clientMessageId', `It must be text of 1 to ${MAX_KEY_LENGTH} characters`);
  }
  return { content, metadata, attachments, clientMessageId };
}

/** The stored message and the session after it; `outcome` adds the replies for transports that wait. */
export function presentPosted(
  posted: SessionPostResult,
  outcome: Pick<SessionPostedView, 'agentResponse' | 'agentResponses'> = {},
): SessionPostedView {
  const userMessage = presentMessage(posted.message);
  const { id, content, authorId, createdAt, metadata } = userMessage;
  const pending = pendingReplies(posted.message);
  return { id, content, authorId, createdAt, metadata, success: true, ...pending, userMessage, ...outcome, ...presentStatus(posted) };
}

/** State of a session after a message. */
export function presentStatus({ session, wasRenewed }: Pick<SessionPostResult, 'session' | 'wasRenewed'>): {
  sessionStatus: SessionStatusView;
} {
  const { expiresAt, renewalCount, isNearExpiration } = session;
  return { sessionStatus: { expiresAt: iso(expiresAt), renewalCount, wasRenewed, isNearExpiration } };
}

function invalid(field: string, reason: string): AppError {
  return new AppError('VALIDATION_ERROR', `Invalid ${field}: ${reason}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
