import { Injectable } from '@nestjs/common';
import { idKeys, Reader, type Outcome, type Row, type SqlValue, type Statement } from '../../core/database/index.js';
import { nextDeadline } from './session-policy.js';
import { StaleSession } from './sessions.errors.js';
import type { Session, SessionCounts, SessionFilter } from './sessions.types.js';

const COLUMNS = `id, agent_id, channel_id, user_id, metadata, timeout_minutes, auto_renew, max_duration_minutes, warning_threshold_minutes,
  created_at, last_activity, renewed_at, expires_at, renewal_count, warned_for, status, closed_at, revision`;

const INSERT = `INSERT INTO sessions (${COLUMNS}, next_deadline) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

// Renewals and activity of one session may overtake each other: each column only ever grows, and what it was is not asked.
const UNCHANGED = `WHERE id = ? AND status = 'live' AND revision = ?`;
const TOUCH = `UPDATE sessions SET last_activity = CASE WHEN ? > last_activity THEN ? ELSE last_activity END ${UNCHANGED}`;
const RENEW = `UPDATE sessions SET
    last_activity = CASE WHEN ? > last_activity THEN ? ELSE last_activity END,
    renewed_at = CASE WHEN ? > renewed_at THEN ? ELSE renewed_at END,
    next_deadline = CASE WHEN ? > expires_at THEN ? ELSE next_deadline END,
    expires_at = CASE WHEN ? > expires_at THEN ? ELSE expires_at END,
    renewal_count = renewal_count + 1
  ${UNCHANGED}`;

// Everything else was computed from a session without later renewals, and is computed again when there was one.
const UNRENEWED = `${UNCHANGED} AND renewed_at = ? AND expires_at = ?`;
const CONFIGURE = `UPDATE sessions SET timeout_minutes = ?, auto_renew = ?, max_duration_minutes = ?, warning_threshold_minutes = ?,
    expires_at = ?, next_deadline = ?, revision = revision + 1
  ${UNRENEWED}`;
const WARNED = `UPDATE sessions SET warned_for = expires_at, next_deadline = expires_at, revision = revision + 1 ${UNRENEWED}`;
const EXPIRE = `UPDATE sessions SET status = 'expired', closed_at = ?, next_deadline = ?, revision = revision + 1 ${UNRENEWED}`;
const END = `UPDATE sessions SET status = 'ended', closed_at = ?, next_deadline = ?, revision = revision + 1
  WHERE id = ? AND status <> 'ended'`;

// A closed session's next_deadline is the instant at which it was closed, so the index that serves the announcer serves this too.
const FORGET = `DELETE FROM sessions WHERE id IN
  (SELECT id FROM sessions WHERE status IN ('expired', 'ended') AND next_deadline <= ? LIMIT ?)`;

// The columns of one index, in which all of it is found (ix_sessions_deadline).
const COUNTS = `SELECT count(*) AS known,
    sum(CASE WHEN status = 'live' AND expires_at > ? THEN 1 ELSE 0 END) AS active,
    sum(CASE WHEN status = 'live' AND expires_at > ? AND expires_at - warning_threshold_minutes * CAST(60000 AS bigint) <= ?
      THEN 1 ELSE 0 END) AS expiring
  FROM sessions WHERE status IN ('live', 'expired')`;
// The status is looked at afterwards: as a condition it would tempt SQLite to read all live ones.
const SOME = `SELECT ${COLUMNS} FROM sessions WHERE id IN (SELECT key FROM json_each(?))`;
// Metadata may be large: what is read at once is turned into objects at once.
const READ_AT_ONCE = 100;

/** Reads sessions, and words the statements that write them. Their texts are fixed and the same on both engines. */
@Injectable()
export class SessionsRepository {
  constructor(private readonly reader: Reader) {}

  async find(id: string): Promise<Session | undefined> {
    const [row] = await this.reader.rows(`SELECT ${COLUMNS} FROM sessions WHERE id = ?`, [id]);
    return row && toSession(row);
  }

  async findByChannel(channelId: string): Promise<Session | undefined> {
    const [row] = await this.reader.rows(`SELECT ${COLUMNS} FROM sessions WHERE channel_id = ?`, [channelId]);
    return row && toSession(row);
  }

  /** Sessions that are alive at `now`, newest first, and how many there are beyond the page. */
  async live({ agentId, agents, userId, limit, offset }: SessionFilter, now: number): Promise<{ sessions: Session[]; total: number }> {
    const conditions = [`status = 'live'`, 'expires_at > ?'];
    const params: SqlValue[] = [now];
    for (const [column, value] of Object.entries({ agent_id: agentId, user_id: userId })) {
      if (value === undefined) continue;
      conditions.push(`${column} = ?`);
      params.push(value);
    }
    if (agents) {
      conditions.push('agent_id IN (SELECT key FROM json_each(?))');
      params.push(idKeys(agents));
    }
    const where = conditions.join(' AND ');
    const [page, counted] = await Promise.all([
      this.reader.rows<{ id: string }>(`SELECT id FROM sessions WHERE ${where} ORDER BY created_at DESC, id LIMIT ? OFFSET ?`, [
        ...params,
        limit,
        offset,
      ]),
      this.reader.rows<{ total: number }>(`SELECT count(*) AS total FROM sessions WHERE ${where}`, params),
    ]);
    return { sessions: await this.some(page.map(({ id }) => id)), total: Number(counted[0]?.total ?? 0) };
  }

  /** Ids of at most `limit` sessions of an agent that are alive at `now`. */
  async liveOf(agentId: string, now: number, limit: number): Promise<string[]> {
    const sql = `SELECT id FROM sessions WHERE agent_id = ? AND status = 'live' AND expires_at > ? LIMIT ?`;
    return (await this.reader.rows<{ id: string }>(sql, [agentId, now, limit])).map(({ id }) => id);
  }

  async counts(now: number): Promise<SessionCounts> {
    const [row] = await this.reader.rows<Record<'known' | 'active' | 'expiring', number | null>>(COUNTS, [now, now, now]);
    const [known, active, expiring] = [Number(row?.known ?? 0), Number(row?.active ?? 0), Number(row?.expiring ?? 0)];
    return { active, expiring, expired: known - active };
  }

  /** When something is to be announced next about any live session. */
  async firstDeadline(): Promise<number | undefined> {
    const [row] = await this.reader.rows<{ next_deadline: number }>(
      `SELECT next_deadline FROM sessions WHERE status = 'live' ORDER BY next_deadline LIMIT 1`,
    );
    return row && Number(row.next_deadline);
  }

  /** Live sessions about which something is to be announced at `now`, in the order of their deadlines. */
  async due(now: number, limit: number): Promise<Session[]> {
    const rows = await this.reader.rows(
      `SELECT ${COLUMNS} FROM sessions WHERE status = 'live' AND next_deadline <= ? ORDER BY next_deadline LIMIT ?`,
      [now, limit],
    );
    return rows.map(toSession);
  }

  insert(session: Session): Statement {
    const { timeout } = session;
    return {
      sql: INSERT,
      params: [
        session.id,
        session.agentId,
        session.channelId,
        session.userId,
        JSON.stringify(session.metadata),
        timeout.timeoutMinutes,
        timeout.autoRenew,
        timeout.maxDurationMinutes,
        timeout.warningThresholdMinutes,
        session.createdAt,
        session.lastActivity,
        session.renewedAt,
        session.expiresAt,
        session.renewalCount,
        session.warnedFor,
        session.status,
        session.closedAt,
        session.revision,
        nextDeadline(session),
      ],
    };
  }

  /** Refuses with StaleSession when the session was configured, warned or closed since it was read. */
  touch(after: Session): Statement {
    return { sql: TOUCH, params: [after.lastActivity, after.lastActivity, after.id, after.revision], refuse: whenStale };
  }

  /** As `touch`. */
  renew(after: Session): Statement {
    const { lastActivity, renewedAt, expiresAt, id, revision } = after;
    return {
      sql: RENEW,
      params: [lastActivity, lastActivity, renewedAt, renewedAt, expiresAt, nextDeadline(after), expiresAt, expiresAt, id, revision],
      refuse: whenStale,
    };
  }

  /** Refuses with StaleSession when the session was renewed, configured, warned or closed since `before` was read. */
  configure(before: Session, after: Session): Statement {
    const { timeoutMinutes, autoRenew, maxDurationMinutes, warningThresholdMinutes } = after.timeout;
    return {
      sql: CONFIGURE,
      params: [
        timeoutMinutes,
        autoRenew,
        maxDurationMinutes,
        warningThresholdMinutes,
        after.expiresAt,
        nextDeadline(after),
        ...version(before),
      ],
      refuse: whenStale,
    };
  }

  /** As `configure`. */
  warned(session: Session): Statement {
    return { sql: WARNED, params: version(session), refuse: whenStale };
  }

  /** As `configure`. */
  expire(session: Session, now: number): Statement {
    return { sql: EXPIRE, params: [now, now, ...version(session)], refuse: whenStale };
  }

  /** Refuses with StaleSession when the session was ended already. */
  end(id: string, now: number): Statement {
    return { sql: END, params: [now, now, id], refuse: whenStale };
  }

  /** Removes sessions that were closed up to `closedUpTo`, at most `limit`; counts them. */
  forget(closedUpTo: number, limit: number): Statement {
    return { sql: FORGET, params: [closedUpTo, limit], counted: true };
  }

  /** In the order of the ids, without those that are no longer live. */
  private async some(ids: readonly string[]): Promise<Session[]> {
    const found = new Map<string, Session>();
    for (let start = 0; start < ids.length; start += READ_AT_ONCE) {
      const rows = await this.reader.rows(SOME, [idKeys(ids.slice(start, start + READ_AT_ONCE))]);
      for (const row of rows) if (row['status'] === 'live') found.set(row['id'] as string, toSession(row));
    }
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}

function version({ id, revision, renewedAt, expiresAt }: Session): SqlValue[] {
  return [id, revision, renewedAt, expiresAt];
}

function whenStale({ changed }: Outcome): StaleSession | undefined {
  return changed === 0 ? new StaleSession() : undefined;
}

function toSession(row: Row): Session {
  const optional = (value: unknown): number | null => (value === null ? null : Number(value));
  return {
    id: row['id'] as string,
    agentId: row['agent_id'] as string,
    channelId: row['channel_id'] as string,
    userId: row['user_id'] as string,
    metadata: JSON.parse(row['metadata'] as string) as Record<string, unknown>,
    timeout: {
      timeoutMinutes: Number(row['timeout_minutes']),
      // SQLite has 0 and 1 for it.
      autoRenew: Boolean(row['auto_renew']),
      maxDurationMinutes: Number(row['max_duration_minutes']),
      warningThresholdMinutes: Number(row['warning_threshold_minutes']),
    },
    createdAt: Number(row['created_at']),
    lastActivity: Number(row['last_activity']),
    renewedAt: Number(row['renewed_at']),
    expiresAt: Number(row['expires_at']),
    renewalCount: Number(row['renewal_count']),
    warnedFor: optional(row['warned_for']),
    status: row['status'] as Session['status'],
    closedAt: optional(row['closed_at']),
    revision: Number(row['revision']),
  };
}
