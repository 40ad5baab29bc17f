import type { Actor } from '../../core/context/request-context.js';
import type { Caller } from '../../core/http/index.js';
import './session-access.js';

/** The caller as the audit log shows it. @param address of the client */
export function actorOf({ id, name, session, user }: Caller, address: string | undefined): Actor {
  return { id, name, userId: session?.userId ?? user?.id, address };
}
