import { FACTS_OF_LIFE } from './en/facts-of-life.mjs';
import { FACTS_OF_PEOPLE } from './en/facts-of-people.mjs';
import { CHANGES, EVENTS, FOLLOW_UPS, GROUPS, NEVER_TOLD } from './en/questions.mjs';
import { SPEECH } from './en/speech.mjs';

/** @type {import('./pack.mjs').Pack} */
export const EN = {
  facts: [...FACTS_OF_PEOPLE, ...FACTS_OF_LIFE],
  groups: GROUPS,
  followUps: FOLLOW_UPS,
  changes: CHANGES,
  events: EVENTS,
  neverTold: NEVER_TOLD,
  speech: SPEECH,
};
