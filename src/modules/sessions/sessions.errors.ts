import { AppError } from '../../core/errors/index.js';
import type { Session } from './sessions.types.js';

/** The session has changed since it was read. Read it again and retry. */
export class StaleSessionError extends AppError {
  constructor() {
    super('CONFLICT', 'Concurrent requests are changing the session.', 'Nothing was written; send the request again.');
  }
}

export function sessionNotFound(id: string): AppError {
  return new AppError('SESSION_NOT_FOUND', `Session with ID '${id}' not found`, 'POST /api/messaging/sessions creates one.');
}

export function sessionExpired({ id, expiresAt }: Session): AppError {
  return new AppError(
    'SESSION_EXPIRED',
    `Session '${id}' expired at ${new Date(expiresAt).toISOString()}`,
    'POST /api/messaging/sessions creates a new one.',
  );
}

export function renewalFailed({ id, createdAt, timeout }: Session, now: number): AppError {
  const details = {
    maxDuration: timeout.maxDurationMinutes,
    createdAt: new Date(createdAt).toISOString(),
    timeSinceCreation: now - createdAt,
  };
  return new AppError('SESSION_RENEWAL_FAILED', `Cannot renew session '${id}': Maximum duration reached`, JSON.stringify(details));
}

export function agentNotFound(id: string): AppError {
  return new AppError(
    'AGENT_NOT_FOUND',
    `Agent with ID '${id}' not found`,
    'Only a running agent takes part in sessions; GET /api/agents lists them.',
  );
}
