import { JobRow } from './job.entity.js';
import { TurnStepRow } from './turn-step.entity.js';
import { TurnRow } from './turn.entity.js';

export const TURN_ENTITIES = [TurnRow, TurnStepRow, JobRow];
