import { FACTS, VALUES } from './ja/facts.mjs';
import { CHANGES, EVENTS, FOLLOW_UPS, GROUPS, NEVER_TOLD } from './ja/questions.mjs';
import { SPEECH } from './ja/speech.mjs';
import { textPack } from './pack.mjs';

export const JA = textPack({
  values: VALUES,
  facts: FACTS,
  groups: GROUPS,
  followUps: FOLLOW_UPS,
  changes: CHANGES,
  events: EVENTS,
  neverTold: NEVER_TOLD,
  speech: SPEECH,
});
