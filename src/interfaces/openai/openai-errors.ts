import { errorDefinition, type AppError, type ErrorCode } from '../../core/errors/index.js';
import { ErrorFormat, type ToErrorBody } from '../../core/http/index.js';
import { OpenAiErrorView } from './openai.dto.js';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};
/** Codes of OpenAI that programs look for, where Parley has another one. */
const OWN_CODES: Partial<Record<ErrorCode, string>> = { AGENT_NOT_FOUND: 'model_not_found', UNAUTHORIZED: 'invalid_api_key' };
const FIELDS: Partial<Record<ErrorCode, string>> = {
  AGENT_NOT_FOUND: 'model',
  AGENT_STOPPED: 'model',
  UNKNOWN_VOICE: 'voice',
  PREVIOUS_RESPONSE_NOT_FOUND: 'previous_response_id',
  CONVERSATION_NOT_FOUND: 'conversation',
  NO_AUDIO_TRACK: 'file',
  AUDIO_TOO_LONG: 'file',
  FILE_TOO_LARGE: 'file',
};
// Messages of validation begin with the name of the field, other sentences with a capital letter.
const FIELD = /^(?:each value in )?([a-z][\w.[\]]*) (?:must|is|contains) /;

/** The error of OpenAI's protocol. Clients show the message alone, so it has the remedy too. */
export const toOpenAiError: ToErrorBody = (failure): OpenAiErrorView => {
  const { code, status } = failure;
  return {
    error: {
      message: messageOf(failure),
      type: TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error'),
      param: fieldOf(failure),
      code: OWN_CODES[code] ?? code.toLowerCase(),
    },
  };
};

/** Declares OpenAI's error format on a controller. */
export const OpenAiErrors = (): ClassDecorator => ErrorFormat(toOpenAiError, OpenAiErrorView);

function messageOf({ message, details }: AppError): string {
  if (details.startsWith(message)) return details;
  return `${message}${/[.!?]$/.test(message) ? '' : '.'} ${details}`;
}

function fieldOf({ code, message }: AppError): string | null {
  const named = errorDefinition(code).kind === 'invalid' ? FIELD.exec(message)?.[1] : undefined;
  return FIELDS[code] ?? named ?? null;
}
