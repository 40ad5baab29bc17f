import { Injectable } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import { append, type JournalPayloads } from '../../core/journal/index.js';
import { closed, reconfigured, renewed, stateAt, touched, warned, warningAt } from './session-lifetime.js';
import { SessionsRepository } from './sessions.repository.js';
import type { Session, TimeoutConfig } from './sessions.types.js';

/** A change of a session. */
export interface SessionChange {
  readonly statements: readonly Statement[];
  /** The session after the commit. */
  readonly after: Session;
}

/**
 * Builds the statements of each change of a session, with its journal entry. The entry comes first, because on PostgreSQL it takes the
 * journal's lock: a transaction that locked the session's row before could deadlock with one of another process. Every change fails
 * with StaleSessionError when the stored session has changed since it was read.
 */
@Injectable()
export class SessionChanges {
  constructor(private readonly repository: SessionsRepository) {}

  creation(session: Session): SessionChange {
    const statements = [
      this.repository.insert(session),
      append('session.created', session.channelId, reference(session), session.createdAt),
    ];
    return { statements, after: session };
  }

  renewal(session: Session, now: number): SessionChange {
    const after = renewed(session, now);
    const payload = { ...reference(after), renewalCount: after.renewalCount };
    return { statements: [append('session.renewed', session.channelId, payload, now), this.repository.renew(after)], after };
  }

  /** Activity without a renewal; appends no journal entry. */
  activity(session: Session, now: number): SessionChange {
    const after = touched(session, now);
    return { statements: [this.repository.touch(after)], after };
  }

  /** Expires the session at once if the new configuration puts its expiry in the past. */
  configuration(session: Session, change: Partial<TimeoutConfig>, now: number): SessionChange {
    const after = reconfigured(session, change);
    const statements = [append('session.updated', session.channelId, reference(after), now), this.repository.configure(session, after)];
    if (stateAt(after, now) !== 'expired') return { statements, after };
    const expiry = this.expiry(after, now);
    return { statements: [...statements, ...expiry.statements], after: expiry.after };
  }

  warning(session: Session, now: number): SessionChange {
    const timeRemaining = session.expiresAt - now;
    const payload = { ...reference(session), minutesRemaining: Math.ceil(timeRemaining / 60_000), timeRemaining };
    return {
      statements: [append('session.warning', session.channelId, payload, now), this.repository.markWarned(session)],
      after: warned(session),
    };
  }

  expiry(session: Session, now: number): SessionChange {
    const statements = [append('session.expired', session.channelId, reference(session), now), this.repository.expire(session, now)];
    return { statements, after: closed(session, 'expired', now) };
  }

  /** From any state except `ended`. */
  end(session: Session, now: number): SessionChange {
    const statements = [append('session.ended', session.channelId, reference(session), now), this.repository.end(session.id, now)];
    return { statements, after: closed(session, 'ended', now) };
  }
}

function reference(session: Session): JournalPayloads['session.expired'] {
  const { id, channelId, agentId, userId, expiresAt } = session;
  return { sessionId: id, channelId, agentId, userId, expiresAt, warnsAt: warningAt(session) };
}
