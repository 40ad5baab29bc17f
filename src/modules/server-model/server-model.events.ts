import type { EventDefinitions } from '../../core/journal/index.js';

interface ServerModelEvents {
  /** Has no channel, and does not say which model. */
  'server-model.changed': { updatedAt: number };
}

export const SERVER_MODEL_EVENTS: EventDefinitions<ServerModelEvents> = {
  'server-model.changed': { about: 'Another model was chosen for the server.' },
};

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends ServerModelEvents {}
}
