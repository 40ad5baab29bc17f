import { AppError } from '../../core/errors/index.js';
import { Described } from '../../core/http/index.js';
import {
  iso,
  owedReplies,
  presentMessage,
  TRANSPORT_SCHEMA,
  type AgentResponseView,
  type MessageView,
  type OwedReplyView,
} from '../messaging/index.js';
import { LONGEST_METADATA } from './sessions.dto.js';
import type { SessionMessage } from './sessions.types.js';
import type { SessionPosted } from './sessions.service.js';

/** Longest text of a message to a session, characters. */
const LONGEST_CONTENT = 4000;
const LONGEST_KEY = 255;

/**
 * Body of `POST /api/messaging/sessions/{sessionId}/messages`. Its checks have an order in which the session's own come in
 * between (contract 2.8), so they are functions and no decorators.
 */
export class SessionMessageBody {
  /** Text of 1 to 4000 characters. */
  @Described({ type: 'string', minLength: 1, maxLength: LONGEST_CONTENT })
  content!: unknown;

  /** A list of objects with type, url and name. */
  @Described({ type: ['array', 'null'], items: { type: 'object', additionalProperties: true } })
  attachments?: unknown;

  /** An object of at most 10,240 characters of JSON. */
  @Described({ type: ['object', 'null'], additionalProperties: true })
  metadata?: unknown;

  /** The user's own id for this message; sending it again does not store it again. */
  @Described({ type: 'string', minLength: 1, maxLength: LONGEST_KEY })
  clientMessageId?: unknown;

  /** How the answer is heard: over socket.io when it is left out. */
  @Described(TRANSPORT_SCHEMA)
  transport?: unknown;

  /** Older name of `transport`. */
  @Described(TRANSPORT_SCHEMA)
  mode?: unknown;
}

/** Where a session stands after a message. */
export class SessionStatusView {
  /** @format date-time */
  expiresAt!: string;
  renewalCount!: number;
  /** Whether this message renewed it. */
  wasRenewed!: boolean;
  isNearExpiration!: boolean;
}

/** A user's message to a session, and with a transport that waits, the answer. */
export class SessionPostedView {
  /** Of the user's message. @format uuid */
  id!: string;
  content!: string;
  /** @format uuid */
  authorId!: string;
  /** @format date-time */
  createdAt!: string;
  metadata!: Record<string, unknown>;
  success!: boolean;
  /** Id of the user's message: what the reply answers. @format uuid */
  inReplyTo!: string;
  /** Id that the reply will have; null when no agent owes one. @format uuid */
  replyId!: string | null;
  /** The answers that are owed to it. */
  replies!: OwedReplyView[];
  userMessage!: MessageView;
  /** Null when the agent kept silent; absent with a transport that does not wait. */
  agentResponse?: AgentResponseView | null;
  /** All answers, when there are several. */
  agentResponses?: AgentResponseView[];
  sessionStatus!: SessionStatusView;
}

/** What is checked before anybody asks for the session. @throws AppError VALIDATION_ERROR */
export function contentOf({ content }: SessionMessageBody): string {
  if (typeof content !== 'string') {
    throw new AppError('VALIDATION_ERROR', 'Missing required fields: content', 'content must be text of 1 to 4000 characters.');
  }
  return content;
}

/** What is checked after it. @throws AppError VALIDATION_ERROR */
export function toMessage(content: string, body: SessionMessageBody): Omit<SessionMessage, 'users'> {
  if (content.trim() === '') throw invalid('content', 'Content cannot be empty');
  if (content.length > LONGEST_CONTENT) throw invalid('content', `Content exceeds maximum length of ${LONGEST_CONTENT} characters`);
  const metadata = body.metadata ?? {};
  if (!isObject(metadata)) throw invalid('metadata', 'Metadata must be an object');
  if (JSON.stringify(metadata).length > LONGEST_METADATA) {
    throw invalid('metadata', `Metadata exceeds maximum length of ${LONGEST_METADATA} characters`);
  }
  const attachments = body.attachments ?? undefined;
  if (attachments !== undefined && !(Array.isArray(attachments) && attachments.every(isObject))) {
    throw invalid('attachments', 'Attachments must be a list of objects');
  }
  const { clientMessageId } = body;
  if (
    clientMessageId !== undefined &&
    !(typeof clientMessageId === 'string' && clientMessageId.trim() !== '' && clientMessageId.length <= LONGEST_KEY)
  ) {
    throw invalid('clientMessageId', `It must be text of 1 to ${LONGEST_KEY} characters`);
  }
  return { content, metadata, attachments, clientMessageId };
}

/** The stored message and the session after it; `outcome` holds what transports that wait for an answer add. */
export function presentPosted(
  posted: SessionPosted,
  outcome: Pick<SessionPostedView, 'agentResponse' | 'agentResponses'> = {},
): SessionPostedView {
  const userMessage = presentMessage(posted.message);
  const { id, content, authorId, createdAt, metadata } = userMessage;
  const owed = owedReplies(posted.message);
  return { id, content, authorId, createdAt, metadata, success: true, ...owed, userMessage, ...outcome, ...presentStatus(posted) };
}

/** Where a session stands after a message. */
export function presentStatus({ session, wasRenewed }: Pick<SessionPosted, 'session' | 'wasRenewed'>): {
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
