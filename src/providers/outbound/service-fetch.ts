import { AppError } from '../../core/errors/index.js';
import { limitBody } from './body-limit.js';
import { requestService } from './request-service.js';

// Far more than any response of a model or a voice.
const MAX_RESPONSE_BYTES = 256 * 1024 * 1024;

/**
 * A `fetch` function for a service of the operator, which may be in a private network. It allows requests only to that service and does not
 * follow redirects, which would send the key to another host.
 *
 * @param baseUrl the configured URL of the service
 */
export function serviceFetch(baseUrl: string): typeof fetch {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input);
    if (asked.origin !== origin) throw new TypeError(`requests to ${asked.origin} are not allowed; the service is at ${origin}`);
    const redirect = init?.redirect === 'manual' ? 'manual' : 'error';
    const body = init?.body ?? undefined;
    if (!(input instanceof Request) && (body === undefined || typeof body === 'string')) {
      return requestService(asked, { ...init, body, redirect, maxBytes: MAX_RESPONSE_BYTES, tooLarge });
    }
    const response = await fetch(input, { ...init, redirect });
    return limitBody(response, { maxBytes: MAX_RESPONSE_BYTES, tooLarge, signal: init?.signal });
  };
}

function tooLarge(): AppError {
  return new AppError('MODEL_UNAVAILABLE', `The service sent more than ${MAX_RESPONSE_BYTES} bytes.`, 'Check the address of the service.');
}
