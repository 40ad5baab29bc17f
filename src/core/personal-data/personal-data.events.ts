import type { EventDefinitions } from '../journal/events.js';

interface PersonalDataEvents {
  /** Has no channel, and does not say which user. */
  'user.forgotten': { requestId: string };
}

export const PERSONAL_DATA_EVENTS: EventDefinitions<PersonalDataEvents> = {
  'user.forgotten': { about: 'A request to forget a user was completed.' },
};

declare module '../journal/events.js' {
  interface JournalPayloads extends PersonalDataEvents {}
}
