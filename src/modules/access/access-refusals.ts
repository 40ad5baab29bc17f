import { AppError } from '../../core/errors/index.js';

export const SESSION_OVER = 'The session of this token is over';
export const CREATE_SESSION = 'Create another session; the response contains its token.';

export function sessionOver(): AppError {
  return new AppError('UNAUTHORIZED', SESSION_OVER, CREATE_SESSION);
}

export function unauthorized(message: string): AppError {
  return new AppError('UNAUTHORIZED', message, 'Send an API key, a user token or a session token as X-API-KEY or Authorization: Bearer.');
}

export function forbidden(message: string, details: string): AppError {
  return new AppError('FORBIDDEN', message, details);
}
