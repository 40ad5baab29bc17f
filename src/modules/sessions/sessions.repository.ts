import { Injectable } from '@nestjs/common';
import { idKeys, inPages, Reader, tableOf, type Outcome, type Row, type SqlValue, type Statement } from '../../core/database/index.js';
import { SessionRow } from './entities/session.entity.js';
import { nextDeadline } from './session-lifetime.js';
import { StaleSessionError } from './sessions.errors.js';
import type { Session, SessionCounts, SessionFilter } from './sessions.types.js';

const SESSIONS = tableOf(SessionRow);
const SESSION = SESSIONS.omit('nextDeadline');
const COLUMNS = SESSION.columns;

// Renewals and activity of a session may run concurrently: these columns only grow, so their previous values are not checked.
const UNCHANGED = `WHERE id = ? AND status = 'live' AND revision = ?`;
const TOUCH = `UPDATE sessions SET last_activity = CASE WHEN ? > last_activity THEN ? ELSE last_activity END ${UNCHANGED}`;
const RENEW = `UPDATE sessions SET
    last_activity = CASE WHEN ? > last_activity THEN ? ELSE last_activity END,
    renewed_at = CASE WHEN ? > renewed_at THEN ? ELSE renewed_at END,
    next_deadline = CASE WHEN ? > expires_at THEN ? ELSE next_deadline END,
    expires_at = CASE WHEN ? > expires_at THEN ? ELSE expires_at END,
    renewal_count = renewal_count + 1
  ${UNCHANGED}`;

// Every other change is computed from renewed_at and expires_at, and is computed again if a renewal came first.
const UNRENEWED = `${UNCHANGED} AND renewed_at = ? AND expires_at = ?`;
const CONFIGURE = `UPDATE sessions SET timeout_minutes = ?, auto_renew = ?, max_duration_minutes = ?, warning_threshold_minutes = ?,
    expires_at = ?, next_deadline = ?, revision = revision + 1
  ${UNRENEWED}`;
const WARNED = `UPDATE sessions SET warned_for = expires_at, next_deadline = expires_at, revision = revision + 1 ${UNRENEWED}`;
const EXPIRE = `UPDATE sessions SET status = 'expired', closed_at = ?, next_deadline = ?, revision = revision + 1 ${UNRENEWED}`;
const END = `UPDATE sessions SET status = 'ended', closed_at = ?, next_deadline = ?, revision = revision + 1
  WHERE id = ? AND status <> 'ended'`;

// next_deadline of a closed session is the time of its closing, so the deletion uses the same index as the expiry monitor.
const DELETE_CLOSED = `DELETE FROM sessions WHERE id IN
  (SELECT id FROM sessions WHERE status IN ('expired', 'ended') AND next_deadline <= ? LIMIT ?)`;

// An index-only query (ix_sessions_deadline).
const COUNTS = `SELECT count(*) AS known,
    sum(CASE WHEN status = 'live' AND expires_at > ? THEN 1 ELSE 0 END) AS active,
    sum(CASE WHEN status = 'live' AND expires_at > ? AND expires_at - warning_threshold_minutes * CAST(60000 AS bigint) <= ?
      THEN 1 ELSE 0 END) AS expiring
  FROM sessions WHERE status IN ('live', 'expired')`;
const COUNTS_OF_AGENTS = `${COUNTS} AND agent_id IN (SELECT key FROM json_each(?))`;
// The status is checked afterwards: as a condition it would make SQLite read all live sessions.
const SELECT_IN = `SELECT ${COLUMNS} FROM sessions WHERE id IN (SELECT key FROM json_each(?))`;
// Converting a batch blocks the event loop.
const BATCH_SIZE = 100;

interface SizedSession {
  readonly id: string;
  /** Of its metadata. */
  readonly bytes: number;
}

