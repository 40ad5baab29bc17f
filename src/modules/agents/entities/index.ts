import { AgentRow } from './agent.entity.js';

export { AgentRow };
export const AGENT_ENTITIES = [AgentRow];
