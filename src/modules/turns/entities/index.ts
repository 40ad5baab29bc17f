import { TurnStepRow } from './turn-step.entity.js';
import { TurnRow } from './turn.entity.js';

export { TurnRow, TurnStepRow };
export const TURN_ENTITIES = [TurnRow, TurnStepRow];
