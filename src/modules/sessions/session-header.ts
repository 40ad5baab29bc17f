import type { HttpResponse } from '../../core/http/index.js';
import { iso } from '../messaging/index.js';
import type { Session } from './sessions.types.js';

/** Sets `X-Session-Expires-At`, for clients that read only headers. */
export function setExpiryHeader(response: HttpResponse, { expiresAt }: Session): void {
  response.set('X-Session-Expires-At', iso(expiresAt));
}
