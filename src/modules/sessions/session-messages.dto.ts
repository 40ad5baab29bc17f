import { Allow } from 'class-validator';
import { AppError } from '../../core/errors/index.js';
import { iso, presentMessage } from '../messaging/index.js';
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
  @Allow()
  content?: unknown;

  /** A list of objects with type, url and name. */
  @Allow()
  attachments?: unknown;

  /** An object of at most 10,240 characters of JSON. */
  @Allow()
  metadata?: unknown;

  /** The user's own id for this message; sending it again does not store it again. */
  @Allow()
  clientMessageId?: unknown;

  /** One of http, sse, websocket, sync, stream. */
  @Allow()
  transport?: unknown;

  /** Older name of `transport`. */
  @Allow()
  mode?: unknown;
}

/** What is checked before anybody asks for the session. @throws AppError VALIDATION_ERROR */
export function contentOf({ content }: SessionMessageBody): string {
  if (typeof content !== 'string') {
    throw new AppError('VALIDATION_ERROR', 'Missing required fields: content', 'content must be text of 1 to 4000 characters.');
  }
  return content;
}

/** What is checked after it. @throws AppError VALIDATION_ERROR */
export function toMessage(content: string, body: SessionMessageBody): SessionMessage {
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
export function presentPosted(posted: SessionPosted, outcome: Record<string, unknown> = {}): Record<string, unknown> {
  const userMessage = presentMessage(posted.message);
  const { id, content, authorId, createdAt, metadata } = userMessage;
  return { id, content, authorId, createdAt, metadata, success: true, userMessage, ...outcome, ...presentStatus(posted) };
}

/** Where a session stands after a message. */
export function presentStatus({ session, wasRenewed }: Pick<SessionPosted, 'session' | 'wasRenewed'>): Record<string, unknown> {
  const { expiresAt, renewalCount, isNearExpiration } = session;
  return { sessionStatus: { expiresAt: iso(expiresAt), renewalCount, wasRenewed, isNearExpiration } };
}

function invalid(field: string, reason: string): AppError {
  return new AppError('VALIDATION_ERROR', `Invalid ${field}: ${reason}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
