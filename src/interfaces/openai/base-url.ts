import { AppError } from '../../core/errors/index.js';
import { currentRequestId } from '../../core/context/request-context.js';
import type { HttpRequest, HttpResponse } from '../../core/http/index.js';
import { toOpenAiError } from './openai-errors.js';

const WITHOUT_PREFIX =
  /^\/(?:chat\/completions|responses|conversations|embeddings|models|messages|audio\/(?:speech|transcriptions))(?=\/|$)/i;
const TWICE = /^\/v1\/v1(?=\/|$)/i;

/** Responds to clients whose base URL lacks `/v1` or has it twice. @returns false for all other requests */
export function refuseWrongBase(request: HttpRequest, response: HttpResponse): boolean {
  const { path } = request;
  const message = TWICE.test(path)
    ? 'The path begins with /v1 twice.'
    : WITHOUT_PREFIX.test(path)
      ? `The path is /v1${WITHOUT_PREFIX.exec(path)![0]}.`
      : undefined;
  // The pages of the console have any path that nothing else has.
  if (message === undefined || request.accepts(['json', 'html']) === 'html') return false;
  const remedy =
    'The base URL of this server ends with /v1 for clients of OpenAI, such as http://localhost:3000/v1. ' +
    'Clients of Anthropic add /v1 themselves: theirs does not end with it.';
  const failure = new AppError('NOT_FOUND', message, remedy);
  response.status(failure.status).json(toOpenAiError(failure, currentRequestId()));
  return true;
}
