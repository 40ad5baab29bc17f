import type { AppError, ErrorCode } from '../../core/errors/index.js';
import { ErrorFormat, type ToErrorBody } from '../../core/http/index.js';
import { AnthropicErrorView } from './anthropic.dto.js';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
};
/** Failures that pass by themselves. */
const OVERLOADED: readonly ErrorCode[] = ['MODEL_UNAVAILABLE', 'SERVER_BUSY', 'SERVER_STOPPING'];

/** The error of Anthropic's protocol. Clients show the message alone, so it has the remedy too. */
export const toAnthropicError: ToErrorBody = (failure, requestId): AnthropicErrorView => ({
  type: 'error',
  error: { type: typeOf(failure), message: messageOf(failure), details: { error_code: failure.code.toLowerCase() } },
  request_id: requestId ?? null,
});

/** Declares Anthropic's error format on a controller. */
export const AnthropicErrors = (): ClassDecorator => ErrorFormat(toAnthropicError, AnthropicErrorView);

function typeOf({ code, status }: AppError): string {
  if (OVERLOADED.includes(code)) return 'overloaded_error';
  return TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}

function messageOf({ message, details }: AppError): string {
  if (details.startsWith(message)) return details;
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${details}`;
}
