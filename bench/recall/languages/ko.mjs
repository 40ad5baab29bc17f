import { FACTS, VALUES } from './ko/facts.mjs';
import { CHANGES, EVENTS, FOLLOW_UPS, GROUPS, NEVER_TOLD } from './ko/questions.mjs';
import { SPEECH } from './ko/speech.mjs';
import { textPack } from './pack.mjs';

export const KO = textPack({
  values: VALUES,
  facts: FACTS,
  groups: GROUPS,
  followUps: FOLLOW_UPS,
  changes: CHANGES,
  events: EVENTS,
  neverTold: NEVER_TOLD,
  speech: SPEECH,
});
