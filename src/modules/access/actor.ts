import type { Actor } from '../../core/context/request-context.js';
import type { Caller } from '../../core/http/index.js';

/** The caller as the audit log shows it. @param address of the client */
export function actorOf({ id, name, actsFor }: Caller, address: string | undefined): Actor {
  return { id, name, userId: actsFor, address };
}
