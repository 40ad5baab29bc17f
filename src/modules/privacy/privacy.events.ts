import type { EventDefinitions } from '../../core/journal/index.js';

interface PrivacyEvents {
  /** Has no channel, and does not say which user. */
  'user.forgotten': { requestId: string };
}

export const PRIVACY_EVENTS: EventDefinitions<PrivacyEvents> = {
  'user.forgotten': { about: 'A request to forget a user was completed.' },
};

declare module '../../core/journal/events.js' {
  interface JournalPayloads extends PrivacyEvents {}
}
