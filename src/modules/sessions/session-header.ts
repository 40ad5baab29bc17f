import type { HttpResponse } from '../../core/http/index.js';
import { iso } from '../messaging/index.js';
import type { Session } from './sessions.types.js';

/** Puts the expiry where also a client that only looks at headers finds it. */
export function showExpiry(response: HttpResponse, { expiresAt }: Session): void {
  response.set('X-Session-Expires-At', iso(expiresAt));
}
