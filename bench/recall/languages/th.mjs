import { FACTS, VALUES } from './th/facts.mjs';
import { CHANGES, EVENTS, FOLLOW_UPS, GROUPS, NEVER_TOLD } from './th/questions.mjs';
import { SPEECH } from './th/speech.mjs';
import { textPack } from './pack.mjs';

export const TH = textPack({
  values: VALUES,
  facts: FACTS,
  groups: GROUPS,
  followUps: FOLLOW_UPS,
  changes: CHANGES,
  events: EVENTS,
  neverTold: NEVER_TOLD,
  speech: SPEECH,
});
