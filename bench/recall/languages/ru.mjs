import { FACTS, VALUES } from './ru/facts.mjs';
import { CHANGES, EVENTS, FOLLOW_UPS, GROUPS, NEVER_TOLD } from './ru/questions.mjs';
import { SPEECH } from './ru/speech.mjs';
import { textPack } from './pack.mjs';

export const RU = textPack({
  values: VALUES,
  facts: FACTS,
  groups: GROUPS,
  followUps: FOLLOW_UPS,
  changes: CHANGES,
  events: EVENTS,
  neverTold: NEVER_TOLD,
  speech: SPEECH,
});
