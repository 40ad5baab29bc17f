import { FACTS, VALUES } from './zh/facts.mjs';
import { CHANGES, EVENTS, FOLLOW_UPS, GROUPS, NEVER_TOLD } from './zh/questions.mjs';
import { SPEECH } from './zh/speech.mjs';
import { textPack } from './pack.mjs';

export const ZH = textPack({
  values: VALUES,
  facts: FACTS,
  groups: GROUPS,
  followUps: FOLLOW_UPS,
  changes: CHANGES,
  events: EVENTS,
  neverTold: NEVER_TOLD,
  speech: SPEECH,
});
