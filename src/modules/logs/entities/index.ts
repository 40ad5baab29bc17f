import { AgentLogRow } from './agent-log.entity.js';

export const LOG_ENTITIES = [AgentLogRow];
