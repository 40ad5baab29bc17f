import { AppError } from '../../core/errors/index.js';
import { boundedBody } from './bounded-body.js';

// Far more than a model says or a voice speaks in one answer.
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * `fetch` for a service that the operator configured, which may be anywhere, also in a private network. It asks that service and nobody
 * else, and follows no redirection: wherever one leads, the key would go along.
 *
 * @param baseUrl the service, as it is configured
 */
export function serviceFetch(baseUrl: string): typeof fetch {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    const asked = new URL(input instanceof Request ? input.url : input);
    if (asked.origin !== origin) throw new TypeError(`a request to ${asked.origin} is not one to the service at ${origin}`);
    const response = await fetch(input, { ...init, redirect: init?.redirect === 'manual' ? 'manual' : 'error' });
    return boundedBody(response, { maxBytes: MOST_BYTES, tooLarge });
  };
}

function tooLarge(): AppError {
  return new AppError('MODEL_UNAVAILABLE', `The service sent more than ${MOST_BYTES} bytes.`, 'Check what answers at its address.');
}
