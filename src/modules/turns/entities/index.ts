import { JobRow } from './job.entity.js';
import { TurnRequestRow } from './turn-request.entity.js';
import { TurnStepRow } from './turn-step.entity.js';
import { TurnRow } from './turn.entity.js';

export const TURN_ENTITIES = [TurnRow, TurnStepRow, TurnRequestRow, JobRow];
