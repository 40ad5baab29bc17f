import { describe, expect, it } from '@jest/globals';
import { AppError, type ErrorCode } from '../../core/errors/index.js';
import { toAnthropicError } from './anthropic-errors.js';

describe("the errors of Anthropic's protocol", () => {
  it.each<[ErrorCode, string]>([
    ['VALIDATION_ERROR', 'invalid_request_error'],
    ['UNAUTHORIZED', 'authentication_error'],
    ['FORBIDDEN', 'permission_error'],
    ['NOT_FOUND', 'not_found_error'],
    ['CONFLICT', 'conflict_error'],
    ['PAYLOAD_TOO_LARGE', 'request_too_large'],
    ['RATE_LIMIT_EXCEEDED', 'rate_limit_error'],
    ['INTERNAL_ERROR', 'api_error'],
    ['MODEL_REJECTED', 'api_error'],
    ['MODEL_UNAVAILABLE', 'overloaded_error'],
    ['SERVER_BUSY', 'overloaded_error'],
  ])('%s is %s', (code, type) => {
    expect(toAnthropicError(new AppError(code, 'It is so', 'Do this.'), undefined)).toEqual({
      type: 'error',
      error: { type, message: 'It is so. Do this.', details: { error_code: code.toLowerCase() } },
      request_id: null,
    });
  });

  it('say what is said twice once', () => {
    const { error } = toAnthropicError(new AppError('NOT_FOUND', 'No.'), 'id') as { error: { message: string } };
    expect(error.message).toBe('No.');
  });
});
