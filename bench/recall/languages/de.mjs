import { FACTS, VALUES } from './de/facts.mjs';
import { CHANGES, EVENTS, FOLLOW_UPS, GROUPS, NEVER_TOLD } from './de/questions.mjs';
import { SPEECH } from './de/speech.mjs';
import { textPack } from './pack.mjs';

export const DE = textPack({
  values: VALUES,
  facts: FACTS,
  groups: GROUPS,
  followUps: FOLLOW_UPS,
  changes: CHANGES,
  events: EVENTS,
  neverTold: NEVER_TOLD,
  speech: SPEECH,
});
