import type { EventDefinitions, EventFields } from '../../core/journal/index.js';

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
  'session.created': { about: 'A session was created.', sockets: { sessionCreated: times } },
  'session.renewed': { about: 'Activity or a request extended a session.', sockets: { sessionRenewed: times } },
  'session.updated': { about: 'The timeout configuration of a session changed.', sockets: { sessionUpdated: times } },
  'session.warning': {
    about: 'A session is about to expire; sent once per renewal period.',
    sockets: { sessionExpirationWarning: times },
  },
  // Any process may have open streams and sockets of the session.
  'session.expired': { about: 'A session reached its expiry.', sockets: { sessionExpired: times }, everywhere: true },
  'session.ended': { about: 'A session was ended by a request.', sockets: { sessionEnded: times }, everywhere: true },
};

function times({ warnsAt, ...rest }: SessionReference): EventFields {
  return { ...rest, expiresAt: new Date(rest.expiresAt).toISOString(), warnsAt: new Date(warnsAt).toISOString() };
}

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends SessionEvents {}
}