/** Reads sessions and builds the statements that write them. Their SQL is constant and the same on both engines. */
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

  /** A page of the sessions that are live at `now`, newest first and in parts, and the total number. */
  async live(
    { agentId, agents, userId, limit, offset }: SessionFilter,
    now: number,
  ): Promise<{ parts: () => AsyncGenerator<readonly Session[], void>; total: number }> {
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
      this.reader.rows<SizedSession>(
        `SELECT id, ${SESSION.bytesOf('s')} AS bytes FROM sessions s WHERE ${where} ORDER BY created_at DESC, id LIMIT ? OFFSET ?`,
        [...params, limit, offset],
      ),
      this.reader.rows<{ total: number }>(`SELECT count(*) AS total FROM sessions WHERE ${where}`, params),
    ]);
    return { parts: () => this.findLive(page), total: Number(counted[0]?.total ?? 0) };
  }

  /** Ids of at most `limit` sessions of an agent that are live at `now`. */
  async liveOf(agentId: string, now: number, limit: number): Promise<string[]> {
    const sql = `SELECT id FROM sessions WHERE agent_id = ? AND status = 'live' AND expires_at > ? LIMIT ?`;
    return (await this.reader.rows<{ id: string }>(sql, [agentId, now, limit])).map(({ id }) => id);
  }

  /** @param agents count only their sessions */
  async counts(now: number, agents?: ReadonlySet<string>): Promise<SessionCounts> {
    const [sql, params] = agents ? [COUNTS_OF_AGENTS, [idKeys(agents)]] : [COUNTS, []];
    const [row] = await this.reader.rows<Record<'known' | 'active' | 'expiring', number | null>>(sql, [now, now, now, ...params]);
    const [known, active, expiring] = [Number(row?.known ?? 0), Number(row?.active ?? 0), Number(row?.expiring ?? 0)];
    return { active, expiring, expired: known - active };
  }

  /** The earliest deadline of all live sessions, epoch ms. */
  async firstDeadline(): Promise<number | undefined> {
    const [row] = await this.reader.rows<{ next_deadline: number }>(
      `SELECT next_deadline FROM sessions WHERE status = 'live' ORDER BY next_deadline LIMIT 1`,
    );
    return row && Number(row.next_deadline);
  }

  /** Live sessions with a deadline up to `now`, in the order of their deadlines. */
  async due(now: number, limit: number): Promise<Session[]> {
    const rows = await this.reader.rows(
      `SELECT ${COLUMNS} FROM sessions WHERE status = 'live' AND next_deadline <= ? ORDER BY next_deadline LIMIT ?`,
      [now, limit],
    );
    return rows.map(toSession);
  }

  insert(session: Session): Statement {
    const { timeout, ...columns } = session;
    return SESSIONS.insert({ ...columns, ...timeout, nextDeadline: nextDeadline(session) });
  }

  /** Fails with StaleSessionError if the session was configured, warned or closed since it was read. */
  touch(after: Session): Statement {
    return {
      sql: TOUCH,
      params: [after.lastActivity, after.lastActivity, after.id, after.revision],
      refuse: refuseStale,
      independent: true,
    };
  }

  /** As `touch`. */
  renew(after: Session): Statement {
    const { lastActivity, renewedAt, expiresAt, id, revision } = after;
    return {
      sql: RENEW,
      params: [lastActivity, lastActivity, renewedAt, renewedAt, expiresAt, nextDeadline(after), expiresAt, expiresAt, id, revision],
      refuse: refuseStale,
      independent: true,
    };
  }

  /** Fails with StaleSessionError if the session was renewed, configured, warned or closed since `before` was read. */
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
        ...versionParams(before),
      ],
      refuse: refuseStale,
    };
  }

  /** As `configure`. */
  markWarned(session: Session): Statement {
    return { sql: WARNED, params: versionParams(session), refuse: refuseStale };
  }

  /** As `configure`. */
  expire(session: Session, now: number): Statement {
    return { sql: EXPIRE, params: [now, now, ...versionParams(session)], refuse: refuseStale };
  }

  /** Fails with StaleSessionError if the session has already ended. */
  end(id: string, now: number): Statement {
    return { sql: END, params: [now, now, id], refuse: refuseStale };
  }

  /** Deletes at most `limit` sessions that were closed up to `closedUpTo`, and counts them. */
  deleteClosed(closedUpTo: number, limit: number): Statement {
    return { sql: DELETE_CLOSED, params: [closedUpTo, limit], counted: true };
  }

  /** The live sessions among these, in the same order. */
  private async *findLive(sessions: readonly SizedSession[]): AsyncGenerator<readonly Session[], void> {
    for (const part of inPages(sessions, ({ bytes }) => Number(bytes), BATCH_SIZE)) {
      const rows = await this.reader.rows(SELECT_IN, [idKeys(part.map(({ id }) => id))]);
      const found = new Map(rows.filter((row) => row['status'] === 'live').map((row) => [row['id'] as string, toSession(row)]));
      yield part.flatMap(({ id }) => found.get(id) ?? []);
    }
  }
}

function versionParams({ id, revision, renewedAt, expiresAt }: Session): SqlValue[] {
  return [id, revision, renewedAt, expiresAt];
}

function refuseStale({ changed }: Outcome): StaleSessionError | undefined {
  return changed === 0 ? new StaleSessionError() : undefined;
}

function toSession(row: Row): Session {
  const { timeoutMinutes, autoRenew, maxDurationMinutes, warningThresholdMinutes, ...session } = SESSION.read(row);
  return { ...session, timeout: { timeoutMinutes, autoRenew, maxDurationMinutes, warningThresholdMinutes } };
}
