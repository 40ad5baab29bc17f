import type { EventDefinitions } from '../../core/journal/index.js';

interface AccessEvents {
  /** Has no channel: tells the processes of a shared database to close what the key has opened. */
  'key.revoked': { keyId: string };
}

export const ACCESS_EVENTS: EventDefinitions<AccessEvents> = {
  'key.revoked': { about: 'An API key was revoked.' },
};

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends AccessEvents {}
}
