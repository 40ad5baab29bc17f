import { Injectable } from '@nestjs/common';
import type { Statement } from '../../core/database/index.js';
import { append, type JournalPayloads } from '../../core/journal/index.js';
import { closed, reconfigured, renewed, stateAt, touched, warned, warningInstant } from './session-policy.js';
import { SessionsRepository } from './sessions.repository.js';
import type { Session, TimeoutConfig } from './sessions.types.js';

/** What a unit of work does to a session. */
export interface Change {
  readonly statements: readonly Statement[];
  /** The session when the unit is committed. */
  readonly after: Session;
}

/**
 * Words each change to a session, with the journal entry that reports it. The entry comes first: on PostgreSQL it takes
 * the journal's lock, and a session's row that was locked before that could deadlock with a unit of another process.
 * Every change refuses with StaleSession when it no longer fits the stored session.
 */
@Injectable()
export class SessionChanges {
  constructor(private readonly repository: SessionsRepository) {}

  creation(session: Session): Change {
    const statements = [
      this.repository.insert(session),
      append('session.created', session.channelId, reference(session), session.createdAt),
    ];
    return { statements, after: session };
  }

  renewal(session: Session, now: number): Change {
    const after = renewed(session, now);
    const payload = { ...reference(after), renewalCount: after.renewalCount };
    return { statements: [append('session.renewed', session.channelId, payload, now), this.repository.renew(after)], after };
  }

  /** Activity that does not renew; nobody is told. */
  activity(session: Session, now: number): Change {
    const after = touched(session, now);
    return { statements: [this.repository.touch(after)], after };
  }

  /** A session that by its new configuration should have expired already does so at once. */
  configuration(session: Session, change: Partial<TimeoutConfig>, now: number): Change {
    const after = reconfigured(session, change);
    const statements = [append('session.updated', session.channelId, reference(after), now), this.repository.configure(session, after)];
    if (stateAt(after, now) !== 'expired') return { statements, after };
    const expiry = this.expiry(after, now);
    return { statements: [...statements, ...expiry.statements], after: expiry.after };
  }

  warning(session: Session, now: number): Change {
    const timeRemaining = session.expiresAt - now;
    const payload = { ...reference(session), minutesRemaining: Math.ceil(timeRemaining / 60_000), timeRemaining };
    return {
      statements: [append('session.warning', session.channelId, payload, now), this.repository.warned(session)],
      after: warned(session),
    };
  }

  expiry(session: Session, now: number): Change {
    const statements = [append('session.expired', session.channelId, reference(session), now), this.repository.expire(session, now)];
    return { statements, after: closed(session, 'expired', now) };
  }

  /** Whatever state it is in, unless it was ended before. */
  end(session: Session, now: number): Change {
    const statements = [append('session.ended', session.channelId, reference(session), now), this.repository.end(session.id, now)];
    return { statements, after: closed(session, 'ended', now) };
  }
}

function reference(session: Session): JournalPayloads['session.expired'] {
  const { id, channelId, agentId, userId, expiresAt } = session;
  return { sessionId: id, channelId, agentId, userId, expiresAt, warnsAt: warningInstant(session) };
}
