import { IsString } from 'class-validator';
import { auditActions } from '../../core/audit/index.js';
import {
  Check,
  encodeCursor,
  IfPresent,
  IsCount,
  IsFilledText,
  IsUuidText,
  parseCursor,
  parseTime,
  type ListPosition,
} from '../../core/http/index.js';
import type { AuditEntry, AuditFilter } from './audit.repository.js';

const MAX_PAGE = 1000;
const DEFAULT_PAGE = 100;
const MAX_ID = 255;

function IsAuditAction(): PropertyDecorator {
  return Check(
    'isAuditAction',
    { type: 'string' },
    (value) => typeof value === 'string' && auditActions().includes(value),
    () => '$property must be an action of the audit log, for example agent.updated',
  );
}

/** Query of `GET /api/audit`. */
export class ListAuditQuery {
  /** The action, for example `agent.updated`. */
  @IfPresent()
  @IsAuditAction()
  action?: string;

  /** Id of the actor, as in the entries: `administrator`, `key:ID`, `user:ID`, … */
  @IfPresent()
  @IsFilledText(MAX_ID)
  actor?: string;

  /** Id of the changed object. */
  @IfPresent()
  @IsFilledText(MAX_ID)
  target?: string;

  /** The agent that was changed, or that owns what was changed. */
  @IfPresent()
  @IsUuidText()
  agentId?: string;

  /** Earliest time: epoch ms or an ISO 8601 instant. */
  @IfPresent()
  @IsString()
  from?: string;

  /** Latest time: epoch ms or an ISO 8601 instant. */
  @IfPresent()
  @IsString()
  to?: string;

  /** Page size. Defaults to 100. */
  @IfPresent()
  @IsCount(MAX_PAGE)
  limit?: string;

  /** The `nextCursor` of the previous page. */
  @IfPresent()
  @IsString()
  cursor?: string;
}

/** The actor of a change. */
export class AuditActorView {
  /**
   * `administrator`, `key:ID`, `session:ID`, `user:ID`; `everybody` on a server without API_KEY; `nobody` without a credential; `plugin:NAME`;
   * `server` for what the server does by itself, such as importing character files.
   */
  id!: string;

  /** The part of `id` before the colon. */
  kind!: string;

  /** Name of the key; null for other actors. */
  name!: string | null;
}

/** The changed object. */
export class AuditTargetView {
  /** @example agent */
  kind!: string;

  id!: string;
}

/** An entry of the audit log. */
export class AuditEntryView {
  /** @format uuid */
  id!: string;

  /** @format date-time */
  at!: string;

  /** @example agent.updated */
  action!: string;

  /** One sentence. */
  summary!: string;

  actor!: AuditActorView;

  /** Address of the client; null for the server's own changes, and when the user was forgotten. */
  address!: string | null;

  target!: AuditTargetView;

  /** The agent that was changed, or that owns what was changed. @format uuid */
  agentId!: string | null;

  /** Names of the changed fields or variables. */
  fields!: string[];

  /** The request, as in the log; null for the server's own changes. */
  requestId!: string | null;
}

export class AuditView {
  /** The newest first. */
  entries!: AuditEntryView[];

  /** Null on the last page. */
  nextCursor!: string | null;
}

/** The conditions and the page that a query asks for. @throws AppError VALIDATION_ERROR */
export function toAuditQuery(query: ListAuditQuery): {
  filter: AuditFilter;
  before: Required<ListPosition> | undefined;
  limit: number;
} {
  const { action, actor, target, agentId, from, to, cursor, limit } = query;
  return {
    filter: { action, actor, target, agentId: agentId?.toLowerCase(), from: parseTime('from', from), to: parseTime('to', to) },
    before: parseCursor('cursor', cursor),
    limit: Number(limit ?? DEFAULT_PAGE),
  };
}

/** @param found the entries of the page, and one more when another page follows */
export function presentAudit(found: readonly AuditEntry[], limit: number): AuditView {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    entries: page.map(presentEntry),
    nextCursor: found.length > limit && last ? encodeCursor({ at: last.createdAt, id: last.id }) : null,
  };
}

function presentEntry({ id, createdAt, action, summary, fields, agentId, address, requestId, ...entry }: AuditEntry): AuditEntryView {
  return {
    id,
    at: new Date(createdAt).toISOString(),
    action,
    summary,
    actor: { id: entry.actorId, kind: entry.actorId.split(':')[0] ?? '', name: entry.actorName },
    address,
    target: { kind: entry.targetKind, id: entry.targetId },
    agentId,
    fields: [...fields],
    requestId,
  };
}
