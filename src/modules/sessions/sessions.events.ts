import type { EventDefinitions, EventFields } from '../../core/journal/index.js';
import type { ReplyChange } from '../messaging/index.js';
import { SessionEventView } from './session-events.dto.js';

const view = SessionEventView;

interface SessionReference {
  sessionId: string;
  channelId: string;
  agentId: string;
  userId: string;
  /** Epoch ms. */
  expiresAt: number;
  /** When the warning of this life period is due, epoch ms. */
  warnsAt: number;
}

interface SessionEvents {
  'session.created': SessionReference;
  'session.renewed': SessionReference & { renewalCount: number };
  'session.updated': SessionReference;
  'session.warning': SessionReference & { minutesRemaining: number; timeRemaining: number };
  'session.expired': SessionReference;
  'session.ended': SessionReference;
}

export const SESSION_EVENTS: EventDefinitions<SessionEvents> = {
  'session.created': { about: 'A session was created.', view, sockets: { sessionCreated: times } },
  'session.renewed': { about: 'Activity or a request extended a session.', view, sockets: { sessionRenewed: times } },
  'session.updated': { about: 'The timeout configuration of a session changed.', view, sockets: { sessionUpdated: times } },
  'session.warning': {
    about: 'A session is about to expire; sent once per renewal period.',
    view,
    sockets: { sessionExpirationWarning: times },
    reply: (session) => notice('session_warning', session),
  },
  // Any process may have open streams and sockets of the session.
  'session.expired': {
    about: 'A session reached its expiry.',
    view,
    sockets: { sessionExpired: times },
    reply: (session) => notice('session_expired', session),
    everywhere: true,
  },
  'session.ended': { about: 'A session was ended by a request.', view, sockets: { sessionEnded: times }, everywhere: true },
};

function times({ warnsAt, ...rest }: SessionReference): EventFields {
  return { ...rest, expiresAt: new Date(rest.expiresAt).toISOString(), warnsAt: new Date(warnsAt).toISOString() };
}

function notice(event: string, session: SessionReference): ReplyChange {
  return { kind: 'notice', event, fields: { ...session, expiresAt: new Date(session.expiresAt).toISOString() } };
}

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends SessionEvents {}
}
