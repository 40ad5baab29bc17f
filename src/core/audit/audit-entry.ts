import { currentActor, currentRequestId, type Actor } from '../context/request-context.js';
import { tableOf, type Statement } from '../database/index.js';
import { newId } from '../ids/index.js';
import type { AuditAction } from './audit-actions.js';
import { AuditEntryRow } from './audit-entry.entity.js';

const ENTRIES = tableOf(AuditEntryRow);
const SERVER: Actor = { id: 'server' };

/** A change, for the audit log. It must not contain values of secrets or what users have said. */
export interface AuditedChange {
  /** The changed object: `['agent', id]`. */
  readonly target: readonly [kind: string, id: string];
  /** One short sentence. */
  readonly summary: string;
  /** The agent that the change concerns. */
  readonly agentId?: string;
  /** Names of the changed fields. */
  readonly fields?: readonly string[];
}

/**
 * The statement that records a change in the audit log. Like `append`, it belongs in the unit of work of the change. The actor is the caller
 * of the current request; outside of requests, it is the server.
 *
 * @param at epoch ms
 * @param actorId for a change on behalf of something else than the caller: `plugin:NAME`
 */
export function auditEntry(
  action: AuditAction,
  { target, summary, agentId, fields }: AuditedChange,
  at: number,
  actorId?: string,
): Statement {
  const actor = currentActor() ?? SERVER;
  const { id, name, userId, address } = actorId === undefined ? actor : { ...actor, id: actorId, name: undefined };
  return ENTRIES.insert({
    id: newId(),
    createdAt: at,
    action,
    actorId: id,
    actorName: name ?? null,
    userId: userId ?? null,
    address: address ?? null,
    requestId: currentRequestId() ?? null,
    targetKind: target[0],
    targetId: target[1],
    agentId: agentId ?? null,
    summary,
    fields: fields ?? [],
  });
}
