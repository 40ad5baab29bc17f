import type { HttpResponse } from './express.js';

/**
 * Ends the response to a HEAD request whose length is unknown, as that of the GET request is. Without a length or an encoding, clients take
 * the end of the connection for the end of the response.
 */
export function endHeadResponse(response: HttpResponse): void {
  response.setHeader('Transfer-Encoding', 'chunked');
  response.end();
}
